/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs: store -> filter -> tree of groups -> selection -> rows. Exactly one of the three lists has a selection. */
#include "app/shell/sidebar.h"

#include "app/session/run-tree.h"
#include "app/shell/run-rows.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/drawing-view.h"
#include "app/toolkit/format.h"
#include "io/format/write-error.h"
#include "run/library/filter.h"
#include "run/library/group.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include <math.h>

#define WIDTH 264 /* px at the usual text size */

struct _LacSidebar {
  GtkWidget           parent_instance;
  GtkWidget          *content;
  GtkListBox         *places;
  GtkListBoxRow      *experiments, *benchmarks;
  LacProgressList    *progress;
  GtkMenuButton      *main_menu, *group;
  GMenu              *recent_items;
  GtkToggleButton    *find;
  GtkRevealer        *finder;
  GtkSearchEntry     *search;
  GtkListView        *runs;
  GtkLabel           *nothing, *count, *room;
  GtkWidget          *all_runs;
  LacWorkbench       *workbench;
  LacRunStore        *store;
  char               *active; /* (nullable): folder of the run that computes */
  LacRunFilter       *filter;
  GtkCustomFilter    *matches;
  GtkFilterListModel *filtered;
  LacRunTree         *tree;
  GtkSelectionModel  *selection;
  LacRunRows         *rows;
  GStrv    wanted;      /* (nullable): paths whose rows are to be selected once they are there */
  gboolean wants_sweep; /* selects the row of their sweep instead */
  gboolean is_showing;  /* the selection follows the window, not the user */
  guint    follow;      /* idle source */
};

G_DEFINE_FINAL_TYPE(LacSidebar, lac_sidebar, GTK_TYPE_WIDGET)

