/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Details of the selected runs. */
#include "app/runs/details.h"

#include "app/runs/note-editor.h"
#include "app/runs/pictures.h"
#include "app/runs/result.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "app/toolkit/tip.h"
#include "experiment/experiment.h"
#include "report/text/words.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <string.h>

#define MOST_COLUMNS 3 /* value columns; for more runs only their number is shown */
#define MOST_RESULTS 5

struct _LacRunDetails {
  GtkWidget        parent_instance;
  GtkWidget       *content, *one, *notes, *card, *compare;
  GtkGrid         *actions;
  GtkWidget       *open, *resume, *again, *copy;
  GtkPicture      *picture;
  GtkLabel        *title, *outcome, *results, *hint, *differing;
  GtkToggleButton *pin;
  GtkEntry        *tags;
  GtkTextView     *note;
  GtkGrid         *table;
  LacRunItem      *item; /* the item whose tags and note are shown */
  gboolean         filling;
};

G_DEFINE_FINAL_TYPE(LacRunDetails, lac_run_details, GTK_TYPE_WIDGET)

/* ---- tags ---- */

static void
save_tags(LacRunDetails *self)
{
  const char *text = gtk_editable_get_text(GTK_EDITABLE(self->tags));
  if (self->item == NULL || self->filling)
    return;
  g_autofree char *before = g_strjoinv(", ", lac_run_item_get(self->item)->tags);
  if (!g_str_equal(before, text))
    gtk_widget_activate_action(GTK_WIDGET(self), "win.runs-tag", "(ss)",
                               lac_run_item_get(self->item)->path, text);
}

static void
on_tags_left(GtkEventControllerFocus *focus, LacRunDetails *self)
{
  save_tags(self);
}

static void
on_pin(GtkToggleButton *button, LacRunDetails *self)
{
  if (!self->filling && self->item != NULL)
    gtk_widget_activate_action(GTK_WIDGET(self), "win.runs-pin", NULL);
}

/* Saves the edits of the item left behind. */
static void
leave(LacRunDetails *self)
{
  if (self->item == NULL)
    return;
  save_tags(self);
  g_signal_handlers_disconnect_by_data(self->item, self);
  g_clear_object(&self->item);
}

/* ---- the table of settings ---- */

static GtkLabel *
add_cell(LacRunDetails *self, int column, int row, const char *text, const char *class)
{
  GtkWidget *cell = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(cell), 0);
  gtk_label_set_ellipsize(GTK_LABEL(cell), PANGO_ELLIPSIZE_END);
  lac_tip_set(cell, text);
  gtk_widget_set_hexpand(cell, column == 0);
  if (class != NULL)
    gtk_widget_add_css_class(cell, class);
  if (column > 0) {
    gtk_label_set_max_width_chars(GTK_LABEL(cell), 12);
    gtk_label_set_selectable(GTK_LABEL(cell), TRUE);
  }
  gtk_grid_attach(self->table, cell, column, row, 1, 1);
  return GTK_LABEL(cell);
}

static void
clear_table(LacRunDetails *self)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->table))) != NULL)
    gtk_grid_remove(self->table, child);
}

/* For one run: its non-default settings. */
static int
fill_changes(LacRunDetails *self, const LacRunHeadline *run)
{
  g_auto(GStrv) changes = g_strsplit(run->changed, "\n", -1);
  int           row = 0;
  for (char **change = changes; *change != NULL; change++) {
    char *equals = strchr(*change, '=');
    if (equals == NULL)
      continue;
    g_autofree char *key = g_strndup(*change, (gsize) (equals - *change));
    g_autofree char *label = lac_result_dup_setting_label(run, key);
    add_cell(self, 0, row, label, "dim-label");
    g_autofree char *value = lac_run_item_dup_value(run, key, equals + 1);
    GtkLabel        *cell = add_cell(self, 1, row++, value, NULL);
    gtk_label_set_max_width_chars(cell, 18);
    gtk_label_set_xalign(cell, 1);
  }
  return row;
}

