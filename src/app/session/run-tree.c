/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Either runs -> order -> rows, or runs -> groups -> order within each -> rows. */
#include "app/session/run-tree.h"

#include "app/session/run-branches.h"
#include "run/library/group.h"

#include <string.h>

#define MOST_UNFOLDED 3 /* groups that are expanded at first, if they may contain sweeps */

struct _LacRunTree {
  GObject           parent_instance;
  GListModel       *runs;
  GtkSorter        *sorter;
  GtkSorter        *by_value; /* (nullable): of the runs of a sweep; NULL: without sweeps */
  char             *key;
  GPtrArray        *known;    /* the contents of @runs */
  GHashTable       *present;  /* set of the same */
  GQueue            pending;  /* runs to be placed; referenced */
  GHashTable       *queued;   /* set of the same */
  LacRunBranches   *branches; /* (nullable): without grouping */
  GListStore       *roots;    /* the sorted runs, or the groups */
  GtkTreeListModel *rows;
  guint             turn; /* idle source */
};

G_DEFINE_FINAL_TYPE(LacRunTree, lac_run_tree, G_TYPE_OBJECT)

static GListModel *
in_order(GListModel *runs, GtkSorter *sorter)
{
  return G_LIST_MODEL(gtk_sort_list_model_new(g_object_ref(runs), g_object_ref(sorter)));
}

static GListModel *
on_children(gpointer item, gpointer tree)
{
  LacRunTree *self = tree;
  if (!LAC_IS_RUN_GROUP_ITEM(item))
    return NULL;
  gboolean by_value = self->by_value != NULL && lac_run_group_item_is_sweep(item);
  return in_order(lac_run_group_item_get_runs(item), by_value ? self->by_value : self->sorter);
}

static void
unfold(LacRunTree *self, guint group)
{
  g_autoptr(GtkTreeListRow) row = gtk_tree_list_model_get_child_row(self->rows, group);
  if (row != NULL)
    gtk_tree_list_row_set_expanded(row, TRUE);
}

static void
take_turn(LacRunTree *self, guint most)
{
  for (guint i = 0; i < most; i++) {
    g_autoptr(LacRunItem) run = g_queue_pop_head(&self->pending);
    if (run == NULL)
      break;
    g_hash_table_remove(self->queued, run);
    lac_run_branches_place(self->branches, run, g_hash_table_contains(self->present, run));
  }
  lac_run_branches_update(self->branches);
}

/* ---- what is to be done ---- */

guint
lac_run_tree_get_n_pending(LacRunTree *self)
{
  g_return_val_if_fail(LAC_IS_RUN_TREE(self), 0);
  return g_queue_get_length(&self->pending);
}

static gboolean
on_turn(gpointer tree)
{
  LacRunTree *self = tree;
  take_turn(self, LAC_RUN_TREE_MOST);
  if (lac_run_tree_get_n_pending(self) > 0)
    return G_SOURCE_CONTINUE;
  self->turn = 0;
  return G_SOURCE_REMOVE;
}

void
lac_run_tree_wait(LacRunTree *self)
{
  g_return_if_fail(LAC_IS_RUN_TREE(self));
  g_clear_handle_id(&self->turn, g_source_remove);
  if (lac_run_tree_get_n_pending(self) > 0)
    take_turn(self, G_MAXUINT);
}

/* Few changes are taken over before the next frame; many leave time for frames in between. */
static void
schedule(LacRunTree *self)
{
  guint n = lac_run_tree_get_n_pending(self);
  if (n == 0 || self->turn != 0)
    return;
  self->turn = g_idle_add_full(
    n <= LAC_RUN_TREE_MOST ? G_PRIORITY_HIGH_IDLE : G_PRIORITY_DEFAULT_IDLE, on_turn, self, NULL);
}

static void
enqueue(LacRunTree *self, LacRunItem *run)
{
  if (self->branches != NULL && g_hash_table_add(self->queued, run))
    g_queue_push_tail(&self->pending, g_object_ref(run));
}

void
lac_run_tree_refresh(LacRunTree *self)
{
  g_return_if_fail(LAC_IS_RUN_TREE(self));
  for (guint i = 0; i < self->known->len; i++)
    enqueue(self, self->known->pdata[i]);
  if (self->branches != NULL)
    lac_run_branches_update_titles(self->branches);
  schedule(self);
}

