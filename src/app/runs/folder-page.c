/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a folder. Runs pass a filter; then they are the rows of a tree (groups, order), or the points of a sweep. */
#include "app/runs/folder-page.h"

#include "app/runs/columns.h"
#include "app/runs/details.h"
#include "app/runs/folder-bar.h"
#include "app/runs/group-menu.h"
#include "app/runs/result.h"
#include "app/runs/side-fold.h"
#include "app/runs/sweep-table.h"
#include "app/session/run-group-item.h"
#include "app/session/run-tree.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/answer-label.h"
#include "app/toolkit/format.h"
#include "app/toolkit/style.h"
#include "run/library/filter.h"
#include "run/library/group.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include <string.h>

struct _LacFolderPage {
  GtkWidget           parent_instance;
  AdwFlap            *flap;
  GtkBox             *head;
  GtkLabel           *answer, *heading, *problem;
  GtkStack           *stack;
  GtkSearchEntry     *search;
  GtkMenuButton      *group;
  AdwBin             *columns;
  AdwStatusPage      *unreadable;
  LacSweepView       *sweep;
  LacColumnTable     *list;
  LacSweepTable      *table;
  LacRunDetails      *details;
  LacBottomBar       *bar;
  GtkWidget          *list_columns; /* menu of the columns of @list */
  LacRunStore        *store;
  char               *folder, *name; /* grouping and name of the group; NULL: all runs */
  LacSweepSeries     *series;        /* (nullable): the sweep of this window, shown */
  LacSweepRuns       *results;       /* (nullable): NULL unless a sweep is shown */
  char               *key;           /* grouping of all runs */
  char               *identity;      /* (nullable): of the sweep of @series */
  LacRunFilter       *filter;
  GtkCustomFilter    *matches, *is_part;
  GtkFilterListModel *parts, *filtered; /* runs of the folder; those that match the search */
  LacRunTree         *tree;
  GtkSelectionModel  *selection; /* of the list */
  guint               refresh;   /* idle source */
};

G_DEFINE_FINAL_TYPE(LacFolderPage, lac_folder_page, GTK_TYPE_WIDGET)