enum { RUNS_CHOSEN, FOLDER_CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- the counts at the bottom ---- */

static void
show_counts(LacSidebar *self)
{
  const char          *folder = lac_run_store_get_folder(self->store);
  g_autoptr(GPtrArray) all = lac_run_store_list(self->store);
  guint64              sum = 0, room = folder != NULL ? lac_free_bytes(folder) : G_MAXUINT64;
  for (guint i = 0; i < all->len; i++)
    sum += ((const LacRunHeadline *) g_ptr_array_index(all, i))->bytes;
  g_autofree char *n = lac_format_count(all->len), *size = lac_format_bytes((double) sum);
  g_autofree char *left = room != G_MAXUINT64 ? lac_format_bytes((double) room) : NULL;
  g_autofree char *count =
    g_strdup_printf(ngettext("%s run · %s", "%s runs · %s", all->len), n, size);
  g_autofree char *free = left != NULL ? g_strdup_printf(_("%s free"), left) : g_strdup("");
  gtk_label_set_text(self->count, count);
  gtk_label_set_text(self->room, free);
  guint n_shown = g_list_model_get_n_items(G_LIST_MODEL(self->filtered));
  gtk_widget_set_visible(GTK_WIDGET(self->nothing), n_shown == 0);
  /* the only run may be the one in progress, which stands above */
  gboolean is_searching = *gtk_editable_get_text(GTK_EDITABLE(self->search)) != '\0';
  gtk_label_set_text(self->nothing,
                     all->len == 0 || !is_searching ? _("No runs yet") : _("No match"));
}

/* ---- selection ---- */

GPtrArray *
lac_sidebar_get_runs(LacSidebar *self)
{
  g_return_val_if_fail(LAC_IS_SIDEBAR(self), NULL);
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

/* Returns: (transfer full) (nullable): the group, if one alone is chosen. */
static GObject *
dup_group(LacSidebar *self)
{
  g_autoptr(GtkBitset) chosen = gtk_selection_model_get_selection(self->selection);
  g_autoptr(GObject)   item =
    gtk_bitset_get_size(chosen) == 1
        ? g_list_model_get_item(G_LIST_MODEL(self->selection), gtk_bitset_get_nth(chosen, 0))
        : NULL;
  return item != NULL && LAC_IS_RUN_GROUP_ITEM(item) ? g_steal_pointer(&item) : NULL;
}

/* Returns: -1 if the run is not wanted. */
static int
find_wanted(LacSidebar *self, const LacRunHeadline *run)
{
  for (int i = 0; self->wanted != NULL && self->wanted[i] != NULL; i++)
    if (g_str_equal(self->wanted[i], run->path))
      return i;
  return -1;
}

/* The letters by which a comparison names its runs: in its order; before it is shown the earlier run is a. */
static int
compare_letters(gconstpointer a, gconstpointer b, gpointer sidebar)
{
  const LacRunHeadline *runs[2] = {lac_run_item_get(*(LacRunItem *const *) a),
                                   lac_run_item_get(*(LacRunItem *const *) b)};
  int                   places[2] = {find_wanted(sidebar, runs[0]), find_wanted(sidebar, runs[1])};
  return places[0] >= 0 && places[1] >= 0
           ? places[0] - places[1]
           : lac_run_headline_compare(runs[0], runs[1], LAC_RUNS_BY_STARTED);
}

static void
show_letters(LacSidebar *self)
{
  g_autoptr(GPtrArray) runs = lac_sidebar_get_runs(self);
  g_ptr_array_sort_with_data(runs, compare_letters, self);
  lac_run_rows_set_letters(self->rows, runs);
}

static void
on_selection(LacSidebar *self)
{
  if (self->is_showing)
    return;
  g_autoptr(GPtrArray) runs = lac_sidebar_get_runs(self);
  g_autoptr(GObject)   group = dup_group(self);
  g_clear_pointer(&self->wanted, g_strfreev);
  show_letters(self);
  if (group != NULL)
    g_signal_emit(self, signals[FOLDER_CHOSEN], 0, group);
  else if (runs->len > 0)
    g_signal_emit(self, signals[RUNS_CHOSEN], 0);
}

/* Returns TRUE for the row of a wanted run, or of the sweep it is part of. */
static gboolean
is_wanted(LacSidebar *self, gpointer item)
{
  if (!self->wants_sweep)
    return LAC_IS_RUN_ITEM(item) && find_wanted(self, lac_run_item_get(item)) >= 0;
  if (!LAC_IS_RUN_GROUP_ITEM(item) || !lac_run_group_item_is_sweep(item))
    return FALSE;
  GListModel             *runs = lac_run_group_item_get_runs(item);
  g_autoptr(LacColumnRow) first = g_list_model_get_item(runs, 0);
  return LAC_IS_RUN_ITEM(first) && find_wanted(self, lac_run_item_get(LAC_RUN_ITEM(first))) >= 0;
}

/* Selects the rows of the wanted runs, or of their sweep, that are in the list. */
static void
follow_wanted(LacSidebar *self)
{
  guint                n = g_list_model_get_n_items(G_LIST_MODEL(self->selection));
  g_autoptr(GtkBitset) chosen = gtk_bitset_new_empty(), all = gtk_bitset_new_range(0, n);
  for (guint i = 0; i < n && self->wanted != NULL; i++) {
    g_autoptr(GObject) item = g_list_model_get_item(G_LIST_MODEL(self->selection), i);
    if (is_wanted(self, item))
      gtk_bitset_add(chosen, i);
  }
  self->is_showing = TRUE;
  gtk_selection_model_set_selection(self->selection, chosen, all);
  self->is_showing = FALSE;
  show_letters(self);
}

static gboolean
on_follow(gpointer sidebar)
{
  ((LacSidebar *) sidebar)->follow = 0;
  follow_wanted(sidebar);
  return G_SOURCE_REMOVE;
}

static void
on_items(LacSidebar *self)
{
  if (self->wanted != NULL && self->follow == 0)
    self->follow = g_idle_add(on_follow, self);
}

void
lac_sidebar_show_place(LacSidebar *self, LacPlace place, const char *const *paths)
{
  g_return_if_fail(LAC_IS_SIDEBAR(self));
  gboolean has_runs =
    place == LAC_PLACE_RUN || place == LAC_PLACE_COMPARISON || place == LAC_PLACE_FOLDER;
  LacSession *active = lac_workbench_get_active_session(self->workbench);
  gboolean    is_active = place == LAC_PLACE_RUN && active != NULL &&
                       active == lac_workbench_get_session(self->workbench);
  gtk_list_box_select_row(self->places, place == LAC_PLACE_EXPERIMENTS  ? self->experiments
                                        : place == LAC_PLACE_BENCHMARKS ? self->benchmarks
                                                                        : NULL);
  lac_progress_list_select(self->progress, is_active                  ? LAC_PROGRESS_RUN
                                           : place == LAC_PLACE_DRAFT ? LAC_PROGRESS_DRAFT
                                           : place == LAC_PLACE_TRACE ? LAC_PROGRESS_TRACE
                                                                      : LAC_PROGRESS_NOTHING);
  /* the chosen group stays marked, and so do the runs whose comparison is being prepared */
  if ((place == LAC_PLACE_FOLDER || place == LAC_PLACE_COMPARISON) && paths[0] == NULL) {
    g_clear_pointer(&self->wanted, g_strfreev);
    return;
  }
  g_strfreev(self->wanted);
  self->wants_sweep = place == LAC_PLACE_FOLDER;
  self->wanted = has_runs && !is_active ? g_strdupv((GStrv) paths) : NULL;
  follow_wanted(self);
}

/* ---- search and groups ---- */

static gboolean
matches(gpointer item, gpointer user_data)
{
  LacSidebar           *self = user_data;
  const LacRunHeadline *run = lac_run_item_get(item);
  if (g_strcmp0(run->path, self->active) == 0) /* stands above, in progress */
    return FALSE;
  return self->filter == NULL || lac_run_filter_matches(self->filter, run);
}

/* Follows the run that computes. */
static void
on_active(LacSidebar *self)
{
  LacSession *session = lac_workbench_get_active_session(self->workbench);
  const char *active = session != NULL ? lac_session_get_folder(session) : NULL;
  if (g_strcmp0(active, self->active) == 0)
    return;
  g_free(self->active);
  self->active = g_strdup(active);
  gtk_filter_changed(GTK_FILTER(self->matches), GTK_FILTER_CHANGE_DIFFERENT);
  show_counts(self);
}

static void
on_search(LacSidebar *self)
{
  lac_run_filter_free(self->filter);
  self->filter = lac_run_filter_new(gtk_editable_get_text(GTK_EDITABLE(self->search)));
  const char *problem = lac_run_filter_get_problem(self->filter);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->search), problem);
  gtk_filter_changed(GTK_FILTER(self->matches), GTK_FILTER_CHANGE_DIFFERENT);
  show_counts(self);
}