static void
on_runs(GListModel *runs, guint position, guint n_removed, guint n_added, LacRunTree *self)
{
  const guint before = self->known->len;
  for (guint i = position; i < position + n_removed; i++) {
    g_hash_table_remove(self->present, self->known->pdata[i]);
    enqueue(self, self->known->pdata[i]);
    g_object_unref(self->known->pdata[i]);
  }
  const guint n_after = before - position - n_removed;
  g_ptr_array_set_size(self->known, (gint) MAX(before, before - n_removed + n_added));
  if (n_after > 0) /* an empty array has no place to move from */
    memmove(self->known->pdata + position + n_added, self->known->pdata + position + n_removed,
            n_after * sizeof(gpointer));
  g_ptr_array_set_size(self->known, (gint) (before - n_removed + n_added));
  for (guint i = position; i < position + n_added; i++) {
    self->known->pdata[i] = g_list_model_get_item(runs, i);
    g_hash_table_add(self->present, self->known->pdata[i]);
    enqueue(self, self->known->pdata[i]);
  }
  schedule(self);
}

/* ---- grouping ---- */

static void
forget_pending(LacRunTree *self)
{
  g_clear_handle_id(&self->turn, g_source_remove);
  g_queue_clear_full(&self->pending, g_object_unref);
  g_hash_table_remove_all(self->queued);
}

/* Expands new groups at the top. */
static void
on_groups(GListModel *groups, guint position, guint n_removed, guint n_added, LacRunTree *self)
{
  for (guint i = position; i < MIN(position + n_added, MOST_UNFOLDED); i++)
    unfold(self, i);
}

static void
set_root(LacRunTree *self, GListModel *root)
{
  g_list_store_splice(self->roots, 0, g_list_model_get_n_items(G_LIST_MODEL(self->roots)),
                      (gpointer *) &root, 1);
}

/* The rows change once, unless there are too many runs for one turn. */
static void
make_groups(LacRunTree *self)
{
  self->branches = lac_run_branches_new(self->key, self->by_value != NULL);
  for (guint i = 0; i < self->known->len; i++)
    enqueue(self, self->known->pdata[i]);
  take_turn(self, LAC_RUN_TREE_MOST);
  schedule(self);
  GListModel *groups = lac_run_branches_get_groups(self->branches);
  set_root(self, groups);
  if (self->by_value == NULL) /* all are expanded */
    return;
  on_groups(groups, 0, 0, g_list_model_get_n_items(groups), self);
  g_signal_connect_object(groups, "items-changed", G_CALLBACK(on_groups), self, 0);
}

void
lac_run_tree_set_grouping(LacRunTree *self, const char *key)
{
  g_return_if_fail(LAC_IS_RUN_TREE(self) && key != NULL);
  if (g_strcmp0(self->key, key) == 0)
    return;
  g_free(self->key);
  self->key = g_strdup(key);
  forget_pending(self);
  g_clear_pointer(&self->branches, lac_run_branches_free);
  if (lac_run_grouping_find(key) != LAC_GROUP_NONE) {
    make_groups(self);
    return;
  }
  g_autoptr(GListModel) runs = in_order(self->runs, self->sorter);
  set_root(self, runs);
}

GtkTreeListModel *
lac_run_tree_get_model(LacRunTree *self)
{
  g_return_val_if_fail(LAC_IS_RUN_TREE(self), NULL);
  return self->rows;
}

void
lac_run_tree_expand(LacRunTree *self, gboolean is_expanded)
{
  g_return_if_fail(LAC_IS_RUN_TREE(self));
  const guint n = self->branches != NULL
                    ? g_list_model_get_n_items(lac_run_branches_get_groups(self->branches))
                    : 0;
  for (guint i = 0; i < n; i++) {
    g_autoptr(GtkTreeListRow) row = gtk_tree_list_model_get_child_row(self->rows, i);
    gtk_tree_list_row_set_expanded(row, is_expanded);
  }
}

/* Returns the position of the row, at @from or below. */
static guint
find_row(LacRunTree *self, gpointer wanted, guint from)
{
  for (guint i = from; i < g_list_model_get_n_items(G_LIST_MODEL(self->rows)); i++) {
    g_autoptr(GObject) row = g_list_model_get_item(G_LIST_MODEL(self->rows), i);
    if (row == wanted)
      return i;
  }
  return GTK_INVALID_LIST_POSITION;
}

/* Expands the group, whose row is at @from or below. Returns the position of its row. */
static guint
open_group(LacRunTree *self, LacRunGroupItem *group, guint from)
{
  guint                     at = find_row(self, group, from);
  g_autoptr(GtkTreeListRow) row = gtk_tree_list_model_get_row(self->rows, at);
  if (row != NULL)
    gtk_tree_list_row_set_expanded(row, TRUE);
  return at;
}

guint
lac_run_tree_reveal(LacRunTree *self, LacRunItem *run)
{
  g_return_val_if_fail(LAC_IS_RUN_TREE(self) && LAC_IS_RUN_ITEM(run), GTK_INVALID_LIST_POSITION);
  LacRunGroupItem *sweep = NULL, *group = NULL;
  guint            from = 0;
  lac_run_tree_wait(self);
  if (self->branches != NULL)
    group = lac_run_branches_find(self->branches, run, &sweep);
  if (group != NULL)
    from = open_group(self, group, from);
  if (sweep != NULL)
    from = open_group(self, sweep, from);
  return find_row(self, run, from);
}