static int
fill_differences(LacRunDetails *self, GPtrArray *items)
{
  g_autoptr(GPtrArray) runs = g_ptr_array_new();
  for (guint i = 0; i < items->len; i++)
    g_ptr_array_add(runs, (gpointer) lac_run_item_get(items->pdata[i]));
  g_auto(GStrv) keys = lac_run_headlines_differing(runs);
  int           row = 0;
  for (char **key = keys; *key != NULL; key++, row++) {
    g_autofree char *label = lac_result_dup_setting_label(runs->pdata[0], *key);
    add_cell(self, 0, row, label, "dim-label");
    for (guint i = 0; i < MIN(runs->len, MOST_COLUMNS); i++) {
      const LacRunHeadline *run = runs->pdata[i];
      g_autofree char      *text = lac_run_headline_dup_setting(run, *key);
      g_autofree char      *shown =
        text != NULL ? lac_experiment_dup_shown(run->experiment, *key, text) : g_strdup("–");
      add_cell(self, 1 + (int) i, row, shown, NULL);
    }
  }
  return row;
}

/* ---- one run ---- */

/* Puts the actions into two columns: Resume only for a run that was cut short. */
static void
place_actions(LacRunDetails *self, const LacRunHeadline *run)
{
  gboolean is_cut_short =
    g_str_equal(run->outcome, "stopped") || g_str_equal(run->outcome, "interrupted");
  GtkWidget *shown[] = {self->open, is_cut_short ? self->resume : self->again,
                        is_cut_short ? self->again : self->copy, is_cut_short ? self->copy : NULL};
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->actions))) != NULL)
    gtk_grid_remove(self->actions, child);
  for (int i = 0; i < (int) G_N_ELEMENTS(shown) && shown[i] != NULL; i++) {
    gboolean is_alone = i == 2 && shown[3] == NULL;
    gtk_grid_attach(self->actions, shown[i], i % 2, i / 2, is_alone ? 2 : 1, 1);
  }
}

/* Returns the results of the run itself; if only its methods have results, those of the first. */
static char *
dup_results(const LacRunHeadline *run)
{
  GString *text = g_string_new(NULL);
  gsize    n = 0;
  while (n < run->n_metrics && n < MOST_RESULTS && strchr(run->metrics[n].key, '.') == NULL)
    n++;
  n = n > 0 ? n : MIN(run->n_metrics, MOST_RESULTS);
  for (gsize i = 0; i < n; i++) {
    g_autofree char *value =
      lac_result_dup_text(run->metrics[i].key, run->metrics[i].unit, run->metrics[i].value);
    g_auto(GStrv)    parts = g_strsplit(value, " ", -1);
    g_autofree char *whole = g_strjoinv("\302\240", parts); /* stays on one line with its unit */
    g_autofree char *label = lac_word_dup_short(run->metrics[i].label);
    g_string_append_printf(text, "%s%s  %s", i > 0 ? "\n" : "", label, whole);
  }
  return g_string_free(text, FALSE);
}

/* Updates the tags, unless they are being edited. */
static void
fill_tags(LacRunDetails *self)
{
  const LacRunHeadline *run = lac_run_item_get(self->item);
  GtkWidget            *root = GTK_WIDGET(gtk_widget_get_root(GTK_WIDGET(self)));
  GtkWidget            *focus = root != NULL ? gtk_root_get_focus(GTK_ROOT(root)) : NULL;
  g_autofree char      *tags = g_strjoinv(", ", run->tags);
  self->filling = TRUE;
  if (focus == NULL || !gtk_widget_is_ancestor(focus, GTK_WIDGET(self->tags)))
    gtk_editable_set_text(GTK_EDITABLE(self->tags), tags);
  self->filling = FALSE;
}

