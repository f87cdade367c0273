/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The methods. Ticking does not move a row; only its up button does. */
#include "app/setup/method-list.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "app/toolkit/style.h"
#include "app/toolkit/tip.h"

#include <glib/gi18n-lib.h>

#define FEW          3  /* methods that are never folded */
#define SWATCH_WIDTH 16 /* px */
#define SWATCH_HIGH  3

typedef struct {
  guint      choice;
  GtkWidget *row, *check, *swatch, *up, *time;
  gboolean   is_folded;
} Line;

struct _LacMethodList {
  AdwPreferencesGroup  parent_instance;
  const LacExperiment *experiment;
  const LacParam      *param;
  LacDraft            *draft;
  GArray              *lines; /* Line, in display order; chosen ones in the order of the draft */
  GtkWidget           *fold;  /* (nullable): expander of the less common methods */
  GtkWidget           *reset;
  char                *text, *error; /* (nullable) */
  gboolean             is_refreshing;
};

G_DEFINE_FINAL_TYPE(LacMethodList, lac_method_list, ADW_TYPE_PREFERENCES_GROUP)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static Line *
get_line(LacMethodList *self, guint i)
{
  return &g_array_index(self->lines, Line, i);
}

static const char *
title_of(LacMethodList *self, guint choice)
{
  return lac_param_get_title(self->param, choice);
}

static gboolean
is_chosen(LacMethodList *self, guint i)
{
  return gtk_check_button_get_active(GTK_CHECK_BUTTON(get_line(self, i)->check));
}

/* Returns: the rank among the chosen methods; -1: not chosen */
static int
rank_of(LacMethodList *self, guint i)
{
  int rank = -1;
  for (guint j = 0; j <= i; j++)
    rank += is_chosen(self, j);
  return is_chosen(self, i) ? rank : -1;
}

const LacParam *
lac_method_list_find_param(const LacParamTable *table)
{
  for (gsize i = 0; i < table->n_rows; i++)
    if (table->rows[i].kind == LAC_PARAM_LIST && table->rows[i].titles != NULL)
      return &table->rows[i];
  return NULL;
}

/* ---- swatches, in the colours of the curves ---- */

static void
draw_swatch(GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer list)
{
  LacMethodList    *self = list;
  const LacPalette *palette = lac_style_palette();
  LacColour         colour = palette->grid;
  for (guint i = 0; i < self->lines->len; i++) {
    int rank = get_line(self, i)->swatch == GTK_WIDGET(area) ? rank_of(self, i) : -1;
    if (rank >= 0)
      colour = palette->series[(guint) rank % G_N_ELEMENTS(palette->series)];
  }
  cairo_set_source_rgba(cr, (double) colour.red, (double) colour.green, (double) colour.blue, 1);
  cairo_rectangle(cr, 0, 0, width, height);
  cairo_fill(cr);
}

static void
show_order(LacMethodList *self)
{
  for (guint i = 0; i < self->lines->len; i++) {
    Line            *line = get_line(self, i);
    int              rank = rank_of(self, i);
    gboolean         can_move = rank > 0 && i > 0 && !line->is_folded;
    g_autofree char *words =
      rank >= 0 ? g_strdup_printf(_("Number %u"), (guint) rank + 1) : g_strdup(_("Off"));
    gtk_widget_set_sensitive(line->up, can_move);
    gtk_widget_set_opacity(line->up, can_move ? 1 : 0);
    gtk_widget_queue_draw(line->swatch);
    gtk_accessible_update_property(GTK_ACCESSIBLE(line->check), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                   words, -1);
  }
  gboolean is_default = self->error == NULL && lac_draft_is_default(self->draft, self->param);
  gtk_widget_set_opacity(self->reset, is_default ? 0 : 1);
  gtk_widget_set_sensitive(self->reset, !is_default);
  g_autofree char *escaped = self->error != NULL ? g_markup_escape_text(self->error, -1) : NULL;
  adw_preferences_group_set_description(ADW_PREFERENCES_GROUP(self), escaped);
}

/* ---- user input ---- */

static char *
dup_ticked(LacMethodList *self)
{
  GString *text = g_string_new(NULL);
  for (guint i = 0; i < self->lines->len; i++)
    if (is_chosen(self, i))
      g_string_append_printf(text, "%s%s", text->len > 0 ? "," : "",
                             self->param->choices[get_line(self, i)->choice]);
  return g_string_free(text, FALSE);
}

