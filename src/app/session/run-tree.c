/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Either runs -> order -> rows, or runs -> groups -> order within each -> rows. */
#include "app/session/run-tree.h"

#include "run/library/group.h"

#include <string.h>

#define MOST_UNFOLDED 3 /* groups that are expanded at first, if they may contain sweeps */

typedef struct Branch Branch;

/* A group, or a sweep within one. */
struct Branch {
  LacRunGroupItem *item;
  Branch          *parent; /* (nullable): of a sweep */
  char            *name;   /* key in the table of branches */
  GHashTable      *leaving;
  GPtrArray       *joining; /* rows, until the end of the turn */
  gboolean         is_touched;
};

/* The branches of a run. */
typedef struct {
  LacRunHeadline *headline;
  GPtrArray      *branches; /* Branch, several for a run with several tags */
} Place;

struct _LacRunTree {
  GObject           parent_instance;
  GListModel       *runs;
  GtkSorter        *sorter;
  gboolean          with_sweeps;
  char             *key;
  GPtrArray        *known;   /* the contents of @runs */
  GHashTable       *present; /* set of the same */
  GQueue            pending; /* runs to be placed; referenced */
  GHashTable       *queued;  /* set of the same */
  GHashTable       *places;  /* run -> Place */
  GHashTable       *branches;
  GPtrArray        *touched; /* Branch, in this turn */
  GListStore       *groups;  /* LacRunGroupItem */
  GListStore       *roots;   /* the sorted runs, or the groups */
  GtkTreeListModel *rows;
  guint             turn; /* idle source */
};

G_DEFINE_FINAL_TYPE(LacRunTree, lac_run_tree, G_TYPE_OBJECT)

static gboolean
is_grouped(LacRunTree *self)
{
  return self->key != NULL && lac_run_grouping_find(self->key) != LAC_GROUP_NONE;
}

static GListModel *
in_order(LacRunTree *self, GListModel *runs)
{
  return G_LIST_MODEL(gtk_sort_list_model_new(g_object_ref(runs), g_object_ref(self->sorter)));
}

static GListModel *
on_children(gpointer item, gpointer tree)
{
  return LAC_IS_RUN_GROUP_ITEM(item) ? in_order(tree, lac_run_group_item_get_runs(item)) : NULL;
}

/* ---- branches ---- */

static void
branch_free(gpointer data)
{
  Branch *branch = data;
  g_object_unref(branch->item);
  g_free(branch->name);
  g_hash_table_unref(branch->leaving);
  g_ptr_array_unref(branch->joining);
  g_free(branch);
}

static void
place_free(gpointer data)
{
  Place *place = data;
  lac_run_headline_unref(place->headline);
  g_ptr_array_unref(place->branches);
  g_free(place);
}

static void
touch(LacRunTree *self, Branch *branch)
{
  if (!branch->is_touched)
    g_ptr_array_add(self->touched, branch);
  branch->is_touched = TRUE;
}

static void
join(LacRunTree *self, Branch *branch, gpointer row)
{
  if (!g_hash_table_remove(branch->leaving, row))
    g_ptr_array_add(branch->joining, row);
  touch(self, branch);
}

static void
leave(LacRunTree *self, Branch *branch, gpointer row)
{
  if (!g_ptr_array_remove(branch->joining, row))
    g_hash_table_add(branch->leaving, row);
  touch(self, branch);
}

/* @name: (transfer full) */
static Branch *
find_branch(LacRunTree *self, char *name, Branch *parent, const char *key, const char *own_name)
{
  Branch *branch = g_hash_table_lookup(self->branches, name);
  if (branch != NULL) {
    g_free(name);
    return branch;
  }
  branch = g_new0(Branch, 1);
  branch->item = lac_run_group_item_new(key, own_name);
  branch->parent = parent;
  branch->name = name;
  branch->leaving = g_hash_table_new(NULL, NULL);
  branch->joining = g_ptr_array_new();
  g_hash_table_insert(self->branches, branch->name, branch);
  if (parent != NULL)
    join(self, parent, branch->item);
  return branch;
}