/* ---- the object ---- */

static void
lac_run_tree_dispose(GObject *object)
{
  LacRunTree *self = LAC_RUN_TREE(object);
  forget_pending(self);
  if (self->runs != NULL)
    g_signal_handlers_disconnect_by_data(self->runs, self);
  g_hash_table_remove_all(self->present);
  g_ptr_array_foreach(self->known, (GFunc) (void (*)(void)) g_object_unref, NULL);
  g_ptr_array_set_size(self->known, 0);
  g_clear_object(&self->rows);
  g_clear_object(&self->roots);
  g_clear_pointer(&self->branches, lac_run_branches_free);
  g_clear_object(&self->runs);
  g_clear_object(&self->sorter);
  g_clear_object(&self->by_value);
  g_clear_pointer(&self->key, g_free);
  G_OBJECT_CLASS(lac_run_tree_parent_class)->dispose(object);
}

static void
lac_run_tree_finalize(GObject *object)
{
  LacRunTree *self = LAC_RUN_TREE(object);
  g_ptr_array_unref(self->known);
  g_hash_table_unref(self->present);
  g_hash_table_unref(self->queued);
  G_OBJECT_CLASS(lac_run_tree_parent_class)->finalize(object);
}

static void
lac_run_tree_class_init(LacRunTreeClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_run_tree_dispose;
  G_OBJECT_CLASS(class)->finalize = lac_run_tree_finalize;
}

static void
lac_run_tree_init(LacRunTree *self)
{
  self->known = g_ptr_array_new();
  self->present = g_hash_table_new(NULL, NULL);
  self->queued = g_hash_table_new(NULL, NULL);
  self->roots = g_list_store_new(G_TYPE_LIST_MODEL);
}

static LacRunTree *
make(GListModel *runs, GtkSorter *sorter, GtkSorter *by_value)
{
  LacRunTree *self = g_object_new(LAC_TYPE_RUN_TREE, NULL);
  self->runs = g_object_ref(runs);
  self->sorter = g_object_ref(sorter);
  g_set_object(&self->by_value, by_value);
  GtkFlattenListModel *flat = gtk_flatten_list_model_new(g_object_ref(G_LIST_MODEL(self->roots)));
  self->rows =
    gtk_tree_list_model_new(G_LIST_MODEL(flat), TRUE, by_value == NULL, on_children, self, NULL);
  g_signal_connect_object(runs, "items-changed", G_CALLBACK(on_runs), self, 0);
  on_runs(runs, 0, 0, g_list_model_get_n_items(runs), self);
  lac_run_tree_set_grouping(
    self, lac_run_grouping_key(by_value != NULL ? LAC_GROUP_DAY : LAC_GROUP_NONE));
  return self;
}

LacRunTree *
lac_run_tree_new(GListModel *runs, GtkSorter *sorter)
{
  g_return_val_if_fail(G_IS_LIST_MODEL(runs) && GTK_IS_SORTER(sorter), NULL);
  return make(runs, sorter, NULL);
}

static gint64
get_started(gpointer row)
{
  return LAC_IS_RUN_GROUP_ITEM(row) ? lac_run_group_item_get_started(row)
                                    : lac_run_item_get(row)->started_s;
}

static const char *
get_name(gpointer row)
{
  return LAC_IS_RUN_GROUP_ITEM(row) ? lac_run_group_item_get_name(row)
                                    : lac_run_item_get(row)->name;
}

static int
compare_latest(gconstpointer a, gconstpointer b, gpointer user_data)
{
  gpointer     rows[] = {(gpointer) a, (gpointer) b};
  const gint64 left = get_started(rows[0]), right = get_started(rows[1]);
  if (left == right && LAC_IS_RUN_ITEM(rows[0]) && LAC_IS_RUN_ITEM(rows[1])) {
    int order = lac_run_headline_compare(lac_run_item_get(rows[1]), lac_run_item_get(rows[0]),
                                         LAC_RUNS_BY_STARTED);
    if (order != 0)
      return order;
  }
  return left != right ? (left < right ? 1 : -1) : strcmp(get_name(rows[1]), get_name(rows[0]));
}

static int
compare_swept(gconstpointer a, gconstpointer b, gpointer user_data)
{
  return lac_run_item_compare_swept((LacRunItem *) a, (LacRunItem *) b);
}

LacRunTree *
lac_run_tree_new_with_sweeps(GListModel *runs)
{
  g_return_val_if_fail(G_IS_LIST_MODEL(runs), NULL);
  g_autoptr(GtkSorter) sorter = GTK_SORTER(gtk_custom_sorter_new(compare_latest, NULL, NULL));
  g_autoptr(GtkSorter) by_value = GTK_SORTER(gtk_custom_sorter_new(compare_swept, NULL, NULL));
  return make(runs, sorter, by_value);
}
