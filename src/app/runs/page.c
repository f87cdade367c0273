/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of runs: store -> filter -> tree (groups, order) -> selection -> columns. */
#include "app/runs/page.h"

#include "app/runs/columns.h"
#include "app/runs/details.h"
#include "app/session/run-tree.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "app/toolkit/style.h"
#include "io/format/write-error.h"
#include "run/library/filter.h"
#include "run/library/group.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

struct _LacRunsPage {
  GtkWidget           parent_instance;
  GtkWidget          *content;
  GtkStack           *stack;
  GtkSearchEntry     *search;
  GtkLabel           *count, *problem, *where;
  AdwStatusPage      *unreadable;
  LacColumnTable     *list;
  LacRunDetails      *details;
  LacRunStore        *store;
  LacRunFilter       *filter;
  GtkCustomFilter    *matches;
  GtkMenuButton      *group;
  GtkFilterListModel *filtered;
  LacRunTree         *tree;
  GtkSelectionModel  *selection; /* selection of the list */
  guint               fit;       /* idle source */
};

G_DEFINE_FINAL_TYPE(LacRunsPage, lac_runs_page, GTK_TYPE_WIDGET)

enum { SELECTION_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- rows ---- */

static void
describe_count(LacRunsPage *self, guint n_all, guint n_shown)
{
  g_autofree char *all = lac_format_count(n_all), *shown = lac_format_count(n_shown);
  g_autofree char *text = NULL;
  if (n_shown == n_all)
    text = g_strdup_printf(ngettext("%s run", "%s runs", n_all), all);
  else
    text = g_strdup_printf(_("%s of %s runs"), shown, all);
  gtk_label_set_text(self->count, text);
}

/* Shows the folder's share of the disk, and the space that deleting the selected runs would free. */
static void
describe_where(LacRunsPage *self)
{
  const char *folder = self->store != NULL ? lac_run_store_get_folder(self->store) : NULL;
  if (folder == NULL)
    return;
  g_autoptr(GPtrArray) all = lac_run_store_list(self->store);
  g_autoptr(GPtrArray) chosen = lac_runs_page_get_selection(self);
  guint64              sum = 0, freed = 0, room = lac_free_bytes(folder);
  for (guint i = 0; i < all->len; i++)
    sum += ((const LacRunHeadline *) g_ptr_array_index(all, i))->bytes;
  for (guint i = 0; i < chosen->len; i++)
    freed += lac_run_item_get(g_ptr_array_index(chosen, i))->bytes;
  g_autofree char *where = g_filename_display_name(folder);
  g_autofree char *runs = g_format_size(sum), *chosen_text = g_format_size(freed);
  g_autofree char *left = room != G_MAXUINT64 ? g_format_size(room) : g_strdup("–");
  g_autofree char *text =
    chosen->len > 0
      ? g_strdup_printf(_("%s · %s total, %s selected · %s free"), where, runs, chosen_text, left)
      : g_strdup_printf(_("%s · %s total · %s free"), where, runs, left);
  gtk_label_set_text(self->where, text);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->where), text);
}

static void
show_state(LacRunsPage *self)
{
  guint n_all =
    self->store == NULL ? 0 : g_list_model_get_n_items(lac_run_store_get_model(self->store));
  guint       n_shown = lac_runs_page_get_n_shown(self);
  const char *problem = self->store != NULL ? lac_run_store_get_problem(self->store) : NULL;
  const char *state = "list";
  if (n_all == 0 && problem != NULL)
    state = "unreadable";
  else if (n_all == 0)
    state = self->store == NULL || lac_run_store_is_reading(self->store) ? "reading" : "empty";
  else if (n_shown == 0)
    state = "nothing";
  if (problem != NULL) {
    g_autofree char *escaped = g_markup_escape_text(problem, -1);
    adw_status_page_set_description(self->unreadable, escaped);
  }
  gtk_stack_set_visible_child_name(self->stack, state);
  describe_count(self, n_all, n_shown);
  describe_where(self);
}

static gboolean
matches(gpointer item, gpointer user_data)
{
  LacRunsPage *self = user_data;
  return self->filter == NULL || lac_run_filter_matches(self->filter, lac_run_item_get(item));
}

static void
on_search(LacRunsPage *self)
{
  lac_run_filter_free(self->filter);
  self->filter = lac_run_filter_new(gtk_editable_get_text(GTK_EDITABLE(self->search)));
  const char *problem = lac_run_filter_get_problem(self->filter);
  gtk_label_set_text(self->problem, problem != NULL ? problem : "");
  gtk_widget_set_visible(GTK_WIDGET(self->problem), problem != NULL);
  gtk_filter_changed(GTK_FILTER(self->matches), GTK_FILTER_CHANGE_DIFFERENT);
  show_state(self);
  g_signal_emit(self, signals[SELECTION_CHANGED], 0); /* folded-away runs change no row */
}