/* Returns: (transfer full): the branches that the run is to stand in. */
static GPtrArray *
find_branches(LacRunTree *self, const LacRunHeadline *run)
{
  const char   *sweeps = lac_run_grouping_key(LAC_GROUP_SWEEP);
  GPtrArray    *found = g_ptr_array_new();
  g_auto(GStrv) names = lac_run_dup_group_names(run, self->key);
  for (char **name = names; *name != NULL; name++) {
    Branch *branch = find_branch(self, g_strdup(*name), NULL, self->key, *name);
    if (self->with_sweeps && run->sweep != NULL && *run->sweep != '\0') {
      g_autofree char *sweep = g_strndup(run->sweep, strcspn(run->sweep, " "));
      char            *whole = g_strdup_printf("%s\n%s", *name, sweep);
      branch = find_branch(self, whole, branch, sweeps, sweep);
    }
    g_ptr_array_add(found, branch);
  }
  return found;
}

/* ---- a turn: runs are placed, then the branches they touched are updated ---- */

static void
place(LacRunTree *self, LacRunItem *run)
{
  const LacRunHeadline *headline = lac_run_item_get(run);
  const Place          *before = g_hash_table_lookup(self->places, run);
  gboolean              is_here = g_hash_table_contains(self->present, run);
  if (before != NULL && is_here && before->headline == headline)
    return;
  GPtrArray *branches = is_here ? find_branches(self, headline) : g_ptr_array_new();
  for (guint i = 0; before != NULL && i < before->branches->len; i++) {
    if (g_ptr_array_find(branches, before->branches->pdata[i], NULL))
      touch(self, before->branches->pdata[i]); /* its sums change */
    else
      leave(self, before->branches->pdata[i], run);
  }
  for (guint i = 0; i < branches->len; i++)
    if (before == NULL || !g_ptr_array_find(before->branches, branches->pdata[i], NULL))
      join(self, branches->pdata[i], run);
  if (!is_here) {
    g_ptr_array_unref(branches);
    g_hash_table_remove(self->places, run);
    return;
  }
  Place *now = g_new(Place, 1);
  *now = (Place){lac_run_headline_ref((LacRunHeadline *) headline), branches};
  g_hash_table_replace(self->places, g_object_ref(run), now);
}

static void
unfold(LacRunTree *self, guint group)
{
  g_autoptr(GtkTreeListRow) row = gtk_tree_list_model_get_child_row(self->rows, group);
  if (row != NULL)
    gtk_tree_list_row_set_expanded(row, TRUE);
}

/* Existing groups are not moved, which keeps their fold state: the order of groups is fixed. */
static void
insert_group(LacRunTree *self, Branch *branch)
{
  const char *name = lac_run_group_item_get_name(branch->item);
  guint       at = 0;
  for (; at < g_list_model_get_n_items(G_LIST_MODEL(self->groups)); at++) {
    g_autoptr(LacRunGroupItem) group = g_list_model_get_item(G_LIST_MODEL(self->groups), at);
    if (group == branch->item)
      return;
    if (lac_run_compare_group_names(name, lac_run_group_item_get_name(group), self->key) < 0)
      break;
  }
  g_list_store_insert(self->groups, at, branch->item);
  if (self->with_sweeps && at < MOST_UNFOLDED)
    unfold(self, at);
}

static void
remove_group(LacRunTree *self, Branch *branch)
{
  guint at;
  if (branch->parent != NULL)
    leave(self, branch->parent, branch->item);
  else if (g_list_store_find(self->groups, branch->item, &at))
    g_list_store_remove(self->groups, at);
  g_hash_table_remove(self->branches, branch->name);
}

/* Returns: (transfer full): the rows of the branch after the turn. */
static GPtrArray *
list_rows(Branch *branch)
{
  GListModel *runs = lac_run_group_item_get_runs(branch->item);
  GPtrArray  *rows = g_ptr_array_new_with_free_func(g_object_unref);
  for (guint i = 0; i < g_list_model_get_n_items(runs); i++) {
    GObject *row = g_list_model_get_item(runs, i);
    if (g_hash_table_contains(branch->leaving, row))
      g_object_unref(row);
    else
      g_ptr_array_add(rows, row);
  }
  for (guint i = 0; i < branch->joining->len; i++)
    g_ptr_array_add(rows, g_object_ref(branch->joining->pdata[i]));
  return rows;
}

