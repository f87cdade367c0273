/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A group in the list of runs. */
#include "app/session/run-group-item.h"

#include "experiment/experiment.h"
#include "run/library/group.h"

#include <glib/gi18n-lib.h>

struct _LacRunGroupItem {
  LacColumnRow parent_instance;
  char        *key, *name, *title;
  GListStore  *runs;
  double       seconds;
  guint64      bytes;
};

G_DEFINE_FINAL_TYPE(LacRunGroupItem, lac_run_group_item, LAC_TYPE_COLUMN_ROW)

/* ---- texts ---- */

char *
lac_run_dup_setting_label(const LacRunHeadline *run, const char *key)
{
  const LacExperiment *experiment = lac_experiment_find(run->experiment, NULL);
  for (gsize i = 0; experiment != NULL && i < experiment->params.n_rows; i++)
    if (g_str_equal(experiment->params.rows[i].key, key))
      return g_strdup(g_dgettext(GETTEXT_PACKAGE, experiment->params.rows[i].label));
  return g_strdup(key);
}

static char *
describe_setting(const LacRunHeadline *run, const char *key, const char *name)
{
  if (*name == '\0')
    return g_strdup(_("Setting not available"));
  g_autofree char *label = lac_run_dup_setting_label(run, key);
  g_autofree char *value = lac_experiment_dup_shown(run->experiment, key, name);
  return g_strdup_printf("%s: %s", label, value);
}

/* @run: any run of the group; all share the property in the title. */
static char *
describe(const LacRunHeadline *run, const char *key, const char *name)
{
  switch (lac_run_grouping_find(key)) {
  case LAC_GROUP_NONE: return g_strdup("");
  case LAC_GROUP_EXPERIMENT: return g_strdup(g_dgettext(GETTEXT_PACKAGE, run->title));
  case LAC_GROUP_LABORATORY: return lac_run_item_dup_laboratory(run);
  case LAC_GROUP_OUTCOME: return lac_run_item_dup_outcome(run);
  case LAC_GROUP_TAG: return g_strdup(*name != '\0' ? name : _("Untagged"));
  case LAC_GROUP_DAY: return lac_run_item_dup_day(run);
  case LAC_GROUP_SETTING: return describe_setting(run, key, name);
  case LAC_N_GROUPINGS: break;
  }
  g_return_val_if_reached(NULL);
}

/* ---- contents ---- */

/* Replaces only the items between the first and the last difference. */
static void
replace(GListStore *store, GPtrArray *items)
{
  guint                n = g_list_model_get_n_items(G_LIST_MODEL(store)), first = 0, same_end = 0;
  g_autoptr(GPtrArray) before = g_ptr_array_new_with_free_func(g_object_unref);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add(before, g_list_model_get_item(G_LIST_MODEL(store), i));
  while (first < MIN(n, items->len) && before->pdata[first] == items->pdata[first])
    first++;
  while (same_end < MIN(n, items->len) - first &&
         before->pdata[n - 1 - same_end] == items->pdata[items->len - 1 - same_end])
    same_end++;
  if (n == items->len && first == n)
    return;
  g_list_store_splice(store, first, n - first - same_end, items->pdata + first,
                      items->len - first - same_end);
}

void
lac_run_group_item_set(LacRunGroupItem *self, GPtrArray *items)
{
  g_return_if_fail(LAC_IS_RUN_GROUP_ITEM(self) && items->len > 0);
  replace(self->runs, items);
  self->seconds = 0;
  self->bytes = 0;
  for (guint i = 0; i < items->len; i++) {
    const LacRunHeadline *run = lac_run_item_get(items->pdata[i]);
    self->seconds += run->seconds;
    self->bytes += run->bytes;
  }
  g_free(self->title);
  self->title = describe(lac_run_item_get(items->pdata[0]), self->key, self->name);
  lac_column_row_updated(LAC_COLUMN_ROW(self));
}

const char *
lac_run_group_item_get_name(LacRunGroupItem *self)
{
  g_return_val_if_fail(LAC_IS_RUN_GROUP_ITEM(self), NULL);
  return self->name;
}

const char *
lac_run_group_item_get_title(LacRunGroupItem *self)
{
  g_return_val_if_fail(LAC_IS_RUN_GROUP_ITEM(self), NULL);
  return self->title;
}

GListModel *
lac_run_group_item_get_runs(LacRunGroupItem *self)
{
  g_return_val_if_fail(LAC_IS_RUN_GROUP_ITEM(self), NULL);
  return G_LIST_MODEL(self->runs);
}

double
lac_run_group_item_get_seconds(LacRunGroupItem *self)
{
  g_return_val_if_fail(LAC_IS_RUN_GROUP_ITEM(self), 0);
  return self->seconds;
}

guint64
lac_run_group_item_get_bytes(LacRunGroupItem *self)
{
  g_return_val_if_fail(LAC_IS_RUN_GROUP_ITEM(self), 0);
  return self->bytes;
}

/* ---- the object ---- */

static void
lac_run_group_item_finalize(GObject *object)
{
  LacRunGroupItem *self = LAC_RUN_GROUP_ITEM(object);
  g_clear_object(&self->runs);
  g_free(self->key);
  g_free(self->name);
  g_free(self->title);
  G_OBJECT_CLASS(lac_run_group_item_parent_class)->finalize(object);
}

static void
lac_run_group_item_class_init(LacRunGroupItemClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_run_group_item_finalize;
}

static void
lac_run_group_item_init(LacRunGroupItem *self)
{
  self->runs = g_list_store_new(LAC_TYPE_RUN_ITEM);
}

LacRunGroupItem *
lac_run_group_item_new(const char *key, const char *name)
{
  LacRunGroupItem *self = g_object_new(LAC_TYPE_RUN_GROUP_ITEM, NULL);
  self->key = g_strdup(key);
  self->name = g_strdup(name);
  return self;
}
