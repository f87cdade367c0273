/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of a folder: a group of the list of runs, or a sweep with its results and its answer. */
#include "app/runs/columns.h"
#include "app/runs/folder-page-private.h"
#include "app/runs/group-menu.h"
#include "app/runs/side-fold.h"
#include "app/session/run-group-item.h"
#include "app/toolkit/answer-label.h"
#include "app/toolkit/format.h"
#include "run/library/group.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define MOST_EXAMINED 200 /* runs from which the setting with a column is found */

/* Returns the length of the part of a recorded sweep that identifies it. */
static gsize
identity_length(const char *sweep)
{
  return strcspn(sweep, " ");
}

/* Finds the runs of the folder anew. */
static void
find_members(LacFolderPage *self)
{
  LacRunSettings settings = {0};
  g_clear_pointer(&self->identity, g_free);
  if (self->series != NULL) {
    g_autoptr(LacDraft) draft = lac_sweep_series_make(self->series, 0, &settings);
    if (settings.sweep != NULL)
      self->identity = g_strndup(settings.sweep, identity_length(settings.sweep));
  }
  gtk_filter_changed(GTK_FILTER(self->is_part), GTK_FILTER_CHANGE_DIFFERENT);
}

/* Returns TRUE if all runs of the folder were recorded as parts of one sweep. */
static gboolean
is_one_sweep(LacFolderPage *self)
{
  GListModel           *runs = G_LIST_MODEL(self->parts);
  g_autoptr(LacRunItem) first = g_list_model_get_item(runs, 0);
  const char           *sweep = first != NULL ? lac_run_item_get(first)->sweep : "";
  gsize                 n = identity_length(sweep);
  for (guint i = 1; i < g_list_model_get_n_items(runs) && n > 0; i++) {
    g_autoptr(LacRunItem) item = g_list_model_get_item(runs, i);
    const char           *other = lac_run_item_get(item)->sweep;
    if (identity_length(other) != n || strncmp(other, sweep, n) != 0)
      return FALSE;
  }
  return n > 0;
}

/* Returns TRUE for the runs of the folder. */
gboolean
lac_folder_page_is_part(gpointer item, gpointer user_data)
{
  LacFolderPage        *self = user_data;
  const LacRunHeadline *run = lac_run_item_get(item);
  if (self->series != NULL)
    return self->identity != NULL && identity_length(run->sweep) == strlen(self->identity) &&
           g_str_has_prefix(run->sweep, self->identity);
  if (self->folder == NULL)
    return TRUE;
  g_auto(GStrv) names = lac_run_dup_group_names(run, self->folder);
  return g_strv_contains((const char *const *) names, self->name);
}

/* Examines runs evenly spread over the list. */
static void
find_setting(LacFolderPage *self)
{
  guint                n = g_list_model_get_n_items(G_LIST_MODEL(self->parts));
  guint                stride = 1 + n / MOST_EXAMINED;
  g_autoptr(GPtrArray) runs = g_ptr_array_new();
  for (guint i = 0; i < n; i += stride) {
    g_autoptr(LacRunItem) item = g_list_model_get_item(G_LIST_MODEL(self->parts), i);
    g_ptr_array_add(runs, (gpointer) lac_run_item_get(item));
  }
  lac_run_columns_find_setting(self->list, runs);
}

/* Shows the sentence about the result that the chart shows. */
static void
show_answer(LacFolderPage *self)
{
  const char      *metric = self->results != NULL ? lac_sweep_view_get_metric(self->sweep) : NULL;
  g_autofree char *answer =
    metric != NULL ? lac_sweep_runs_dup_answer(self->results, metric) : NULL;
  lac_answer_label_set(self->answer, answer);
}

/* Makes the results of the sweep anew. */
void
lac_folder_page_show_results(LacFolderPage *self)
{
  gboolean wanted = self->series != NULL || (self->folder != NULL && is_one_sweep(self));
  g_clear_pointer(&self->results, lac_sweep_runs_unref);
  if (wanted)
    self->results = lac_sweep_runs_new(G_LIST_MODEL(self->parts), NULL, self->series);
  lac_sweep_view_show(self->sweep, self->results, self->series);
  lac_sweep_table_show(self->table, self->results, lac_sweep_view_get_metric(self->sweep));
  lac_sweep_chart_choose(lac_sweep_view_get_chart(self->sweep),
                         lac_sweep_table_get_chosen(self->table));
  gtk_widget_set_visible(GTK_WIDGET(self->sweep), self->results != NULL);
  gtk_widget_set_visible(GTK_WIDGET(self->heading), self->results != NULL);
  gtk_widget_set_hexpand(GTK_WIDGET(self->search), self->results == NULL);
  gtk_widget_set_visible(GTK_WIDGET(self->group), self->results == NULL && self->folder == NULL);
  find_setting(self);
  show_answer(self);
  lac_folder_page_show_state(self);
}

void
lac_folder_page_show_columns(LacFolderPage *self)
{
  GtkWidget *button =
    self->results != NULL ? lac_sweep_table_make_columns_button(self->table) : self->list_columns;
  gtk_menu_button_set_label(GTK_MENU_BUTTON(button), _("Columns"));
  gtk_menu_button_set_direction(GTK_MENU_BUTTON(button), GTK_ARROW_DOWN);
  gtk_widget_remove_css_class(button, "flat");
  adw_bin_set_child(self->columns, button);
}