static void
on_stop_search(LacSidebar *self)
{
  gtk_editable_set_text(GTK_EDITABLE(self->search), "");
  gtk_toggle_button_set_active(self->find, FALSE);
}

static void
on_find(LacSidebar *self)
{
  gboolean is_open = gtk_toggle_button_get_active(self->find);
  gtk_revealer_set_reveal_child(self->finder, is_open);
  if (is_open)
    gtk_widget_grab_focus(GTK_WIDGET(self->search));
}

void
lac_sidebar_find(LacSidebar *self)
{
  g_return_if_fail(LAC_IS_SIDEBAR(self));
  gtk_toggle_button_set_active(self->find, TRUE);
  gtk_widget_grab_focus(GTK_WIDGET(self->search));
}

static const char *const group_words[LAC_N_GROUPINGS] = {
  [LAC_GROUP_NONE] = N_("In one list"),
  [LAC_GROUP_EXPERIMENT] = N_("By experiment"),
  [LAC_GROUP_LABORATORY] = N_("By laboratory"),
  [LAC_GROUP_OUTCOME] = N_("By outcome"),
  [LAC_GROUP_TAG] = N_("By tag"),
  [LAC_GROUP_DAY] = N_("By day"),
  [LAC_GROUP_SWEEP] = N_("By sweep"),
  [LAC_GROUP_SETTING] = N_("By setting"),
};

void
lac_sidebar_set_grouping(LacSidebar *self, const char *key)
{
  g_return_if_fail(LAC_IS_SIDEBAR(self) && key != NULL);
  lac_run_tree_set_grouping(self->tree, key);
  gtk_menu_button_set_label(self->group, _(group_words[lac_run_grouping_find(key)]));
}

static void
on_group_menu(GtkMenuButton *button, gpointer sidebar)
{
  g_autoptr(GMenu) menu = g_menu_new();
  for (LacRunGrouping i = 0; i < LAC_GROUP_SETTING; i++) {
    g_autoptr(GMenuItem) item = g_menu_item_new(_(group_words[i]), NULL);
    g_menu_item_set_action_and_target(item, "win.side-group", "s", lac_run_grouping_key(i));
    g_menu_append_item(menu, item);
  }
  gtk_menu_button_set_menu_model(button, G_MENU_MODEL(menu));
}

/* ---- rows ---- */

