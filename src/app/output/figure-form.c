/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows that fill a LacFigureOrder. */
#include "app/output/figure-form.h"

#include "app/output/figure-look.h"
#include "app/toolkit/format.h"
#include "app/toolkit/number-spin.h"
#include "base/number-display.h"
#include "report/figure/derived-run.h"
#include "report/figure/journal.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include <string.h>

#define MOST_BESIDE 40 /* most runs offered */

typedef enum { CAPTION_MADE, CAPTION_OWN, CAPTION_NONE } Caption;

struct _LacFigureForm {
  GtkWidget            parent_instance;
  GtkWidget           *content;
  AdwComboRow         *kind, *channel, *beside, *journal, *columns, *caption, *vision;
  GtkSpinButton       *step, *width, *font, *line, *dpi;
  GtkSwitch           *seconds, *scale_bar, *transparent;
  AdwPreferencesGroup *look;
  LacFigureRows       *rows; /* rows of @look */
  GtkWidget           *step_row, *seconds_row, *scale_bar_row, *words;
  gboolean             filling;  /* TRUE while rows are set by the program */
  GStrv                folders;  /* initial folders */
  GPtrArray           *others;   /* of GStrv: folders for each row of "beside"; the first is none */
  GStrv                channels; /* keys; NULL before the first preview */
  LacFigureSpec        spec;     /* sizes of 0 follow the journal */
};

G_DEFINE_FINAL_TYPE(LacFigureForm, lac_figure_form, GTK_TYPE_WIDGET)

static guint changed_signal;

static void
set_list(AdwComboRow *row, const char *const *texts, guint selected)
{
  g_autoptr(GtkStringList) list = gtk_string_list_new(texts);

  adw_combo_row_set_model(row, G_LIST_MODEL(list));
  adw_combo_row_set_selected(row, selected);
}

static const LacJournal *
get_journal(LacFigureForm *self)
{
  gsize n;

  return &lac_journals(&n)[adw_combo_row_get_selected(self->journal)];
}

/* Offers the column widths of the journal: "single, 89 mm". */
static void
set_columns(LacFigureForm *self)
{
  static const char *const names[] = {N_("One column"), N_("One and a half columns"),
                                      N_("Two columns")};
  g_autoptr(GPtrArray)     texts = g_ptr_array_new_with_free_func(g_free);
  const LacJournal        *journal = get_journal(self);

  for (LacColumns columns = 0; columns < LAC_N_COLUMNS; columns++)
    g_ptr_array_add(texts, journal->width_mm[columns] > 0
                             ? lac_number_localise(g_strdup_printf("%s, %.4g mm", _(names[columns]),
                                                                   journal->width_mm[columns]))
                             : g_strdup(_("Not available in this journal")));
  g_ptr_array_add(texts, NULL);
  g_autofree char *site =
    g_strndup(journal->source, journal->source != NULL ? strcspn(journal->source, "/") : 0);
  g_autofree char *says =
    journal->source == NULL ? g_strdup(_("Unverified sizes: check the journal's guidelines"))
    : g_str_equal(journal->source, LAC_JOURNAL_OWN) ? g_strdup("")
                                                    : g_strdup_printf(_("Source: %s"), site);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(self->journal), says);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->journal), journal->source);
  guint selected = MIN(adw_combo_row_get_selected(self->columns), LAC_N_COLUMNS - 1);
  set_list(self->columns, (const char *const *) texts->pdata,
           journal->width_mm[selected] > 0 ? selected : LAC_COLUMNS_TWO);
}

static void
update_rows(LacFigureForm *self)
{
  LacFigureKind kind = adw_combo_row_get_selected(self->kind);
  gboolean      is_field = kind == LAC_FIGURE_FIELDS || kind == LAC_FIGURE_COMPARISON;
  gboolean      is_of_runs = kind == LAC_FIGURE_CURVES || kind == LAC_FIGURE_COMPARISON;

  gtk_widget_set_visible(GTK_WIDGET(self->channel), is_field);
  gtk_widget_set_visible(GTK_WIDGET(self->beside), is_of_runs);
  gtk_widget_set_visible(self->step_row, kind != LAC_FIGURE_CURVES);
  gtk_widget_set_visible(self->seconds_row, is_of_runs);
  gtk_widget_set_visible(self->scale_bar_row, is_field);
  gtk_widget_set_visible(GTK_WIDGET(self->look), is_field);
  gtk_widget_set_visible(self->words, adw_combo_row_get_selected(self->caption) == CAPTION_OWN);
}

static void
emit_changed(LacFigureForm *self)
{
  update_rows(self);
  g_signal_emit(self, changed_signal, 0);
}