static void
show_item(LacRunDetails *self)
{
  const LacRunHeadline *run = lac_run_item_get(self->item);
  g_autofree char      *outcome = lac_run_item_dup_outcome(run);
  g_autofree char      *seconds = lac_format_duration(run->seconds);
  g_autofree char      *line =
    g_strdup_printf(_("%s after %" PRId64 " steps and %s · seed %" PRIu64 " · %s %s"), outcome,
                    run->steps, seconds, run->seed, run->backend, run->precision);
  g_autofree char *whole =
    *run->detail != '\0' ? g_strdup_printf("%s\n%s", line, run->detail) : g_strdup(line);
  g_autofree char *results = dup_results(run);
  GdkTexture      *picture = lac_run_item_get_picture(self->item);
  gtk_label_set_text(self->title, g_dgettext(GETTEXT_PACKAGE, run->title));
  gtk_label_set_text(self->outcome, whole);
  gtk_label_set_text(self->results, results);
  gtk_picture_set_paintable(self->picture, GDK_PAINTABLE(picture));
  gtk_widget_set_visible(GTK_WIDGET(self->picture), picture != NULL);
  self->filling = TRUE;
  gtk_toggle_button_set_active(self->pin, run->is_baseline);
  self->filling = FALSE;
  place_actions(self, run);
  fill_tags(self);
}

static void
describe_differences(LacRunDetails *self, GPtrArray *items, int n_rows)
{
  g_autofree char *heading = NULL;
  if (items->len == 1)
    heading = g_strdup(n_rows > 0 ? _("Differs from the default")
                                  : _("All settings are at their defaults"));
  else
    heading =
      g_strdup(n_rows > 0 ? _("Different settings") : _("These runs have identical settings"));
  if (items->len > MOST_COLUMNS && n_rows > 0) {
    g_free(heading);
    heading =
      g_strdup_printf(_("Settings that differ; the first %d of %u runs"), MOST_COLUMNS, items->len);
  }
  gtk_label_set_text(self->differing, heading);
}

void
lac_run_details_set_items(LacRunDetails *self, GPtrArray *items)
{
  g_return_if_fail(LAC_IS_RUN_DETAILS(self));
  LacRunItem *item = items->len == 1 ? items->pdata[0] : NULL;
  if (item == NULL || item != self->item) {
    leave(self);
    g_set_object(&self->item, item);
    lac_note_editor_set_item(self->note, item);
    if (item != NULL) {
      g_signal_connect_object(item, "updated", G_CALLBACK(show_item), self, G_CONNECT_SWAPPED);
      lac_run_pictures_request(item);
    }
  }
  gtk_widget_set_visible(self->one, items->len == 1);
  gtk_widget_set_visible(self->notes, items->len == 1);
  gtk_widget_set_visible(self->compare, items->len > 1);
  gtk_widget_set_visible(GTK_WIDGET(self->hint), items->len == 0);
  gtk_widget_set_visible(GTK_WIDGET(self->differing), items->len > 0);
  clear_table(self);
  gtk_widget_set_visible(self->card, FALSE);
  if (item != NULL)
    show_item(self);
  if (items->len == 0)
    return;
  int n_rows =
    items->len == 1 ? fill_changes(self, lac_run_item_get(item)) : fill_differences(self, items);
  gtk_widget_set_visible(self->card, n_rows > 0);
  describe_differences(self, items, n_rows);
}

static void
lac_run_details_dispose(GObject *object)
{
  LacRunDetails *self = LAC_RUN_DETAILS(object);
  if (self->item != NULL)
    g_signal_handlers_disconnect_by_data(self->item, self);
  g_clear_object(&self->item);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_RUN_DETAILS);
  G_OBJECT_CLASS(lac_run_details_parent_class)->dispose(object);
}

static void
lac_run_details_class_init(LacRunDetailsClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_run_details_dispose;
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/runs/details.ui");
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, content);
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, one);
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, notes);
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, card);
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, compare);
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, actions);
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, open);
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, resume);
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, again);
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, copy);
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, picture);
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, title);
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, outcome);
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, results);
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, hint);
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, differing);
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, pin);
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, tags);
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, note);
  gtk_widget_class_bind_template_child(widget_class, LacRunDetails, table);
  gtk_widget_class_bind_template_callback(widget_class, save_tags);
  gtk_widget_class_bind_template_callback(widget_class, on_tags_left);
  gtk_widget_class_bind_template_callback(widget_class, on_pin);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
lac_run_details_init(LacRunDetails *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  lac_note_editor_attach(self->note);
  lac_accessible_name(self->tags, _("Tags"));
  lac_accessible_name(self->picture, _("Fields of the last frame"));
}
