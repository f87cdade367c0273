/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Either runs -> order -> rows, or runs -> groups -> order within each -> rows. */
#include "app/session/run-tree.h"

#include "run/library/group.h"

struct _LacRunTree {
  GObject           parent_instance;
  GListModel       *runs;
  GtkSorter        *sorter;
  char             *key;
  GListStore       *groups; /* LacRunGroupItem */
  GListStore       *roots;  /* the sorted runs, or the groups */
  GtkTreeListModel *rows;
  guint             refresh; /* idle source */
};

G_DEFINE_FINAL_TYPE(LacRunTree, lac_run_tree, G_TYPE_OBJECT)

static gboolean
is_grouped(LacRunTree *self)
{
  return lac_run_grouping_find(self->key) != LAC_GROUP_NONE;
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

/* ---- the groups ---- */

/* Returns the groups with their runs, reusing existing groups by name. */
static GPtrArray *
make_groups(LacRunTree *self)
{
  guint                 n = g_list_model_get_n_items(self->runs);
  g_autoptr(GPtrArray)  headlines = g_ptr_array_sized_new(n);
  g_autoptr(GHashTable) items = g_hash_table_new_full(NULL, NULL, NULL, g_object_unref);
  g_autoptr(GHashTable) old = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_object_unref);
  GPtrArray            *made = g_ptr_array_new_with_free_func(g_object_unref);
  for (guint i = 0; i < n; i++) {
    LacRunItem *item = g_list_model_get_item(self->runs, i);
    g_ptr_array_add(headlines, (gpointer) lac_run_item_get(item));
    g_hash_table_insert(items, (gpointer) lac_run_item_get(item), item);
  }
  for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(self->groups)); i++) {
    LacRunGroupItem *group = g_list_model_get_item(G_LIST_MODEL(self->groups), i);
    g_hash_table_insert(old, (gpointer) lac_run_group_item_get_name(group), group);
  }
  g_autoptr(GPtrArray) groups = lac_run_group(headlines, self->key);
  for (guint i = 0; i < groups->len; i++) {
    const LacRunGroup   *group = groups->pdata[i];
    LacRunGroupItem     *item = g_hash_table_lookup(old, group->name);
    g_autoptr(GPtrArray) runs = g_ptr_array_new();
    for (guint k = 0; k < group->runs->len; k++)
      g_ptr_array_add(runs, g_hash_table_lookup(items, group->runs->pdata[k]));
    item = item != NULL ? g_object_ref(item) : lac_run_group_item_new(self->key, group->name);
    lac_run_group_item_set(item, runs);
    g_ptr_array_add(made, item);
  }
  return made;
}

/* Existing groups are not moved, which keeps their fold state: the order of groups is fixed. */
static void
put_groups(LacRunTree *self, GPtrArray *made)
{
  GListModel *list = G_LIST_MODEL(self->groups);
  for (guint i = 0; i < g_list_model_get_n_items(list);) {
    g_autoptr(LacRunGroupItem) group = g_list_model_get_item(list, i);
    if (g_ptr_array_find(made, group, NULL))
      i++;
    else
      g_list_store_remove(self->groups, i);
  }
  for (guint i = 0; i < made->len; i++) {
    g_autoptr(LacRunGroupItem) there = g_list_model_get_item(list, i);
    if (there != made->pdata[i])
      g_list_store_insert(self->groups, i, made->pdata[i]);
  }
}

void
lac_run_tree_wait(LacRunTree *self)
{
  g_return_if_fail(LAC_IS_RUN_TREE(self));
  if (self->refresh == 0)
    return;
  g_clear_handle_id(&self->refresh, g_source_remove);
  g_autoptr(GPtrArray) made = make_groups(self);
  put_groups(self, made);
}

static gboolean
on_refresh(gpointer tree)
{
  lac_run_tree_wait(tree);
  return G_SOURCE_REMOVE;
}

/* Regroups before the next frame, once for many removed runs. */
void
lac_run_tree_refresh(LacRunTree *self)
{
  g_return_if_fail(LAC_IS_RUN_TREE(self));
  if (self->refresh == 0 && is_grouped(self))
    self->refresh = g_idle_add_full(G_PRIORITY_HIGH_IDLE, on_refresh, self, NULL);
}

void
lac_run_tree_set_grouping(LacRunTree *self, const char *key)
{
  g_return_if_fail(LAC_IS_RUN_TREE(self) && key != NULL);
  if (g_strcmp0(self->key, key) == 0)
    return;
  g_free(self->key);
  self->key = g_strdup(key);
  g_clear_handle_id(&self->refresh, g_source_remove);
  g_clear_object(&self->groups); /* built separately, so that the rows change once */
  self->groups = g_list_store_new(LAC_TYPE_RUN_GROUP_ITEM);
  lac_run_tree_refresh(self);
  lac_run_tree_wait(self);
  g_autoptr(GListModel) root =
    is_grouped(self) ? g_object_ref(G_LIST_MODEL(self->groups)) : in_order(self, self->runs);
  g_list_store_splice(self->roots, 0, g_list_model_get_n_items(G_LIST_MODEL(self->roots)),
                      (gpointer *) &root, 1);
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

/* ---- the object ---- */

static void
lac_run_tree_dispose(GObject *object)
{
  LacRunTree *self = LAC_RUN_TREE(object);
  g_clear_handle_id(&self->refresh, g_source_remove);
  if (self->runs != NULL)
    g_signal_handlers_disconnect_by_data(self->runs, self);
  g_clear_object(&self->rows);
  g_clear_object(&self->roots);
  g_clear_object(&self->groups);
  g_clear_object(&self->runs);
  g_clear_object(&self->sorter);
  g_clear_pointer(&self->key, g_free);
  G_OBJECT_CLASS(lac_run_tree_parent_class)->dispose(object);
}

static void
lac_run_tree_class_init(LacRunTreeClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_run_tree_dispose;
}

static void
lac_run_tree_init(LacRunTree *self)
{
  self->groups = g_list_store_new(LAC_TYPE_RUN_GROUP_ITEM);
  self->roots = g_list_store_new(G_TYPE_LIST_MODEL);
}

LacRunTree *
lac_run_tree_new(GListModel *runs, GtkSorter *sorter)
{
  g_return_val_if_fail(G_IS_LIST_MODEL(runs) && GTK_IS_SORTER(sorter), NULL);
  LacRunTree *self = g_object_new(LAC_TYPE_RUN_TREE, NULL);
  self->runs = g_object_ref(runs);
  self->sorter = g_object_ref(sorter);
  GtkFlattenListModel *flat = gtk_flatten_list_model_new(g_object_ref(G_LIST_MODEL(self->roots)));
  self->rows = gtk_tree_list_model_new(G_LIST_MODEL(flat), TRUE, TRUE, on_children, self, NULL);
  g_signal_connect_object(runs, "items-changed", G_CALLBACK(lac_run_tree_refresh), self,
                          G_CONNECT_SWAPPED);
  lac_run_tree_set_grouping(self, lac_run_grouping_key(LAC_GROUP_NONE));
  return self;
}