static void
take(LacMethodList *self, const char *text)
{
  g_autoptr(GError) error = NULL;
  char             *kept = g_strdup(text);
  g_clear_pointer(&self->error, g_free);
  g_free(self->text);
  self->text = kept;
  if (*kept == '\0')
    self->error = g_strdup(_("Choose at least one method."));
  else if (!lac_draft_set(self->draft, self->param->key, kept, &error))
    self->error = g_strdup(error->message);
}

static void
announce(LacMethodList *self)
{
  if (self->is_refreshing)
    return;
  g_autofree char *text = dup_ticked(self);
  take(self, text);
  show_order(self);
  g_signal_emit(self, signals[CHANGED], 0);
}

static void place_rows(LacMethodList *self);

static void
swap(LacMethodList *self, guint i, guint j)
{
  Line line = *get_line(self, i);
  *get_line(self, i) = *get_line(self, j);
  *get_line(self, j) = line;
}

static void
on_up(GtkButton *button, LacMethodList *self)
{
  for (guint i = 1; i < self->lines->len; i++) {
    if (get_line(self, i)->up != GTK_WIDGET(button))
      continue;
    guint before = i - 1; /* passes those that are off, whose order means nothing */
    while (before > 0 && !is_chosen(self, before))
      before--;
    swap(self, before, i);
    place_rows(self);
    announce(self);
    gtk_widget_grab_focus(get_line(self, before)->check);
    return;
  }
}

static void
on_reset(LacMethodList *self)
{
  g_autoptr(LacDraft) fresh = lac_draft_new(lac_draft_get_table(self->draft));
  g_autofree char    *text = lac_draft_dup_text(fresh, self->param);
  lac_method_list_enter(self, text);
}

/* ---- rows ---- */

static GtkWidget *
make_up(LacMethodList *self, guint choice)
{
  GtkWidget       *up = gtk_button_new_from_icon_name("go-up-symbolic");
  g_autofree char *name = g_strdup_printf(_("Move %s up"), title_of(self, choice));
  gtk_widget_add_css_class(up, "flat");
  gtk_widget_add_css_class(up, "small");
  gtk_widget_set_valign(up, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text(up, name);
  lac_accessible_name(up, name);
  g_signal_connect(up, "clicked", G_CALLBACK(on_up), self);
  return up;
}

static GtkWidget *
make_swatch(LacMethodList *self)
{
  GtkWidget *swatch = gtk_drawing_area_new();
  gtk_widget_set_size_request(swatch, SWATCH_WIDTH, SWATCH_HIGH);
  gtk_widget_set_valign(swatch, GTK_ALIGN_CENTER);
  gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(swatch), draw_swatch, self, NULL);
  lac_style_follow(swatch);
  return swatch;
}

static void
add_line(LacMethodList *self, guint choice)
{
  const char      *title = title_of(self, choice);
  g_autofree char *escaped = g_markup_escape_text(title, -1);
  Line             line = {.choice = choice,
                           .row = g_object_ref_sink(adw_action_row_new()),
                           .check = gtk_check_button_new(),
                           .swatch = make_swatch(self),
                           .up = make_up(self, choice),
                           .time = gtk_label_new("")};
  AdwActionRow    *row = ADW_ACTION_ROW(line.row);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), escaped);
  gtk_widget_set_valign(line.check, GTK_ALIGN_CENTER);
  lac_accessible_name(line.check, title);
  gtk_widget_add_css_class(line.time, "dim-label");
  gtk_widget_add_css_class(line.time, "numeric");
  lac_tip_set(line.row, g_dgettext(GETTEXT_PACKAGE, self->param->help));
  adw_action_row_add_prefix(row, line.swatch);
  adw_action_row_add_prefix(row, line.check); /* prefixes are prepended */
  adw_action_row_add_suffix(row, line.up);
  adw_action_row_add_suffix(row, line.time);
  adw_action_row_set_activatable_widget(row, line.check);
  g_signal_connect_swapped(line.check, "toggled", G_CALLBACK(announce), self);
  g_array_append_val(self->lines, line);
}

static void
add_reset(LacMethodList *self)
{
  self->reset = gtk_button_new_from_icon_name("edit-undo-symbolic");
  gtk_widget_add_css_class(self->reset, "flat");
  gtk_widget_add_css_class(self->reset, "small");
  gtk_widget_set_tooltip_text(self->reset, _("Reset to default"));
  lac_accessible_name(self->reset, _("Reset Methods"));
  g_signal_connect_swapped(self->reset, "clicked", G_CALLBACK(on_reset), self);
  adw_preferences_group_set_header_suffix(ADW_PREFERENCES_GROUP(self), self->reset);
}

