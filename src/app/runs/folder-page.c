/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a folder. Runs pass a filter; then they are the rows of a tree (groups, order), or the points of a sweep. */
#include "app/runs/columns.h"
#include "app/runs/folder-bar.h"
#include "app/runs/folder-page-private.h"
#include "app/runs/group-menu.h"
#include "app/runs/side-fold.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/answer-label.h"
#include "app/toolkit/style.h"

#include <glib/gi18n-lib.h>

G_DEFINE_FINAL_TYPE(LacFolderPage, lac_folder_page, GTK_TYPE_WIDGET)

enum { SELECTION_CHANGED, FOLDER_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- rows ---- */

static void
show_bar(LacFolderPage *self)
{
  g_autoptr(GPtrArray) chosen = lac_folder_page_get_selection(self);
  const char          *path = self->store != NULL ? lac_run_store_get_folder(self->store) : NULL;
  if (self->results != NULL)
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
  if (self->results != NULL)
    return is_searching && lac_sweep_table_get_n_shown(self->table) == 0 ? "nothing" : "sweep";
  if (n_all == 0 && problem != NULL)
    return "unreadable";
  if (n_all == 0)
    return self->store == NULL || lac_run_store_is_reading(self->store) ? "reading" : "empty";
  return lac_folder_page_get_n_shown(self) == 0 ? "nothing" : "list";
}

void
lac_folder_page_show_state(LacFolderPage *self)
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
  lac_folder_page_show_state(self);
  g_signal_emit(self, signals[SELECTION_CHANGED], 0); /* folded-away runs change no row */
}

static void
on_stop_search(LacFolderPage *self)
{
  gtk_editable_set_text(GTK_EDITABLE(self->search), "");
}

/* ---- selection ---- */

GPtrArray *
lac_folder_page_get_selection(LacFolderPage *self)
{
  g_return_val_if_fail(LAC_IS_FOLDER_PAGE(self), NULL);
  if (self->results != NULL)
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

void
lac_folder_page_show_selection(LacFolderPage *self)
{
  g_autoptr(GPtrArray) items = lac_folder_page_get_selection(self);
  lac_run_details_set_items(self->details, items);
  if (self->results != NULL)
    lac_sweep_chart_choose(lac_sweep_view_get_chart(self->sweep),
                           lac_sweep_table_get_chosen(self->table));
  show_bar(self);
  g_signal_emit(self, signals[SELECTION_CHANGED], 0);
}

void
lac_folder_page_select(LacFolderPage *self, const char *const *names)
{
  g_return_if_fail(LAC_IS_FOLDER_PAGE(self));
  if (self->results != NULL) {
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
  for (guint i = 0; self->results != NULL && i < self->results->points->len; i++) {
    const LacSweepPoint *point = lac_sweep_runs_get_point(self->results, i);
    if (point->item != NULL && point->outcome != NULL)
      g_strv_builder_add(paths, lac_run_item_get(point->item)->path);
  }
  for (guint i = 0; self->results == NULL && i < chosen->len; i++)
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
  g_signal_connect_object(store, "changed", G_CALLBACK(lac_folder_page_refresh), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(store, "folder-changed", G_CALLBACK(lac_folder_page_show_state), self,
                          G_CONNECT_SWAPPED);
  lac_folder_page_show_folder(self);
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
  return self->results != NULL ? lac_sweep_table_get_n_shown(self->table)
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
  lac_folder_page_show_results(self);
  lac_folder_page_show_selection(self);
}

static void
on_items(LacFolderPage *self)
{
  if (gtk_widget_get_mapped(GTK_WIDGET(self)))
    lac_folder_page_show_selection(self);
}

static void
make_list(LacFolderPage *self)
{
  GtkColumnView *view = lac_column_table_get_view(self->list);
  self->is_part = gtk_custom_filter_new(lac_folder_page_is_part, self, NULL);
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
  g_signal_connect_swapped(self->selection, "selection-changed",
                           G_CALLBACK(lac_folder_page_show_selection), self);
  g_signal_connect_swapped(self->selection, "items-changed", G_CALLBACK(on_items), self);
  gtk_column_view_set_model(view, NULL); /* until it is shown: rows take time to make */
  lac_group_menu_attach(self->group, G_LIST_MODEL(self->filtered));
  lac_group_keys_add(view);
  lac_accessible_name(view, _("Runs"));
  gtk_widget_add_css_class(GTK_WIDGET(view), "runs");
}

/* Commands on runs apply to the selection while the page is shown. */
static void
on_map(LacFolderPage *self)
{
  GtkColumnView *view = lac_column_table_get_view(self->list);
  if (gtk_column_view_get_model(view) == NULL)
    gtk_column_view_set_model(view, self->selection);
  lac_folder_page_show_selection(self);
  g_signal_emit(self, signals[SELECTION_CHANGED], 0);
}

static void
lac_folder_page_init(LacFolderPage *self)
{
  self->key = g_strdup("none");
  gtk_widget_init_template(GTK_WIDGET(self));
  self->bar = g_object_ref_sink(LAC_BOTTOM_BAR(lac_folder_bar_new()));
  self->answer = GTK_LABEL(lac_answer_label_new());
  gtk_widget_set_margin_top(GTK_WIDGET(self->answer), 9);
  gtk_box_append(self->head, GTK_WIDGET(self->answer));
  lac_side_fold_attach(GTK_WIDGET(self), self->flap);
  make_list(self);
  g_signal_connect_object(self->table, "chosen", G_CALLBACK(lac_folder_page_show_selection), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->table, "activated", G_CALLBACK(open_run), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->table, "columns-changed", G_CALLBACK(lac_folder_page_show_columns),
                          self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->sweep, "look-changed", G_CALLBACK(lac_folder_page_show_look), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect(self, "map", G_CALLBACK(on_map), NULL);
  lac_style_follow_units(GTK_WIDGET(self), on_unit);
  lac_accessible_name(self->search, _("Search runs"));
  lac_folder_page_show_folder(self);
}