enum { SELECTION_CHANGED, FOLDER_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static gboolean
is_sweep(LacFolderPage *self)
{
  return self->results != NULL;
}

/* ---- rows ---- */

static void
show_bar(LacFolderPage *self)
{
  g_autoptr(GPtrArray) chosen = lac_folder_page_get_selection(self);
  const char          *path = self->store != NULL ? lac_run_store_get_folder(self->store) : NULL;
  if (is_sweep(self))
    lac_folder_bar_show_sweep(self->bar, self->results);
  else
    lac_folder_bar_show_runs(self->bar, path, G_LIST_MODEL(self->parts),
                             lac_folder_page_get_n_shown(self), chosen);
}

/* Returns the page of the stack that is shown. */
static const char *
find_state(LacFolderPage *self, const char *problem)
{
  guint n_all =
    self->store == NULL ? 0 : g_list_model_get_n_items(lac_run_store_get_model(self->store));
  gboolean is_searching = *gtk_editable_get_text(GTK_EDITABLE(self->search)) != '\0';
  if (is_sweep(self))
    return is_searching && lac_sweep_table_get_n_shown(self->table) == 0 ? "nothing" : "sweep";
  if (n_all == 0 && problem != NULL)
    return "unreadable";
  if (n_all == 0)
    return self->store == NULL || lac_run_store_is_reading(self->store) ? "reading" : "empty";
  return lac_folder_page_get_n_shown(self) == 0 ? "nothing" : "list";
}

static void
show_state(LacFolderPage *self)
{
  const char *problem = self->store != NULL ? lac_run_store_get_problem(self->store) : NULL;
  if (problem != NULL) {
    g_autofree char *escaped = g_markup_escape_text(problem, -1);
    adw_status_page_set_description(self->unreadable, escaped);
  }
  gtk_stack_set_visible_child_name(self->stack, find_state(self, problem));
  show_bar(self);
}

static gboolean
matches(gpointer item, gpointer user_data)
{
  LacFolderPage *self = user_data;
  return self->filter == NULL || lac_run_filter_matches(self->filter, lac_run_item_get(item));
}

static void
on_search(LacFolderPage *self)
{
  const char *text = gtk_editable_get_text(GTK_EDITABLE(self->search));
  lac_run_filter_free(self->filter);
  self->filter = lac_run_filter_new(text);
  const char *problem = lac_run_filter_get_problem(self->filter);
  gtk_label_set_text(self->problem, problem != NULL ? problem : "");
  gtk_widget_set_visible(GTK_WIDGET(self->problem), problem != NULL);
  gtk_filter_changed(GTK_FILTER(self->matches), GTK_FILTER_CHANGE_DIFFERENT);
  lac_sweep_table_filter(self->table, text);
  show_state(self);
  g_signal_emit(self, signals[SELECTION_CHANGED], 0); /* folded-away runs change no row */
}

static void
on_stop_search(LacFolderPage *self)
{
  gtk_editable_set_text(GTK_EDITABLE(self->search), "");
}

/* ---- the folder ---- */

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
static gboolean
is_part(gpointer item, gpointer user_data)
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

static void
find_setting(LacFolderPage *self)
{
  guint                n = g_list_model_get_n_items(G_LIST_MODEL(self->parts));
  g_autoptr(GPtrArray) runs = g_ptr_array_sized_new(n);
  for (guint i = 0; i < n; i++) {
    g_autoptr(LacRunItem) item = g_list_model_get_item(G_LIST_MODEL(self->parts), i);
    g_ptr_array_add(runs, (gpointer) lac_run_item_get(item));
  }
  lac_run_columns_find_setting(self->list, runs);
}

/* Shows the sentence about the result that the chart shows. */
static void
show_answer(LacFolderPage *self)
{
  const char      *metric = is_sweep(self) ? lac_sweep_view_get_metric(self->sweep) : NULL;
  g_autofree char *answer =
    metric != NULL ? lac_sweep_runs_dup_answer(self->results, metric) : NULL;
  lac_answer_label_set(self->answer, answer);
}

/* Makes the results of the sweep anew. */
static void
show_results(LacFolderPage *self)
{
  gboolean wanted = self->series != NULL || (self->folder != NULL && is_one_sweep(self));
  g_clear_pointer(&self->results, lac_sweep_runs_unref);
  if (wanted)
    self->results = lac_sweep_runs_new(G_LIST_MODEL(self->parts), NULL, self->series);
  lac_sweep_view_show(self->sweep, self->results, self->series);
  lac_sweep_table_show(self->table, self->results, lac_sweep_view_get_metric(self->sweep));
  lac_sweep_chart_choose(lac_sweep_view_get_chart(self->sweep),
                         lac_sweep_table_get_chosen(self->table));
  gtk_widget_set_visible(GTK_WIDGET(self->sweep), is_sweep(self));
  gtk_widget_set_visible(GTK_WIDGET(self->heading), is_sweep(self));
  gtk_widget_set_hexpand(GTK_WIDGET(self->search), !is_sweep(self));
  gtk_widget_set_visible(GTK_WIDGET(self->group), !is_sweep(self) && self->folder == NULL);
  find_setting(self);
  show_answer(self);
  show_state(self);
}

static void
on_columns(LacFolderPage *self)
{
  GtkWidget *button =
    is_sweep(self) ? lac_sweep_table_make_columns_button(self->table) : self->list_columns;
  gtk_menu_button_set_label(GTK_MENU_BUTTON(button), _("Columns"));
  gtk_menu_button_set_direction(GTK_MENU_BUTTON(button), GTK_ARROW_DOWN);
  gtk_widget_remove_css_class(button, "flat");
  adw_bin_set_child(self->columns, button);
}

static void on_selection(LacFolderPage *self);

static void
show_folder(LacFolderPage *self)
{
  gboolean was_sweep = is_sweep(self);
  find_members(self);
  lac_run_tree_set_grouping(self->tree, self->folder == NULL ? self->key : "none");
  lac_group_menu_show(self->group, G_LIST_MODEL(self->parts), self->key);
  lac_sweep_table_show(self->table, NULL, NULL);
  show_results(self);
  if (is_sweep(self) != was_sweep) /* a chart needs the width */
    lac_side_fold_show(self->flap, was_sweep);
  on_columns(self);
  on_selection(self);
  g_signal_emit(self, signals[FOLDER_CHANGED], 0);
}

static gboolean
on_refresh(gpointer page)
{
  LacFolderPage *self = page;
  self->refresh = 0;
  lac_run_tree_refresh(self->tree);
  if (self->folder != NULL || self->series != NULL)
    find_members(self);
  show_results(self);
  on_selection(self);
  g_signal_emit(self, signals[FOLDER_CHANGED], 0);
  return G_SOURCE_REMOVE;
}

/* Once for many changes of runs. */
static void
refresh_soon(LacFolderPage *self)
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
    g_signal_connect_object(series, "changed", G_CALLBACK(show_results), self, G_CONNECT_SWAPPED);
  show_folder(self);
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
  if (is_sweep(self))
    return g_strjoinv(", ", self->results->labels);
  return self->folder != NULL ? dup_group_title(self) : g_strdup(_("All runs"));
}

