/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs are placed, then the branches they touched are updated. */
#include "app/session/run-branches.h"

#include "run/library/group.h"

#include <string.h>

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

struct _LacRunBranches {
  char       *key;
  gboolean    with_sweeps;
  GHashTable *places;   /* run -> Place */
  GHashTable *branches; /* name -> Branch */
  GPtrArray  *touched;  /* Branch, since the last update */
  GListStore *groups;
};

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
touch(LacRunBranches *self, Branch *branch)
{
  if (!branch->is_touched)
    g_ptr_array_add(self->touched, branch);
  branch->is_touched = TRUE;
}

static void
join(LacRunBranches *self, Branch *branch, gpointer row)
{
  if (!g_hash_table_remove(branch->leaving, row))
    g_ptr_array_add(branch->joining, row);
  touch(self, branch);
}

static void
leave(LacRunBranches *self, Branch *branch, gpointer row)
{
  if (!g_ptr_array_remove(branch->joining, row))
    g_hash_table_add(branch->leaving, row);
  touch(self, branch);
}

/* @name: (transfer full) */
static Branch *
find_branch(LacRunBranches *self, char *name, Branch *parent, const char *key, const char *own_name)
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
find_branches(LacRunBranches *self, const LacRunHeadline *run)
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

/* ---- placing ---- */

void
lac_run_branches_place(LacRunBranches *self, LacRunItem *run, gboolean is_here)
{
  const LacRunHeadline *headline = lac_run_item_get(run);
  const Place          *before = g_hash_table_lookup(self->places, run);
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

/* ---- updating ---- */

/* Existing groups are not moved, which keeps their fold state: the order of groups is fixed. */
static void
insert_group(LacRunBranches *self, Branch *branch)
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
}

static void
remove_group(LacRunBranches *self, Branch *branch)
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
update_branch(LacRunBranches *self, Branch *branch)
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
void
lac_run_branches_update(LacRunBranches *self)
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
retitle(gpointer name, gpointer branch, gpointer user_data)
{
  lac_run_group_item_update_title(((Branch *) branch)->item);
}

void
lac_run_branches_update_titles(LacRunBranches *self)
{
  g_hash_table_foreach(self->branches, retitle, NULL);
}

/* ---- the struct ---- */

LacRunGroupItem *
lac_run_branches_find(LacRunBranches *self, LacRunItem *run, LacRunGroupItem **sweep)
{
  const Place *place = g_hash_table_lookup(self->places, run);
  *sweep = NULL;
  if (place == NULL)
    return NULL;
  const Branch *branch = place->branches->pdata[0];
  if (branch->parent == NULL)
    return branch->item;
  *sweep = branch->item;
  return branch->parent->item;
}

GListModel *
lac_run_branches_get_groups(LacRunBranches *self)
{
  return G_LIST_MODEL(self->groups);
}

LacRunBranches *
lac_run_branches_new(const char *key, gboolean with_sweeps)
{
  g_return_val_if_fail(key != NULL, NULL);
  LacRunBranches *self = g_new0(LacRunBranches, 1);
  self->key = g_strdup(key);
  self->with_sweeps = with_sweeps;
  self->touched = g_ptr_array_new();
  self->places = g_hash_table_new_full(NULL, NULL, g_object_unref, place_free);
  self->branches = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, branch_free);
  self->groups = g_list_store_new(LAC_TYPE_RUN_GROUP_ITEM);
  return self;
}

void
lac_run_branches_free(LacRunBranches *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref(self->places);
  g_hash_table_unref(self->branches);
  g_ptr_array_unref(self->touched);
  g_object_unref(self->groups);
  g_free(self->key);
  g_free(self);
}