static void
on_choice(LacFigureForm *self, GParamSpec *pspec, GObject *row)
{
  if (self->filling)
    return;
  if (row == G_OBJECT(self->journal) || row == G_OBJECT(self->columns)) {
    self->filling = TRUE;
    set_columns(self);
    self->filling = FALSE;
    self->spec.width_mm = self->spec.font_size = self->spec.line_width = self->spec.dpi = 0;
  }
  if (row == G_OBJECT(self->channel))
    lac_figure_rows_forget_limits(self->rows);
  emit_changed(self);
}

static void
on_look(gpointer self)
{
  emit_changed(self);
}

static void
on_words(LacFigureForm *self)
{
  if (!self->filling)
    emit_changed(self);
}

static void
on_size(LacFigureForm *self, GtkSpinButton *number)
{
  const double value = gtk_spin_button_get_value(number);

  if (self->filling)
    return;
  if (number == self->step)
    self->spec.step = (gint64) value;
  else if (number == self->width)
    self->spec.width_mm = value;
  else if (number == self->font)
    self->spec.font_size = value;
  else if (number == self->line)
    self->spec.line_width = value;
  else
    self->spec.dpi = value;
  emit_changed(self);
}

/* ---- what there is to choose ---- */

static void
add_beside(LacFigureForm *self, GPtrArray *texts, char *text, const char *const *folders)
{
  g_ptr_array_add(texts, text);
  g_ptr_array_add(self->others, g_strdupv((GStrv) folders));
}

static gboolean
is_of_figure(LacFigureForm *self, const char *path)
{
  return g_strv_contains((const char *const *) self->folders, path);
}

static void
set_beside(LacFigureForm *self, LacRunStore *store)
{
  g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
  const char *const    none[] = {NULL};
  GListModel          *model = store != NULL ? lac_run_store_get_model(store) : NULL;

  g_ptr_array_set_size(self->others, 0);
  add_beside(self, texts, g_strdup(_("No other run")), none);
  if (self->folders[0] != NULL && self->folders[1] != NULL) {
    g_autofree char *name = g_path_get_basename(self->folders[1]);
    guint            n = g_strv_length(self->folders) - 1;
    add_beside(self, texts,
               n == 1 ? g_strdup(name) : g_strdup_printf(_("The %u runs of the comparison"), n),
               (const char *const *) self->folders + 1);
  }
  for (guint i = 0;
       model != NULL && i < g_list_model_get_n_items(model) && texts->len < MOST_BESIDE; i++) {
    g_autoptr(LacRunItem) item = g_list_model_get_item(model, i);
    const LacRunHeadline *run = lac_run_item_get(item);
    if (!is_of_figure(self, run->path))
      add_beside(self, texts, g_strdup(run->name), (const char *const[]){run->path, NULL});
  }
  guint n = texts->len;
  g_ptr_array_add(texts, NULL);
  set_list(self->beside, (const char *const *) texts->pdata, n > 1 ? 1 : 0);
}

static void
set_fixed(LacFigureForm *self)
{
  static const char *const captions[] = {N_("Automatic"), N_("Custom"), N_("None")};
  static const char *const eyes[] = {N_("Normal"), N_("Deuteranopia"), N_("Protanopia"),
                                     N_("Tritanopia"), N_("Greyscale Print")};
  g_autoptr(GPtrArray)     kinds = g_ptr_array_new(), names = g_ptr_array_new(),
                       words = g_ptr_array_new(), seen = g_ptr_array_new();
  gsize             n;
  const LacJournal *journals = lac_journals(&n);

  for (LacFigureKind kind = 0; kind < LAC_N_FIGURES; kind++)
    g_ptr_array_add(kinds, (gpointer) g_dgettext(GETTEXT_PACKAGE, lac_figure_kind_title(kind)));
  for (gsize i = 0; i < n; i++)
    g_ptr_array_add(names, (gpointer) g_dgettext(GETTEXT_PACKAGE, journals[i].title));
  for (gsize i = 0; i < G_N_ELEMENTS(captions); i++)
    g_ptr_array_add(words, (gpointer) _(captions[i]));
  for (gsize i = 0; i < G_N_ELEMENTS(eyes); i++)
    g_ptr_array_add(seen, (gpointer) _(eyes[i]));
  GPtrArray   *lists[] = {kinds, names, words, seen};
  AdwComboRow *rows[] = {self->kind, self->journal, self->caption, self->vision};
  for (gsize i = 0; i < G_N_ELEMENTS(lists); i++) {
    g_ptr_array_add(lists[i], NULL);
    set_list(rows[i], (const char *const *) lists[i]->pdata, 0);
  }
}

/* ---- what is shown ---- */