/* Folds what is neither chosen nor a default, beyond the first few. */
static void
fold_lines(LacMethodList *self)
{
  g_autoptr(LacDraft) fresh = lac_draft_new(lac_draft_get_table(self->draft));
  const gint64        usual = (gint64) lac_draft_get_number(fresh, self->param);
  guint               n_open = 0, n_folded = 0;
  for (guint i = 0; i < self->lines->len; i++)
    n_open += is_chosen(self, i) || lac_list_has(usual, get_line(self, i)->choice);
  for (guint i = 0; i < self->lines->len; i++) {
    Line    *line = get_line(self, i);
    gboolean is_common = is_chosen(self, i) || lac_list_has(usual, line->choice);
    line->is_folded = !is_common && n_open >= FEW;
    n_open += !is_common && !line->is_folded;
    n_folded += line->is_folded;
  }
  for (guint i = 0; i < self->lines->len && n_folded == 1; i++)
    get_line(self, i)->is_folded = FALSE; /* folding one row saves no room */
}

static GtkWidget *
make_fold(LacMethodList *self)
{
  g_autoptr(GString) names = g_string_new(NULL);
  guint              n = 0;
  for (guint i = 0; i < self->lines->len; i++)
    if (get_line(self, i)->is_folded) {
      g_string_append_printf(names, "%s%s", n > 0 ? ", " : "",
                             title_of(self, get_line(self, i)->choice));
      n++;
    }
  if (n == 0)
    return NULL;
  GtkWidget       *fold = adw_expander_row_new();
  g_autofree char *escaped = g_markup_escape_text(names->str, -1);
  g_autofree char *words = g_strdup_printf(ngettext("%u more", "%u more", n), n);
  GtkWidget       *count = gtk_label_new(words);
  gtk_widget_add_css_class(count, "dim-label");
  gtk_widget_add_css_class(count, "numeric");
  gtk_widget_add_css_class(fold, "faint");
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(fold), escaped);
  lac_accessible_name(fold, _("More methods"));
  adw_expander_row_add_action(ADW_EXPANDER_ROW(fold), count);
  return fold;
}

static void
place_rows(LacMethodList *self)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP(self);
  for (guint i = 0; i < self->lines->len; i++) {
    GtkWidget *row = get_line(self, i)->row;
    if (gtk_widget_get_parent(row) == NULL)
      continue;
    if (self->fold != NULL && gtk_widget_is_ancestor(row, self->fold))
      adw_expander_row_remove(ADW_EXPANDER_ROW(self->fold), row);
    else
      adw_preferences_group_remove(group, row);
  }
  if (self->fold != NULL)
    adw_preferences_group_remove(group, self->fold);
  self->fold = make_fold(self);
  for (guint i = 0; i < self->lines->len; i++)
    if (!get_line(self, i)->is_folded)
      adw_preferences_group_add(group, get_line(self, i)->row);
    else
      adw_expander_row_add_row(ADW_EXPANDER_ROW(self->fold), get_line(self, i)->row);
  if (self->fold != NULL)
    adw_preferences_group_add(group, self->fold);
}

/* ---- times ---- */

static double
estimate(LacMethodList *self, LacDraft *draft, gint64 list, guint threads)
{
  LacEstimate result = {0};
  GString    *text = g_string_new(NULL);
  for (guint i = 0; lac_list_get(list, i) >= 0; i++)
    g_string_append_printf(text, "%s%s", i > 0 ? "," : "",
                           self->param->choices[lac_list_get(list, i)]);
  gboolean is_set = lac_draft_set(draft, self->param->key, text->str, NULL);
  g_string_free(text, TRUE);
  if (!is_set)
    return 0;
  self->experiment->estimate(self->experiment, lac_draft_get_values(draft), &result);
  return lac_estimate_seconds(&result, threads);
}

/* Shows the time of each method without what all of them share: the true field and the measurements. */
void
lac_method_list_show_times(LacMethodList *self, guint threads)
{
  g_return_if_fail(LAC_IS_METHOD_LIST(self));
  g_autoptr(LacDraft) draft = lac_draft_copy(self->draft);
  double              shared = 0;
  if (self->lines->len > 1) {
    gint64 first = lac_list_append(0, 0), second = lac_list_append(0, 1);
    shared = estimate(self, draft, first, threads) + estimate(self, draft, second, threads) -
             estimate(self, draft, lac_list_append(first, 1), threads);
  }
  for (guint i = 0; i < self->lines->len; i++) {
    Line            *line = get_line(self, i);
    double           alone = estimate(self, draft, lac_list_append(0, line->choice), threads);
    g_autofree char *text = lac_format_duration(MAX(alone - shared, 0));
    gtk_label_set_text(GTK_LABEL(line->time), text);
  }
}