char *
lac_folder_page_dup_caption(LacFolderPage *self)
{
  g_return_val_if_fail(LAC_IS_FOLDER_PAGE(self), NULL);
  guint            n = is_sweep(self) ? self->results->points->len
                                      : g_list_model_get_n_items(G_LIST_MODEL(self->parts));
  g_autofree char *count = lac_format_count(n);
  g_autofree char *runs = g_strdup_printf(ngettext("%s run", "%s runs", n), count);
  return is_sweep(self) ? g_strdup_printf(_("sweep of %s · %s"), self->results->title, runs)
                        : g_steal_pointer(&runs);
}

LacSweepView *
lac_folder_page_get_sweep(LacFolderPage *self)
{
  g_return_val_if_fail(LAC_IS_FOLDER_PAGE(self), NULL);
  return is_sweep(self) ? self->sweep : NULL;
}

const LacSweepRuns *
lac_folder_page_get_results(LacFolderPage *self)
{
  g_return_val_if_fail(LAC_IS_FOLDER_PAGE(self), NULL);
  return self->results;
}

/* ---- selection ---- */

GPtrArray *
lac_folder_page_get_selection(LacFolderPage *self)
{
  g_return_val_if_fail(LAC_IS_FOLDER_PAGE(self), NULL);
  if (is_sweep(self))
    return lac_sweep_table_get_selection(self->table);
  GPtrArray            *items = g_ptr_array_new_with_free_func(g_object_unref);
  g_autoptr(GHashTable) met = g_hash_table_new(NULL, NULL); /* a run may have two tags */
  g_autoptr(GtkBitset)  chosen = gtk_selection_model_get_selection(self->selection);
  guint64               n = gtk_bitset_get_size(chosen);
  for (guint i = 0; i < n; i++) {
    g_autoptr(GObject) item =
      g_list_model_get_item(G_LIST_MODEL(self->selection), gtk_bitset_get_nth(chosen, i));
    if (LAC_IS_RUN_ITEM(item) && g_hash_table_add(met, item))
      g_ptr_array_add(items, g_steal_pointer(&item));
  }
  return items;
}

static void
on_selection(LacFolderPage *self)
{
  g_autoptr(GPtrArray) items = lac_folder_page_get_selection(self);
  lac_run_details_set_items(self->details, items);
  if (is_sweep(self))
    lac_sweep_chart_choose(lac_sweep_view_get_chart(self->sweep),
                           lac_sweep_table_get_chosen(self->table));
  show_bar(self);
  g_signal_emit(self, signals[SELECTION_CHANGED], 0);
}