static void
show_channels(LacFigureForm *self, LacRunFile *run, const char *key)
{
  g_autoptr(LacDerivedRun) derived = lac_derived_run_new(run);
  const LacRunFile        *whole = lac_derived_run_get(derived);
  g_autoptr(GPtrArray)     texts = g_ptr_array_new_with_free_func(g_free), keys = g_ptr_array_new();
  gssize                   chosen = key != NULL ? lac_run_file_find_channel(whole, key) : -1;

  lac_figure_rows_set_flow(self->rows, lac_figure_has_velocity(whole));
  if (self->channels == NULL) {
    for (gsize i = 0; i < whole->n_channels; i++) {
      const LacRunChannel *channel = &whole->channels[i];
      const char          *label = g_dgettext(GETTEXT_PACKAGE, channel->label);
      g_autofree char     *quantity =
        lac_format_quantity(channel->quantity != NULL ? channel->quantity : "");

      g_ptr_array_add(keys, g_strdup(channel->key));
      g_ptr_array_add(texts, *quantity != '\0' ? g_strdup_printf("%s · %s", quantity, label)
                                               : g_strdup(label));
    }
    g_ptr_array_add(keys, NULL);
    g_ptr_array_add(texts, NULL);
    set_list(self->channel, (const char *const *) texts->pdata, 0);
    self->channels = (GStrv) g_ptr_array_free(g_steal_pointer(&keys), FALSE);
  }
  if (chosen >= 0)
    adw_combo_row_set_selected(self->channel, (guint) chosen);
}

void
lac_figure_form_show(LacFigureForm *self, const LacFigureProof *proof)
{
  g_return_if_fail(LAC_IS_FIGURE_FORM(self) && proof != NULL);
  const LacFigureSpec *spec = lac_figure_get_spec(proof->figure);
  gint64 last = proof->run->n_frames > 0 ? proof->run->frame_step[proof->run->n_frames - 1] : 0;

  self->filling = TRUE;
  show_channels(self, proof->run, spec->channel);
  gtk_spin_button_set_range(self->step, 0, (double) last);
  if (spec->step >= 0 && !gtk_widget_has_focus(GTK_WIDGET(self->step)))
    gtk_spin_button_set_value(self->step,
                              (double) (self->spec.step < 0 ? spec->step : self->spec.step));
  if (self->spec.width_mm == 0)
    gtk_spin_button_set_value(self->width, spec->width_mm);
  if (self->spec.font_size == 0)
    gtk_spin_button_set_value(self->font, spec->font_size);
  if (self->spec.line_width == 0)
    gtk_spin_button_set_value(self->line, spec->line_width);
  if (self->spec.dpi == 0)
    gtk_spin_button_set_value(self->dpi, spec->dpi);
  self->filling = FALSE;
}

/* Shows the journal's sizes and the figure's overrides. */
static void
set_sizes(LacFigureForm *self)
{
  const LacFigureSpec *spec = &self->spec;
  const struct {
    GtkSpinButton *number;
    double         size;
  } sizes[] = {
    {self->width, spec->width_mm},
    {self->font, spec->font_size},
    {self->line, spec->line_width},
    {self->dpi, spec->dpi},
  };
  const LacJournal *journal = lac_journal_find(spec->journal);
  gsize             n;
  LacColumns        columns;

  if (journal != NULL)
    adw_combo_row_set_selected(self->journal, (guint) (journal - lac_journals(&n)));
  set_columns(self);
  lac_columns_find(spec->columns, &columns);
  if (get_journal(self)->width_mm[columns] > 0)
    adw_combo_row_set_selected(self->columns, columns);
  for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++)
    if (sizes[i].size > 0)
      gtk_spin_button_set_value(sizes[i].number, sizes[i].size);
}

void
lac_figure_form_begin(LacFigureForm       *self,
                      const char *const   *folders,
                      const LacFigureSpec *spec,
                      LacRunStore         *store)
{
  g_return_if_fail(LAC_IS_FIGURE_FORM(self) && folders != NULL && folders[0] != NULL &&
                   spec != NULL);
  self->filling = TRUE;
  g_strfreev(self->folders);
  self->folders = g_strdupv((GStrv) folders);
  g_clear_pointer(&self->channels, g_strfreev);
  lac_figure_spec_clear(&self->spec);
  lac_figure_spec_copy(spec, &self->spec);
  set_fixed(self);
  set_sizes(self);
  set_beside(self, store);
  adw_combo_row_set_selected(self->caption, spec->caption == NULL    ? CAPTION_MADE
                                            : *spec->caption != '\0' ? CAPTION_OWN
                                                                     : CAPTION_NONE);
  gtk_editable_set_text(GTK_EDITABLE(self->words), spec->caption != NULL ? spec->caption : "");
  adw_combo_row_set_selected(self->kind, spec->kind);
  gtk_switch_set_active(self->scale_bar, !spec->without_scale_bar);
  gtk_switch_set_active(self->transparent, spec->transparent);
  lac_figure_rows_show(self->rows, spec);
  gtk_switch_set_active(self->seconds, spec->against_seconds);
  self->filling = FALSE;
  update_rows(self);
}