static void
update_branch(LacRunTree *self, Branch *branch)
{
  g_autoptr(GPtrArray) rows = list_rows(branch);
  g_hash_table_remove_all(branch->leaving);
  g_ptr_array_set_size(branch->joining, 0);
  branch->is_touched = FALSE;
  if (rows->len == 0) {
    remove_group(self, branch);
    return;
  }
  lac_run_group_item_set(branch->item, rows);
  if (branch->parent != NULL)
    touch(self, branch->parent);
  else
    insert_group(self, branch);
}

/* Sweeps come first: they touch their groups. */
static void
update_branches(LacRunTree *self)
{
  for (guint pass = 0; pass < 2; pass++) {
    g_autoptr(GPtrArray) touched = g_steal_pointer(&self->touched);
    self->touched = g_ptr_array_new();
    for (guint i = 0; i < touched->len; i++) {
      Branch *branch = touched->pdata[i];
      if (branch->parent != NULL || pass == 1)
        update_branch(self, branch);
      else
        g_ptr_array_add(self->touched, branch);
    }
  }
}

static void
take_turn(LacRunTree *self, guint most)
{
  for (guint i = 0; i < most; i++) {
    g_autoptr(LacRunItem) run = g_queue_pop_head(&self->pending);
    if (run == NULL)
      break;
    g_hash_table_remove(self->queued, run);
    place(self, run);
  }
  update_branches(self);
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
  if (is_grouped(self) && g_hash_table_add(self->queued, run))
    g_queue_push_tail(&self->pending, g_object_ref(run));
}

static void
retitle(gpointer name, gpointer branch, gpointer tree)
{
  lac_run_group_item_update_title(((Branch *) branch)->item);
}