void
lac_folder_page_select(LacFolderPage *self, const char *const *names)
{
  g_return_if_fail(LAC_IS_FOLDER_PAGE(self));
  if (is_sweep(self)) {
    lac_sweep_table_select(self->table, names);
    return;
  }
  lac_run_tree_wait(self->tree);
  lac_run_tree_expand(self->tree, TRUE);
  guint                n = g_list_model_get_n_items(G_LIST_MODEL(self->selection));
  g_autoptr(GtkBitset) chosen = gtk_bitset_new_empty();
  g_autoptr(GtkBitset) all = gtk_bitset_new_range(0, n);
  for (guint i = 0; i < n; i++) {
    g_autoptr(GObject) item = g_list_model_get_item(G_LIST_MODEL(self->selection), i);
    if (LAC_IS_RUN_ITEM(item) && g_strv_contains(names, lac_run_item_get(LAC_RUN_ITEM(item))->name))
      gtk_bitset_add(chosen, i);
  }
  gtk_selection_model_set_selection(self->selection, chosen, all);
}

static void
open_run(LacFolderPage *self)
{
  gtk_widget_activate_action(GTK_WIDGET(self), "win.runs-open", NULL);
}

static void
on_activate(LacColumnTable *list, guint position, LacFolderPage *self)
{
  g_autoptr(GtkTreeListRow) row =
    gtk_tree_list_model_get_row(lac_run_tree_get_model(self->tree), position);
  if (gtk_tree_list_row_is_expandable(row)) {
    gtk_tree_list_row_set_expanded(row, !gtk_tree_list_row_get_expanded(row));
    return;
  }
  gtk_selection_model_select_item(self->selection, position, TRUE);
  open_run(self);
}

GStrv
lac_folder_page_dup_paths(LacFolderPage *self)
{
  g_return_val_if_fail(LAC_IS_FOLDER_PAGE(self), NULL);
  g_autoptr(GStrvBuilder) paths = g_strv_builder_new();
  g_autoptr(GPtrArray)    chosen = lac_folder_page_get_selection(self);
  for (guint i = 0; is_sweep(self) && i < self->results->points->len; i++) {
    const LacSweepPoint *point = lac_sweep_runs_get_point(self->results, i);
    if (point->item != NULL && point->outcome != NULL)
      g_strv_builder_add(paths, lac_run_item_get(point->item)->path);
  }
  for (guint i = 0; !is_sweep(self) && i < chosen->len; i++)
    g_strv_builder_add(paths, lac_run_item_get(chosen->pdata[i])->path);
  return g_strv_builder_end(paths);
}

/* ---- the table ---- */