static char *
dup_caption(LacFigureForm *self)
{
  switch ((Caption) adw_combo_row_get_selected(self->caption)) {
  case CAPTION_OWN: return g_strdup(gtk_editable_get_text(GTK_EDITABLE(self->words)));
  case CAPTION_NONE: return g_strdup("");
  case CAPTION_MADE: break;
  }
  return NULL;
}

void
lac_figure_form_fill(LacFigureForm *self, LacFigureOrder *order)
{
  g_return_if_fail(LAC_IS_FIGURE_FORM(self) && self->folders != NULL);
  g_autoptr(GStrvBuilder) folders = g_strv_builder_new();
  const LacFigureKind     kind = adw_combo_row_get_selected(self->kind);
  GStrv          others = g_ptr_array_index(self->others, adw_combo_row_get_selected(self->beside));
  LacFigureSpec *spec = &order->spec;

  memset(order, 0, sizeof *order);
  lac_figure_spec_copy(&self->spec, spec);
  g_strv_builder_add(folders, self->folders[0]);
  if (kind == LAC_FIGURE_CURVES || kind == LAC_FIGURE_COMPARISON)
    g_strv_builder_addv(folders, (const char **) others);
  order->folders = g_strv_builder_end(folders);
  spec->kind = kind;
  if (self->channels != NULL) {
    g_free(spec->channel);
    spec->channel = g_strdup(self->channels[adw_combo_row_get_selected(self->channel)]);
  }
  spec->against_seconds = gtk_switch_get_active(self->seconds);
  spec->without_scale_bar = !gtk_switch_get_active(self->scale_bar);
  spec->transparent = gtk_switch_get_active(self->transparent);
  g_free(spec->journal);
  g_free(spec->columns);
  g_free(spec->caption);
  spec->journal = g_strdup(get_journal(self)->key);
  spec->columns = g_strdup(lac_columns_word(adw_combo_row_get_selected(self->columns)));
  spec->caption = dup_caption(self);
  lac_figure_rows_fill(self->rows, spec);
  order->vision = (LacVision) adw_combo_row_get_selected(self->vision);
}

static void
lac_figure_form_dispose(GObject *object)
{
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_FIGURE_FORM);
  G_OBJECT_CLASS(lac_figure_form_parent_class)->dispose(object);
}

static void
lac_figure_form_finalize(GObject *object)
{
  LacFigureForm *self = LAC_FIGURE_FORM(object);
  g_strfreev(self->folders);
  g_strfreev(self->channels);
  g_ptr_array_unref(self->others);
  lac_figure_rows_free(self->rows);
  lac_figure_spec_clear(&self->spec);
  G_OBJECT_CLASS(lac_figure_form_parent_class)->finalize(object);
}

#define BIND(member) gtk_widget_class_bind_template_child(widget_class, LacFigureForm, member)

static void
lac_figure_form_class_init(LacFigureFormClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_figure_form_dispose;
  G_OBJECT_CLASS(class)->finalize = lac_figure_form_finalize;
  changed_signal = g_signal_new("changed", LAC_TYPE_FIGURE_FORM, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/output/figure-form.ui");
  BIND(content);
  BIND(look);
  BIND(kind);
  BIND(channel);
  BIND(beside);
  BIND(journal);
  BIND(columns);
  BIND(caption);
  BIND(vision);
  BIND(step);
  BIND(width);
  BIND(font);
  BIND(line);
  BIND(dpi);
  BIND(seconds);
  BIND(scale_bar);
  BIND(transparent);
  BIND(step_row);
  BIND(seconds_row);
  BIND(scale_bar_row);
  BIND(words);
  gtk_widget_class_bind_template_callback(widget_class, on_choice);
  gtk_widget_class_bind_template_callback(widget_class, on_words);
  gtk_widget_class_bind_template_callback(widget_class, on_size);
}

static void
lac_figure_form_init(LacFigureForm *self)
{
  self->filling = TRUE;
  self->others = g_ptr_array_new_with_free_func((GDestroyNotify) g_strfreev);
  gtk_widget_init_template(GTK_WIDGET(self));
  lac_number_spin_localise(self->width);
  lac_number_spin_localise(self->font);
  lac_number_spin_localise(self->line);
  self->rows = lac_figure_rows_new(self->look, on_look, self);
  self->filling = FALSE;
}