void
lac_run_tree_refresh(LacRunTree *self)
{
  g_return_if_fail(LAC_IS_RUN_TREE(self));
  for (guint i = 0; i < self->known->len; i++)
    enqueue(self, self->known->pdata[i]);
  g_hash_table_foreach(self->branches, retitle, self);
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

/* The rows change once, unless there are too many runs for one turn. */
void
lac_run_tree_set_grouping(LacRunTree *self, const char *key)
{
  g_return_if_fail(LAC_IS_RUN_TREE(self) && key != NULL);
  if (g_strcmp0(self->key, key) == 0)
    return;
  g_free(self->key);
  self->key = g_strdup(key);
  forget_pending(self);
  g_hash_table_remove_all(self->places);
  g_hash_table_remove_all(self->branches);
  g_clear_object(&self->groups);
  self->groups = g_list_store_new(LAC_TYPE_RUN_GROUP_ITEM);
  for (guint i = 0; i < self->known->len; i++)
    enqueue(self, self->known->pdata[i]);
  take_turn(self, LAC_RUN_TREE_MOST);
  schedule(self);
  g_autoptr(GListModel) root =
    is_grouped(self) ? g_object_ref(G_LIST_MODEL(self->groups)) : in_order(self, self->runs);
  g_list_store_splice(self->roots, 0, g_list_model_get_n_items(G_LIST_MODEL(self->roots)),
                      (gpointer *) &root, 1);
  for (guint i = 0; is_grouped(self) && self->with_sweeps && i < MOST_UNFOLDED; i++)
    unfold(self, i);
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
  for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(self->groups)); i++) {
    g_autoptr(GtkTreeListRow) row =
      is_grouped(self) ? gtk_tree_list_model_get_child_row(self->rows, i) : NULL;
    if (row != NULL)
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

static guint
reveal_branch(LacRunTree *self, const Branch *branch)
{
  guint from = branch->parent != NULL ? reveal_branch(self, branch->parent) : 0;
  guint at = from != GTK_INVALID_LIST_POSITION ? find_row(self, branch->item, from) : from;
  g_autoptr(GtkTreeListRow) row = gtk_tree_list_model_get_row(self->rows, at);
  if (row != NULL)
    gtk_tree_list_row_set_expanded(row, TRUE);
  return at;
}

guint
lac_run_tree_reveal(LacRunTree *self, LacRunItem *run)
{
  g_return_val_if_fail(LAC_IS_RUN_TREE(self) && LAC_IS_RUN_ITEM(run), GTK_INVALID_LIST_POSITION);
  lac_run_tree_wait(self);
  const Place *standing = g_hash_table_lookup(self->places, run);
  guint        from = standing != NULL ? reveal_branch(self, standing->branches->pdata[0]) : 0;
  return from != GTK_INVALID_LIST_POSITION ? find_row(self, run, from) : from;
}

/* ---- the object ---- */

static void
lac_run_tree_dispose(GObject *object)
{
  LacRunTree *self = LAC_RUN_TREE(object);
  forget_pending(self);
  if (self->runs != NULL)
    g_signal_handlers_disconnect_by_data(self->runs, self);
  g_hash_table_remove_all(self->places);
  g_hash_table_remove_all(self->branches);
  g_hash_table_remove_all(self->present);
  g_ptr_array_foreach(self->known, (GFunc) (void (*)(void)) g_object_unref, NULL);
  g_ptr_array_set_size(self->known, 0);
  g_clear_object(&self->rows);
  g_clear_object(&self->roots);
  g_clear_object(&self->groups);
  g_clear_object(&self->runs);
  g_clear_object(&self->sorter);
  g_clear_pointer(&self->key, g_free);
  G_OBJECT_CLASS(lac_run_tree_parent_class)->dispose(object);
}

static void
lac_run_tree_finalize(GObject *object)
{
  LacRunTree *self = LAC_RUN_TREE(object);
  g_ptr_array_unref(self->known);
  g_ptr_array_unref(self->touched);
  g_hash_table_unref(self->present);
  g_hash_table_unref(self->queued);
  g_hash_table_unref(self->places);
  g_hash_table_unref(self->branches);
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
  self->touched = g_ptr_array_new();
  self->present = g_hash_table_new(NULL, NULL);
  self->queued = g_hash_table_new(NULL, NULL);
  self->places = g_hash_table_new_full(NULL, NULL, g_object_unref, place_free);
  self->branches = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, branch_free);
  self->groups = g_list_store_new(LAC_TYPE_RUN_GROUP_ITEM);
  self->roots = g_list_store_new(G_TYPE_LIST_MODEL);
}

static LacRunTree *
make(GListModel *runs, GtkSorter *sorter, gboolean with_sweeps)
{
  LacRunTree *self = g_object_new(LAC_TYPE_RUN_TREE, NULL);
  self->runs = g_object_ref(runs);
  self->sorter = g_object_ref(sorter);
  self->with_sweeps = with_sweeps;
  GtkFlattenListModel *flat = gtk_flatten_list_model_new(g_object_ref(G_LIST_MODEL(self->roots)));
  self->rows =
    gtk_tree_list_model_new(G_LIST_MODEL(flat), TRUE, !with_sweeps, on_children, self, NULL);
  g_signal_connect_object(runs, "items-changed", G_CALLBACK(on_runs), self, 0);
  on_runs(runs, 0, 0, g_list_model_get_n_items(runs), self);
  lac_run_tree_set_grouping(self,
                            lac_run_grouping_key(with_sweeps ? LAC_GROUP_DAY : LAC_GROUP_NONE));
  return self;
}

LacRunTree *
lac_run_tree_new(GListModel *runs, GtkSorter *sorter)
{
  g_return_val_if_fail(G_IS_LIST_MODEL(runs) && GTK_IS_SORTER(sorter), NULL);
  return make(runs, sorter, FALSE);
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
  return left != right ? (left < right ? 1 : -1) : strcmp(get_name(rows[1]), get_name(rows[0]));
}

LacRunTree *
lac_run_tree_new_with_sweeps(GListModel *runs)
{
  g_return_val_if_fail(G_IS_LIST_MODEL(runs), NULL);
  g_autoptr(GtkSorter) sorter = GTK_SORTER(gtk_custom_sorter_new(compare_latest, NULL, NULL));
  return make(runs, sorter, TRUE);
}