void
lac_folder_page_set_store(LacFolderPage *self, LacRunStore *store)
{
  g_return_if_fail(LAC_IS_FOLDER_PAGE(self) && LAC_IS_RUN_STORE(store));
  g_set_object(&self->store, store);
  gtk_filter_list_model_set_model(self->parts, lac_run_store_get_model(store));
  g_signal_connect_object(store, "changed", G_CALLBACK(refresh_soon), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(store, "folder-changed", G_CALLBACK(show_state), self, G_CONNECT_SWAPPED);
  show_folder(self);
}

void
lac_folder_page_search(LacFolderPage *self, const char *text)
{
  g_return_if_fail(LAC_IS_FOLDER_PAGE(self));
  gtk_editable_set_text(GTK_EDITABLE(self->search), text);
  on_search(self);
}

void
lac_folder_page_focus_search(LacFolderPage *self)
{
  g_return_if_fail(LAC_IS_FOLDER_PAGE(self));
  gtk_widget_grab_focus(GTK_WIDGET(self->search));
}

guint
lac_folder_page_get_n_shown(LacFolderPage *self)
{
  g_return_val_if_fail(LAC_IS_FOLDER_PAGE(self), 0);
  return is_sweep(self) ? lac_sweep_table_get_n_shown(self->table)
                        : g_list_model_get_n_items(G_LIST_MODEL(self->filtered));
}

void
lac_folder_page_set_grouping(LacFolderPage *self, const char *key)
{
  g_return_if_fail(LAC_IS_FOLDER_PAGE(self) && key != NULL);
  char *copy = g_strdup(key);
  g_free(self->key);
  self->key = copy;
  if (self->folder == NULL)
    lac_run_tree_set_grouping(self->tree, key);
  lac_group_menu_show(self->group, G_LIST_MODEL(self->parts), key);
}

void
lac_folder_page_expand(LacFolderPage *self, gboolean is_expanded)
{
  g_return_if_fail(LAC_IS_FOLDER_PAGE(self));
  lac_run_tree_expand(self->tree, is_expanded);
}

GtkWidget *
lac_folder_page_get_bar(LacFolderPage *self)
{
  g_return_val_if_fail(LAC_IS_FOLDER_PAGE(self), NULL);
  return GTK_WIDGET(self->bar);
}

gboolean
lac_folder_page_get_details(LacFolderPage *self)
{
  g_return_val_if_fail(LAC_IS_FOLDER_PAGE(self), FALSE);
  return lac_side_fold_is_shown(self->flap);
}

void
lac_folder_page_show_details(LacFolderPage *self, gboolean is_shown)
{
  g_return_if_fail(LAC_IS_FOLDER_PAGE(self));
  lac_side_fold_show(self->flap, is_shown);
}

/* ---- the object ---- */

static void
lac_folder_page_dispose(GObject *object)
{
  LacFolderPage *self = LAC_FOLDER_PAGE(object);
  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data(self->selection, self);
  g_clear_handle_id(&self->refresh, g_source_remove);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_FOLDER_PAGE);
  if (self->filtered != NULL) { /* their functions use the page */
    gtk_filter_list_model_set_filter(self->filtered, NULL);
    gtk_filter_list_model_set_filter(self->parts, NULL);
  }
  g_clear_object(&self->tree);
  g_clear_object(&self->selection);
  g_clear_object(&self->filtered);
  g_clear_object(&self->parts);
  g_clear_object(&self->matches);
  g_clear_object(&self->is_part);
  g_clear_object(&self->list_columns);
  g_clear_object(&self->bar);
  g_clear_pointer(&self->folder, g_free);
  g_clear_pointer(&self->name, g_free);
  g_clear_object(&self->series);
  g_clear_object(&self->store);
  g_clear_pointer(&self->results, lac_sweep_runs_unref);
  g_clear_pointer(&self->filter, lac_run_filter_free);
  g_clear_pointer(&self->key, g_free);
  g_clear_pointer(&self->identity, g_free);
  G_OBJECT_CLASS(lac_folder_page_parent_class)->dispose(object);
}

static void
bind_children(GtkWidgetClass *class)
{
  gtk_widget_class_bind_template_child(class, LacFolderPage, flap);
  gtk_widget_class_bind_template_child(class, LacFolderPage, head);
  gtk_widget_class_bind_template_child(class, LacFolderPage, stack);
  gtk_widget_class_bind_template_child(class, LacFolderPage, heading);
  gtk_widget_class_bind_template_child(class, LacFolderPage, search);
  gtk_widget_class_bind_template_child(class, LacFolderPage, group);
  gtk_widget_class_bind_template_child(class, LacFolderPage, columns);
  gtk_widget_class_bind_template_child(class, LacFolderPage, problem);
  gtk_widget_class_bind_template_child(class, LacFolderPage, unreadable);
  gtk_widget_class_bind_template_child(class, LacFolderPage, sweep);
  gtk_widget_class_bind_template_child(class, LacFolderPage, list);
  gtk_widget_class_bind_template_child(class, LacFolderPage, table);
  gtk_widget_class_bind_template_child(class, LacFolderPage, details);
  gtk_widget_class_bind_template_callback(class, on_search);
  gtk_widget_class_bind_template_callback(class, on_stop_search);
  gtk_widget_class_bind_template_callback(class, on_activate);
}