static void
on_activate(GtkListView *list, guint position, LacSidebar *self)
{
  g_autoptr(GtkTreeListRow) row =
    gtk_tree_list_model_get_row(lac_run_tree_get_model(self->tree), position);
  if (gtk_tree_list_row_is_expandable(row))
    gtk_tree_list_row_set_expanded(row, !gtk_tree_list_row_get_expanded(row));
}

/* Marks the row of the run that is being read. */
static void
on_opening(LacSidebar *self)
{
  lac_run_rows_set_opening(self->rows, lac_workbench_get_opening(self->workbench));
}

void
lac_sidebar_set_workbench(LacSidebar *self, LacWorkbench *workbench)
{
  g_return_if_fail(LAC_IS_SIDEBAR(self) && LAC_IS_WORKBENCH(workbench));
  LacRunStore *store = lac_workbench_get_run_store(workbench);
  g_set_object(&self->workbench, workbench);
  g_set_object(&self->store, store);
  gtk_filter_list_model_set_model(self->filtered, lac_run_store_get_model(store));
  g_signal_connect_object(store, "changed", G_CALLBACK(show_counts), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(store, "changed", G_CALLBACK(lac_run_tree_refresh), self->tree,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(store, "folder-changed", G_CALLBACK(show_counts), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(workbench, "changed", G_CALLBACK(on_active), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(workbench, "active-progressed", G_CALLBACK(on_active), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(workbench, "opening-changed", G_CALLBACK(on_opening), self,
                          G_CONNECT_SWAPPED);
  lac_progress_list_set_workbench(self->progress, workbench);
  show_counts(self);
}

LacProgressList *
lac_sidebar_get_progress(LacSidebar *self)
{
  g_return_val_if_fail(LAC_IS_SIDEBAR(self), NULL);
  return self->progress;
}

void
lac_sidebar_set_recent(LacSidebar *self, GMenuModel *recent)
{
  g_return_if_fail(LAC_IS_SIDEBAR(self) && G_IS_MENU_MODEL(recent));
  g_menu_append_section(self->recent_items, NULL, recent);
}

/* ---- the object ---- */

static void
lac_sidebar_dispose(GObject *object)
{
  LacSidebar *self = LAC_SIDEBAR(object);
  g_clear_handle_id(&self->follow, g_source_remove);
  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data(self->selection, self);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_SIDEBAR);
  if (self->filtered != NULL)
    gtk_filter_list_model_set_filter(self->filtered, NULL); /* its function uses the sidebar */
  g_clear_object(&self->rows);
  g_clear_object(&self->selection);
  g_clear_object(&self->tree);
  g_clear_object(&self->filtered);
  g_clear_object(&self->matches);
  g_clear_object(&self->store);
  g_clear_object(&self->workbench);
  g_clear_pointer(&self->filter, lac_run_filter_free);
  g_clear_pointer(&self->wanted, g_strfreev);
  g_clear_pointer(&self->active, g_free);
  G_OBJECT_CLASS(lac_sidebar_parent_class)->dispose(object);
}

static void
bind_children(GtkWidgetClass *class)
{
  gtk_widget_class_bind_template_child(class, LacSidebar, content);
  gtk_widget_class_bind_template_child(class, LacSidebar, places);
  gtk_widget_class_bind_template_child(class, LacSidebar, experiments);
  gtk_widget_class_bind_template_child(class, LacSidebar, benchmarks);
  gtk_widget_class_bind_template_child(class, LacSidebar, progress);
  gtk_widget_class_bind_template_child(class, LacSidebar, main_menu);
  gtk_widget_class_bind_template_child(class, LacSidebar, recent_items);
  gtk_widget_class_bind_template_child(class, LacSidebar, group);
  gtk_widget_class_bind_template_child(class, LacSidebar, find);
  gtk_widget_class_bind_template_child(class, LacSidebar, finder);
  gtk_widget_class_bind_template_child(class, LacSidebar, search);
  gtk_widget_class_bind_template_child(class, LacSidebar, runs);
  gtk_widget_class_bind_template_child(class, LacSidebar, nothing);
  gtk_widget_class_bind_template_child(class, LacSidebar, count);
  gtk_widget_class_bind_template_child(class, LacSidebar, room);
  gtk_widget_class_bind_template_child(class, LacSidebar, all_runs);
  gtk_widget_class_bind_template_callback(class, on_search);
  gtk_widget_class_bind_template_callback(class, on_stop_search);
  gtk_widget_class_bind_template_callback(class, on_find);
  gtk_widget_class_bind_template_callback(class, on_activate);
}

static void
lac_sidebar_class_init(LacSidebarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_sidebar_dispose;
  g_type_ensure(LAC_TYPE_PROGRESS_LIST);
  signals[RUNS_CHOSEN] = g_signal_new("runs-chosen", LAC_TYPE_SIDEBAR, G_SIGNAL_RUN_LAST, 0, NULL,
                                      NULL, NULL, G_TYPE_NONE, 0);
  signals[FOLDER_CHOSEN] = g_signal_new("folder-chosen", LAC_TYPE_SIDEBAR, G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 1, LAC_TYPE_RUN_GROUP_ITEM);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/shell/sidebar.ui");
  bind_children(widget_class);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

/* Returns: (nullable): the group whose row has the focus. */
static GtkTreeListRow *
get_focused_group(LacSidebar *self)
{
  GtkWidget *focus = gtk_widget_get_focus_child(GTK_WIDGET(self->runs));
  while (focus != NULL && !GTK_IS_TREE_EXPANDER(focus))
    focus = gtk_widget_get_first_child(focus);
  return focus != NULL ? gtk_tree_expander_get_list_row(GTK_TREE_EXPANDER(focus)) : NULL;
}

/* Left and Right collapse and expand a group whose row, and not only its arrow, has the focus. */
static gboolean
on_key(GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state, LacSidebar *self)
{
  gboolean        is_rtl = gtk_widget_get_direction(GTK_WIDGET(self)) == GTK_TEXT_DIR_RTL;
  guint           expand = is_rtl ? GDK_KEY_Left : GDK_KEY_Right;
  GtkTreeListRow *group = get_focused_group(self);
  if (group == NULL || (key != GDK_KEY_Left && key != GDK_KEY_Right) ||
      (state & gtk_accelerator_get_default_mod_mask()) != 0)
    return FALSE;
  gtk_tree_list_row_set_expanded(group, key == expand);
  return TRUE;
}

static void
add_keys(LacSidebar *self)
{
  GtkEventController *arrows = gtk_event_controller_key_new();
  gtk_event_controller_set_propagation_phase(arrows, GTK_PHASE_CAPTURE);
  g_signal_connect(arrows, "key-pressed", G_CALLBACK(on_key), self);
  gtk_widget_add_controller(GTK_WIDGET(self->runs), arrows);
  GtkEventController *keys = gtk_shortcut_controller_new();
  gtk_shortcut_controller_add_shortcut(GTK_SHORTCUT_CONTROLLER(keys),
                                       gtk_shortcut_new(gtk_shortcut_trigger_parse_string("Delete"),
                                                        gtk_named_action_new("win.runs-delete")));
  gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller(GTK_WIDGET(self->runs), keys);
}

static void
lac_sidebar_init(LacSidebar *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  gtk_widget_set_size_request(self->content, (int) lround(WIDTH * lac_drawing_text_scale()), -1);
  self->matches = gtk_custom_filter_new(matches, self, NULL);
  self->filtered = gtk_filter_list_model_new(NULL, g_object_ref(GTK_FILTER(self->matches)));
  self->tree = lac_run_tree_new_with_sweeps(G_LIST_MODEL(self->filtered));
  GtkTreeListModel *model = lac_run_tree_get_model(self->tree);
  self->selection = GTK_SELECTION_MODEL(gtk_multi_selection_new(g_object_ref(G_LIST_MODEL(model))));
  self->rows = lac_run_rows_new(model, self->selection);
  gtk_list_view_set_factory(self->runs, lac_run_rows_get_factory(self->rows));
  gtk_list_view_set_model(self->runs, self->selection);
  g_signal_connect_swapped(self->selection, "selection-changed", G_CALLBACK(on_selection), self);
  g_signal_connect_swapped(self->selection, "items-changed", G_CALLBACK(on_items), self);
  gtk_menu_button_set_create_popup_func(self->group, on_group_menu, self, NULL);
  lac_accessible_name(self->runs, _("Runs"));
  lac_accessible_name(self->places, _("Places"));
  lac_accessible_name(self->search, _("Search runs"));
  lac_accessible_name(self->main_menu, _("Main Menu"));
  lac_accessible_name(self->group, _("Group runs"));
  lac_accessible_name(self->find, _("Find"));
  lac_accessible_name(self->all_runs, _("All Runs"));
  lac_sidebar_set_grouping(self, lac_run_grouping_key(LAC_GROUP_DAY));
  add_keys(self);
}