static void
on_stop_search(LacRunsPage *self)
{
  gtk_editable_set_text(GTK_EDITABLE(self->search), "");
}

/* ---- selection ---- */

GPtrArray *
lac_runs_page_get_selection(LacRunsPage *self)
{
  g_return_val_if_fail(LAC_IS_RUNS_PAGE(self), NULL);
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
on_selection(LacRunsPage *self)
{
  g_autoptr(GPtrArray) items = lac_runs_page_get_selection(self);
  lac_run_details_set_items(self->details, items);
  describe_where(self);
  g_signal_emit(self, signals[SELECTION_CHANGED], 0);
}

void
lac_runs_page_select(LacRunsPage *self, const char *const *names)
{
  g_return_if_fail(LAC_IS_RUNS_PAGE(self));
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
on_activate(LacColumnTable *list, guint position, LacRunsPage *self)
{
  g_autoptr(GtkTreeListRow) row =
    gtk_tree_list_model_get_row(lac_run_tree_get_model(self->tree), position);
  if (gtk_tree_list_row_is_expandable(row)) {
    gtk_tree_list_row_set_expanded(row, !gtk_tree_list_row_get_expanded(row));
    return;
  }
  gtk_selection_model_select_item(self->selection, position, TRUE);
  gtk_widget_activate_action(GTK_WIDGET(self), "win.runs-open", NULL);
}

/* ---- the store ---- */

static void
on_changed(LacRunsPage *self)
{
  lac_run_tree_refresh(self->tree);
  show_state(self);
}

void
lac_runs_page_set_store(LacRunsPage *self, LacRunStore *store)
{
  g_return_if_fail(LAC_IS_RUNS_PAGE(self) && LAC_IS_RUN_STORE(store));
  g_set_object(&self->store, store);
  gtk_filter_list_model_set_model(self->filtered, lac_run_store_get_model(store));
  g_signal_connect_object(store, "changed", G_CALLBACK(on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(store, "folder-changed", G_CALLBACK(show_state), self, G_CONNECT_SWAPPED);
  show_state(self);
}

void
lac_runs_page_search(LacRunsPage *self, const char *text)
{
  g_return_if_fail(LAC_IS_RUNS_PAGE(self));
  gtk_editable_set_text(GTK_EDITABLE(self->search), text);
  on_search(self);
}

void
lac_runs_page_focus_search(LacRunsPage *self)
{
  g_return_if_fail(LAC_IS_RUNS_PAGE(self));
  gtk_widget_grab_focus(GTK_WIDGET(self->search));
}

guint
lac_runs_page_get_n_shown(LacRunsPage *self)
{
  g_return_val_if_fail(LAC_IS_RUNS_PAGE(self), 0);
  return g_list_model_get_n_items(G_LIST_MODEL(self->filtered));
}

/* ---- groups ---- */

#define MOST_SETTINGS 12 /* maximum number offered */

void
lac_runs_page_set_grouping(LacRunsPage *self, const char *key)
{
  g_return_if_fail(LAC_IS_RUNS_PAGE(self));
  lac_run_tree_set_grouping(self->tree, key);
}

void
lac_runs_page_expand(LacRunsPage *self, gboolean is_expanded)
{
  g_return_if_fail(LAC_IS_RUNS_PAGE(self));
  lac_run_tree_expand(self->tree, is_expanded);
}

static void
append_grouping(GMenu *menu, const char *title, const char *key)
{
  g_autoptr(GMenuItem) item = g_menu_item_new(title, NULL);
  g_menu_item_set_action_and_target(item, "win.runs-group", "s", key);
  g_menu_append_item(menu, item);
}

/* Returns a menu of the settings of the runs shown, with the label of the first run that has each. */
static GMenuModel *
make_settings_menu(LacRunsPage *self)
{
  GMenu               *menu = g_menu_new();
  guint                n = lac_runs_page_get_n_shown(self);
  g_autoptr(GPtrArray) runs = g_ptr_array_sized_new(n);
  for (guint i = 0; i < n; i++) {
    g_autoptr(LacRunItem) item = g_list_model_get_item(G_LIST_MODEL(self->filtered), i);
    g_ptr_array_add(runs, (gpointer) lac_run_item_get(item));
  }
  g_auto(GStrv) keys = lac_run_group_settings(runs, MOST_SETTINGS);
  for (char **key = keys; *key != NULL; key++) {
    const LacRunHeadline *found = NULL;
    for (guint i = 0; i < n && found == NULL; i++) {
      g_autofree char *text = lac_run_headline_dup_setting(runs->pdata[i], *key);
      found = text != NULL ? runs->pdata[i] : NULL;
    }
    g_autofree char *label = found != NULL ? lac_run_dup_setting_label(found, *key) : NULL;
    append_grouping(menu, label != NULL ? label : *key, *key);
  }
  return G_MENU_MODEL(menu);
}

/* Rebuilt at each opening, since the runs may have changed. */
static void
on_group_menu(GtkMenuButton *button, gpointer page)
{
  g_autoptr(GMenu)      menu = g_menu_new(), fixed = g_menu_new(), folds = g_menu_new();
  g_autoptr(GMenuModel) settings = make_settings_menu(page);
  for (LacRunGrouping i = 0; i < LAC_GROUP_SETTING; i++)
    append_grouping(fixed, _(lac_run_grouping_title(i)), lac_run_grouping_key(i));
  g_menu_append_section(menu, _("Group by"), G_MENU_MODEL(fixed));
  if (g_menu_model_get_n_items(settings) > 0)
    g_menu_append_submenu(fixed, _("Setting"), settings);
  g_menu_append(folds, _("Expand All"), "win.runs-unfold");
  g_menu_append(folds, _("Collapse All"), "win.runs-fold");
  g_menu_append_section(menu, NULL, G_MENU_MODEL(folds));
  gtk_menu_button_set_menu_model(button, G_MENU_MODEL(menu));
}

static GtkAdjustment *
get_across(LacRunsPage *self)
{
  return gtk_scrollable_get_hadjustment(GTK_SCROLLABLE(lac_column_table_get_view(self->list)));
}

static gboolean
on_fit(gpointer user_data)
{
  LacRunsPage *self = user_data;
  self->fit = 0;
  lac_run_columns_fit(self->list, (int) gtk_adjustment_get_page_size(get_across(self)));
  return G_SOURCE_REMOVE;
}

/* Selects the visible columns after layout, when the list's width is known. */
static void
on_width(LacRunsPage *self)
{
  if (self->fit == 0)
    self->fit = g_idle_add(on_fit, self);
}

/* ---- the object ---- */

static void
lac_runs_page_dispose(GObject *object)
{
  LacRunsPage *self = LAC_RUNS_PAGE(object);
  if (self->selection != NULL) {
    g_signal_handlers_disconnect_by_data(self->selection, self);
    g_signal_handlers_disconnect_by_data(get_across(self), self);
  }
  g_clear_handle_id(&self->fit, g_source_remove);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_RUNS_PAGE);
  if (self->filtered != NULL)
    gtk_filter_list_model_set_filter(self->filtered, NULL); /* its function uses the page */
  g_clear_object(&self->tree);
  g_clear_object(&self->selection);
  g_clear_object(&self->filtered);
  g_clear_object(&self->matches);
  g_clear_object(&self->store);
  g_clear_pointer(&self->filter, lac_run_filter_free);
  G_OBJECT_CLASS(lac_runs_page_parent_class)->dispose(object);
}

static void
lac_runs_page_class_init(LacRunsPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_runs_page_dispose;
  g_type_ensure(LAC_TYPE_RUN_DETAILS);
  g_type_ensure(LAC_TYPE_COLUMN_TABLE);
  signals[SELECTION_CHANGED] = g_signal_new("selection-changed", LAC_TYPE_RUNS_PAGE,
                                            G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/runs/page.ui");
  gtk_widget_class_bind_template_child(widget_class, LacRunsPage, content);
  gtk_widget_class_bind_template_child(widget_class, LacRunsPage, stack);
  gtk_widget_class_bind_template_child(widget_class, LacRunsPage, search);
  gtk_widget_class_bind_template_child(widget_class, LacRunsPage, count);
  gtk_widget_class_bind_template_child(widget_class, LacRunsPage, group);
  gtk_widget_class_bind_template_child(widget_class, LacRunsPage, problem);
  gtk_widget_class_bind_template_child(widget_class, LacRunsPage, where);
  gtk_widget_class_bind_template_child(widget_class, LacRunsPage, unreadable);
  gtk_widget_class_bind_template_child(widget_class, LacRunsPage, list);
  gtk_widget_class_bind_template_child(widget_class, LacRunsPage, details);
  gtk_widget_class_bind_template_callback(widget_class, on_search);
  gtk_widget_class_bind_template_callback(widget_class, on_stop_search);
  gtk_widget_class_bind_template_callback(widget_class, on_activate);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

/* The unit of results has changed. */
static void
on_unit(GtkWidget *widget)
{
  LacRunsPage *self = LAC_RUNS_PAGE(widget);
  guint        n = lac_runs_page_get_n_shown(self);
  for (guint i = 0; i < n; i++) {
    g_autoptr(LacRunItem) item = g_list_model_get_item(G_LIST_MODEL(self->filtered), i);
    lac_column_row_updated(LAC_COLUMN_ROW(item));
  }
  on_selection(self);
}

/* Returns: (nullable): the expander in @widget or below it. */
static GtkWidget *
find_expander(GtkWidget *widget)
{
  GtkWidget *found = widget != NULL && GTK_IS_TREE_EXPANDER(widget) ? widget : NULL;
  for (GtkWidget *child = widget != NULL ? gtk_widget_get_first_child(widget) : NULL;
       child != NULL && found == NULL; child = gtk_widget_get_next_sibling(child))
    found = find_expander(child);
  return found;
}

/* Folds or unfolds the focused row; passes the key on if there is nothing to fold. */
static gboolean
on_fold_key(GtkWidget *list, GVariant *is_expanded, gpointer user_data)
{
  GtkWidget      *focus = gtk_root_get_focus(gtk_widget_get_root(list));
  GtkWidget      *expander = focus != list ? find_expander(focus) : NULL;
  GtkTreeListRow *row =
    expander != NULL ? gtk_tree_expander_get_list_row(GTK_TREE_EXPANDER(expander)) : NULL;
  gboolean wanted = g_variant_get_boolean(is_expanded);
  if (row == NULL || !gtk_tree_list_row_is_expandable(row) ||
      gtk_tree_list_row_get_expanded(row) == wanted)
    return FALSE;
  gtk_tree_list_row_set_expanded(row, wanted);
  return TRUE;
}

static void
add_fold_key(GtkShortcutController *keys, guint key, gboolean is_expanded)
{
  GtkShortcut *shortcut = gtk_shortcut_new(gtk_keyval_trigger_new(key, 0),
                                           gtk_callback_action_new(on_fold_key, NULL, NULL));
  gtk_shortcut_set_arguments(shortcut, g_variant_new_boolean(is_expanded));
  gtk_shortcut_controller_add_shortcut(keys, shortcut);
}

/* Handles keys only while the list has the focus: in an entry they edit text. */
static void
add_keys(LacRunsPage *self)
{
  GtkEventController *keys = gtk_shortcut_controller_new();
  gtk_shortcut_controller_add_shortcut(GTK_SHORTCUT_CONTROLLER(keys),
                                       gtk_shortcut_new(gtk_shortcut_trigger_parse_string("Delete"),
                                                        gtk_named_action_new("win.runs-delete")));
  gtk_event_controller_set_propagation_phase(keys,
                                             GTK_PHASE_CAPTURE); /* before the list handles them */
  add_fold_key(GTK_SHORTCUT_CONTROLLER(keys), GDK_KEY_Left, FALSE);
  add_fold_key(GTK_SHORTCUT_CONTROLLER(keys), GDK_KEY_Right, TRUE);
  gtk_widget_add_controller(GTK_WIDGET(lac_column_table_get_view(self->list)), keys);
}

static void
lac_runs_page_init(LacRunsPage *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  self->matches = gtk_custom_filter_new(matches, self, NULL);
  self->filtered = gtk_filter_list_model_new(NULL, g_object_ref(GTK_FILTER(self->matches)));
  GtkColumnView *view = lac_column_table_get_view(self->list);
  self->tree = lac_run_tree_new(G_LIST_MODEL(self->filtered), gtk_column_view_get_sorter(view));
  lac_run_columns_add(self->list);
  lac_column_table_set_rows(self->list, G_LIST_MODEL(lac_run_tree_get_model(self->tree)),
                            GTK_SELECTION_MULTIPLE);
  self->selection = g_object_ref(lac_column_table_get_selection(self->list));
  g_signal_connect_swapped(self->selection, "selection-changed", G_CALLBACK(on_selection), self);
  g_signal_connect_swapped(self->selection, "items-changed", G_CALLBACK(on_selection), self);
  g_signal_connect_swapped(get_across(self), "notify::page-size", G_CALLBACK(on_width), self);
  gtk_menu_button_set_create_popup_func(self->group, on_group_menu, self, NULL);
  add_keys(self);
  lac_style_follow_units(GTK_WIDGET(self), on_unit);
  lac_accessible_name(self->search, _("Search runs"));
  lac_accessible_name(view, _("Runs"));
  gtk_widget_add_css_class(GTK_WIDGET(view), "runs");
}