static void
lac_folder_page_class_init(LacFolderPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_folder_page_dispose;
  g_type_ensure(LAC_TYPE_RUN_DETAILS);
  g_type_ensure(LAC_TYPE_COLUMN_TABLE);
  g_type_ensure(LAC_TYPE_SWEEP_TABLE);
  g_type_ensure(LAC_TYPE_SWEEP_VIEW);
  signals[SELECTION_CHANGED] = g_signal_new("selection-changed", LAC_TYPE_FOLDER_PAGE,
                                            G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[FOLDER_CHANGED] = g_signal_new("folder-changed", LAC_TYPE_FOLDER_PAGE, G_SIGNAL_RUN_LAST,
                                         0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/runs/folder-page.ui");
  bind_children(widget_class);
}

/* The unit of results has changed. */
static void
on_unit(GtkWidget *widget)
{
  LacFolderPage *self = LAC_FOLDER_PAGE(widget);
  guint          n = g_list_model_get_n_items(G_LIST_MODEL(self->filtered));
  for (guint i = 0; i < n; i++) {
    g_autoptr(LacRunItem) item = g_list_model_get_item(G_LIST_MODEL(self->filtered), i);
    lac_column_row_updated(LAC_COLUMN_ROW(item));
  }
  show_results(self);
  on_selection(self);
}

static void
on_look(LacFolderPage *self)
{
  lac_sweep_table_show(self->table, self->results, lac_sweep_view_get_metric(self->sweep));
  show_answer(self);
}

static void
make_list(LacFolderPage *self)
{
  GtkColumnView *view = lac_column_table_get_view(self->list);
  self->is_part = gtk_custom_filter_new(is_part, self, NULL);
  self->matches = gtk_custom_filter_new(matches, self, NULL);
  self->parts = gtk_filter_list_model_new(NULL, g_object_ref(GTK_FILTER(self->is_part)));
  self->filtered = gtk_filter_list_model_new(g_object_ref(G_LIST_MODEL(self->parts)),
                                             g_object_ref(GTK_FILTER(self->matches)));
  self->tree = lac_run_tree_new(G_LIST_MODEL(self->filtered), gtk_column_view_get_sorter(view));
  lac_run_columns_add(self->list);
  lac_column_table_set_rows(self->list, G_LIST_MODEL(lac_run_tree_get_model(self->tree)),
                            GTK_SELECTION_MULTIPLE);
  self->selection = g_object_ref(lac_column_table_get_selection(self->list));
  self->list_columns = g_object_ref_sink(lac_column_table_make_menu_button(self->list));
  g_signal_connect_swapped(self->selection, "selection-changed", G_CALLBACK(on_selection), self);
  g_signal_connect_swapped(self->selection, "items-changed", G_CALLBACK(on_selection), self);
  lac_group_menu_attach(self->group, G_LIST_MODEL(self->filtered));
  lac_group_keys_add(view);
  lac_accessible_name(view, _("Runs"));
  gtk_widget_add_css_class(GTK_WIDGET(view), "runs");
}

static void
lac_folder_page_init(LacFolderPage *self)
{
  self->key = g_strdup("none");
  gtk_widget_init_template(GTK_WIDGET(self));
  self->bar = g_object_ref_sink(LAC_BOTTOM_BAR(lac_folder_bar_new()));
  self->answer = GTK_LABEL(lac_answer_label_new());
  gtk_box_append(self->head, GTK_WIDGET(self->answer));
  lac_side_fold_attach(GTK_WIDGET(self), self->flap);
  make_list(self);
  g_signal_connect_object(self->table, "chosen", G_CALLBACK(on_selection), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->table, "activated", G_CALLBACK(open_run), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->table, "columns-changed", G_CALLBACK(on_columns), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->sweep, "look-changed", G_CALLBACK(on_look), self,
                          G_CONNECT_SWAPPED);
  lac_style_follow_units(GTK_WIDGET(self), on_unit);
  lac_accessible_name(self->search, _("Search runs"));
  show_folder(self);
}