/* ---- the object ---- */

static void
lac_method_list_dispose(GObject *object)
{
  LacMethodList *self = LAC_METHOD_LIST(object);
  for (guint i = 0; i < self->lines->len; i++) {
    g_signal_handlers_disconnect_by_data(get_line(self, i)->check, self);
    gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(get_line(self, i)->swatch), NULL, NULL, NULL);
    g_object_unref(get_line(self, i)->row);
  }
  g_array_set_size(self->lines, 0);
  g_clear_pointer(&self->text, g_free);
  g_clear_pointer(&self->error, g_free);
  G_OBJECT_CLASS(lac_method_list_parent_class)->dispose(object);
}

static void
lac_method_list_finalize(GObject *object)
{
  g_array_unref(LAC_METHOD_LIST(object)->lines);
  G_OBJECT_CLASS(lac_method_list_parent_class)->finalize(object);
}

static void
lac_method_list_class_init(LacMethodListClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_method_list_dispose;
  G_OBJECT_CLASS(class)->finalize = lac_method_list_finalize;
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_METHOD_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
}

static void
lac_method_list_init(LacMethodList *self)
{
  self->lines = g_array_new(FALSE, FALSE, sizeof(Line));
}

GtkWidget *
lac_method_list_new(const LacExperiment *experiment, LacDraft *draft)
{
  const LacParam *param = lac_method_list_find_param(lac_draft_get_table(draft));
  g_return_val_if_fail(param != NULL, NULL);
  LacMethodList   *self = g_object_new(LAC_TYPE_METHOD_LIST, NULL);
  g_autofree char *title = g_markup_escape_text(g_dgettext(GETTEXT_PACKAGE, param->label), -1);
  self->experiment = experiment;
  self->param = param;
  self->draft = draft;
  adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(self), title);
  add_reset(self);
  for (guint i = 0; param->choices[i] != NULL; i++)
    add_line(self, i);
  lac_method_list_refresh(self);
  return GTK_WIDGET(self);
}

const LacParam *
lac_method_list_get_param(LacMethodList *self)
{
  g_return_val_if_fail(LAC_IS_METHOD_LIST(self), NULL);
  return self->param;
}

/* Sorts the chosen lines in the order of @list; other lines stay. */
static void
sort_lines(LacMethodList *self, gint64 list)
{
  guint wanted = 0;
  for (guint i = 0; i < self->lines->len; i++) {
    if (!lac_list_has(list, get_line(self, i)->choice))
      continue;
    for (guint j = i; j < self->lines->len; j++)
      if ((int) get_line(self, j)->choice == lac_list_get(list, wanted)) {
        swap(self, i, j);
        break;
      }
    wanted++;
  }
}

void
lac_method_list_refresh(LacMethodList *self)
{
  g_return_if_fail(LAC_IS_METHOD_LIST(self));
  gint64 list = (gint64) lac_draft_get_number(self->draft, self->param);
  self->is_refreshing = TRUE;
  for (guint i = 0; i < self->lines->len; i++)
    gtk_check_button_set_active(GTK_CHECK_BUTTON(get_line(self, i)->check),
                                lac_list_has(list, get_line(self, i)->choice));
  self->is_refreshing = FALSE;
  g_clear_pointer(&self->error, g_free);
  sort_lines(self, list);
  fold_lines(self);
  place_rows(self);
  show_order(self);
}

void
lac_method_list_set_read_only(LacMethodList *self, gboolean read_only)
{
  g_return_if_fail(LAC_IS_METHOD_LIST(self));
  for (guint i = 0; i < self->lines->len; i++)
    gtk_widget_set_sensitive(get_line(self, i)->row, !read_only);
  gtk_widget_set_visible(self->reset, !read_only);
}

void
lac_method_list_enter(LacMethodList *self, const char *text)
{
  g_return_if_fail(LAC_IS_METHOD_LIST(self) && text != NULL);
  take(self, text);
  if (self->error == NULL)
    lac_method_list_refresh(self);
  else
    show_order(self);
  g_signal_emit(self, signals[CHANGED], 0);
}

const char *
lac_method_list_get_text(LacMethodList *self)
{
  g_return_val_if_fail(LAC_IS_METHOD_LIST(self), NULL);
  return self->text != NULL ? self->text : "";
}

const char *
lac_method_list_get_error(LacMethodList *self)
{
  g_return_val_if_fail(LAC_IS_METHOD_LIST(self), NULL);
  return self->error;
}