/* Selects the best run of a sweep that has just been opened, so that commands on a run apply to it. */
static void
choose_best(LacFolderPage *self)
{
  const char *metric = lac_sweep_view_get_metric(self->sweep);
  gssize      best = metric != NULL ? lac_sweep_runs_find_best_point(self->results, metric) : -1;
  if (best >= 0 && lac_sweep_table_get_chosen(self->table) < 0)
    lac_sweep_table_choose(self->table, (guint) best);
}

void
lac_folder_page_show_folder(LacFolderPage *self)
{
  gboolean was_sweep = self->results != NULL;
  find_members(self);
  lac_run_tree_set_grouping(self->tree, self->folder == NULL ? self->key : "none");
  lac_group_menu_show(self->group, G_LIST_MODEL(self->parts), self->key);
  lac_sweep_table_show(self->table, NULL, NULL);
  lac_folder_page_show_results(self);
  if ((self->results != NULL) != was_sweep) /* a chart needs the width */
    lac_side_fold_show(self->flap, was_sweep);
  lac_folder_page_show_columns(self);
  if (self->results != NULL)
    choose_best(self);
  lac_folder_page_show_selection(self);
  g_signal_emit_by_name(self, "folder-changed");
}

static gboolean
on_refresh(gpointer page)
{
  LacFolderPage *self = page;
  self->refresh = 0;
  lac_run_tree_refresh(self->tree);
  if (self->folder != NULL || self->series != NULL)
    find_members(self);
  lac_folder_page_show_results(self);
  lac_folder_page_show_selection(self);
  g_signal_emit_by_name(self, "folder-changed");
  return G_SOURCE_REMOVE;
}

/* Once for many changes of runs. */
void
lac_folder_page_refresh(LacFolderPage *self)
{
  if (self->refresh == 0)
    self->refresh = g_idle_add_full(G_PRIORITY_HIGH_IDLE, on_refresh, self, NULL);
}

/* @key, @name: (nullable) */
static void
set_folder(LacFolderPage *self, const char *key, const char *name, LacSweepSeries *series)
{
  char *kept[] = {g_strdup(key), g_strdup(name)};
  g_free(self->folder);
  g_free(self->name);
  self->folder = kept[0];
  self->name = kept[1];
  if (self->series != NULL)
    g_signal_handlers_disconnect_by_data(self->series, self);
  g_set_object(&self->series, series);
  if (series != NULL)
    g_signal_connect_object(series, "changed", G_CALLBACK(lac_folder_page_show_results), self,
                            G_CONNECT_SWAPPED);
  lac_folder_page_show_folder(self);
}

void
lac_folder_page_set_folder(LacFolderPage *self, const char *key, const char *name)
{
  g_return_if_fail(LAC_IS_FOLDER_PAGE(self) && key != NULL && name != NULL);
  gboolean is_group = lac_run_grouping_find(key) != LAC_GROUP_NONE;
  set_folder(self, is_group ? key : NULL, is_group ? name : NULL, NULL);
}

void
lac_folder_page_set_series(LacFolderPage *self, LacSweepSeries *series)
{
  g_return_if_fail(LAC_IS_FOLDER_PAGE(self) && LAC_IS_SWEEP_SERIES(series));
  set_folder(self, NULL, NULL, series);
}

/* Returns: (transfer full): title of the group shown, which describes any of its runs. */
static char *
dup_group_title(LacFolderPage *self)
{
  g_autoptr(LacRunGroupItem) group = lac_run_group_item_new(self->folder, self->name);
  g_autoptr(GPtrArray)       items = g_ptr_array_new_with_free_func(g_object_unref);
  if (g_list_model_get_n_items(G_LIST_MODEL(self->parts)) == 0)
    return g_strdup(self->name);
  g_ptr_array_add(items, g_list_model_get_item(G_LIST_MODEL(self->parts), 0));
  lac_run_group_item_set(group, items);
  return g_strdup(lac_run_group_item_get_title(group));
}

char *
lac_folder_page_dup_title(LacFolderPage *self)
{
  g_return_val_if_fail(LAC_IS_FOLDER_PAGE(self), NULL);
  if (self->results != NULL)
    return g_strjoinv(", ", self->results->labels);
  return self->folder != NULL ? dup_group_title(self) : g_strdup(_("All runs"));
}

char *
lac_folder_page_dup_caption(LacFolderPage *self)
{
  g_return_val_if_fail(LAC_IS_FOLDER_PAGE(self), NULL);
  guint            n = self->results != NULL ? self->results->points->len
                                             : g_list_model_get_n_items(G_LIST_MODEL(self->parts));
  g_autofree char *count = lac_format_count(n);
  g_autofree char *runs = g_strdup_printf(ngettext("%s run", "%s runs", n), count);
  return self->results != NULL ? g_strdup_printf(_("sweep of %s · %s"), self->results->title, runs)
                               : g_steal_pointer(&runs);
}

LacSweepView *
lac_folder_page_get_sweep(LacFolderPage *self)
{
  g_return_val_if_fail(LAC_IS_FOLDER_PAGE(self), NULL);
  return self->results != NULL ? self->sweep : NULL;
}

const LacSweepRuns *
lac_folder_page_get_results(LacFolderPage *self)
{
  g_return_val_if_fail(LAC_IS_FOLDER_PAGE(self), NULL);
  return self->results;
}

void
lac_folder_page_show_look(LacFolderPage *self)
{
  lac_sweep_table_show(self->table, self->results, lac_sweep_view_get_metric(self->sweep));
  show_answer(self);
}
