/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A group in the list of runs. */
#include "app/session/run-group-item.h"

#include "experiment/experiment.h"
#include "run/library/best.h"
#include "run/library/group.h"
#include "run/plan/sweep.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

struct _LacRunGroupItem {
  LacColumnRow parent_instance;
  char        *key, *name, *title;
  GListStore  *runs;
  guint        n_runs;
  double       seconds;
  guint64      bytes;
};

G_DEFINE_FINAL_TYPE(LacRunGroupItem, lac_run_group_item, LAC_TYPE_COLUMN_ROW)

/* ---- texts ---- */

char *
lac_run_dup_setting_label(const LacRunHeadline *run, const char *key)
{
  const LacExperiment *experiment = lac_experiment_find(run->experiment, NULL);
  const LacParam *row = experiment != NULL ? lac_sweep_find_row(&experiment->params, key) : NULL;
  return g_strdup(row != NULL ? g_dgettext(GETTEXT_PACKAGE, row->label) : key);
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

/* Returns the labels of the swept parameters: "Sensors K, Noise". */
static char *
describe_sweep(const LacRunHeadline *run)
{
  const LacExperiment    *experiment = lac_experiment_find(run->experiment, NULL);
  const char             *text = strchr(run->sweep, ' ');
  g_autoptr(LacSweep)     sweep = text != NULL && experiment != NULL
                                    ? lac_sweep_parse(&experiment->params, text + 1, NULL)
                                    : NULL;
  g_autoptr(GStrvBuilder) labels = g_strv_builder_new();
  if (*run->sweep == '\0')
    return g_strdup(_("Single runs"));
  if (sweep == NULL) /* of an experiment or parameter that this version does not know */
    return g_strdup(text != NULL ? text + 1 : run->sweep);
  for (gsize k = 0; k < lac_sweep_get_n_keys(sweep); k++) {
    g_autofree char *label = lac_run_dup_setting_label(run, lac_sweep_get_key(sweep, k));
    g_strv_builder_add(labels, label);
  }
  g_auto(GStrv) all = g_strv_builder_end(labels);
  return g_strjoinv(", ", all);
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
  case LAC_GROUP_SWEEP: return describe_sweep(run);
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

/* Returns any run of the group. */
static const LacRunHeadline *
get_example(LacRunGroupItem *self)
{
  g_autoptr(GObject) first = g_list_model_get_item(G_LIST_MODEL(self->runs), 0);
  return LAC_IS_RUN_GROUP_ITEM(first) ? get_example(LAC_RUN_GROUP_ITEM(first))
                                      : lac_run_item_get(LAC_RUN_ITEM(first));
}

/* Returns TRUE when the title has changed. */
static gboolean
set_title(LacRunGroupItem *self)
{
  g_autofree char *before = g_steal_pointer(&self->title);
  self->title = describe(get_example(self), self->key, self->name);
  return g_strcmp0(before, self->title) != 0;
}

void
lac_run_group_item_update_title(LacRunGroupItem *self)
{
  g_return_if_fail(LAC_IS_RUN_GROUP_ITEM(self));
  if (self->n_runs > 0 && set_title(self))
    lac_column_row_updated(LAC_COLUMN_ROW(self));
}

static void
add_up(LacRunGroupItem *self, gpointer row)
{
  if (LAC_IS_RUN_GROUP_ITEM(row)) {
    const LacRunGroupItem *sweep = row;
    self->n_runs += sweep->n_runs;
    self->seconds += sweep->seconds;
    self->bytes += sweep->bytes;
    return;
  }
  const LacRunHeadline *run = lac_run_item_get(row);
  self->n_runs++;
  self->seconds += run->seconds;
  self->bytes += run->bytes;
}

void
lac_run_group_item_set(LacRunGroupItem *self, GPtrArray *items)
{
  g_return_if_fail(LAC_IS_RUN_GROUP_ITEM(self) && items->len > 0);
  replace(self->runs, items);
  self->n_runs = 0;
  self->seconds = 0;
  self->bytes = 0;
  for (guint i = 0; i < items->len; i++)
    add_up(self, items->pdata[i]);
  set_title(self);
  lac_column_row_updated(LAC_COLUMN_ROW(self));
}

guint
lac_run_group_item_get_n_runs(LacRunGroupItem *self)
{
  g_return_val_if_fail(LAC_IS_RUN_GROUP_ITEM(self), 0);
  return self->n_runs;
}

const char *
lac_run_group_item_get_key(LacRunGroupItem *self)
{
  g_return_val_if_fail(LAC_IS_RUN_GROUP_ITEM(self), NULL);
  return self->key;
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

/* ---- sweeps ---- */

gboolean
lac_run_group_item_is_sweep(LacRunGroupItem *self)
{
  g_return_val_if_fail(LAC_IS_RUN_GROUP_ITEM(self), FALSE);
  return lac_run_grouping_find(self->key) == LAC_GROUP_SWEEP && *self->name != '\0';
}

/* The name of a sweep begins with a time (lac_sweep_dup_identity()), which unlike those of its runs never changes. */
gint64
lac_run_group_item_get_started(LacRunGroupItem *self)
{
  g_return_val_if_fail(LAC_IS_RUN_GROUP_ITEM(self), 0);
  int year, month, day, hour, minute, second;
  if (!lac_run_group_item_is_sweep(self) ||
      sscanf(self->name, "%4d%2d%2d-%2d%2d%2d", &year, &month, &day, &hour, &minute, &second) != 6)
    return 0;
  g_autoptr(GDateTime) then = g_date_time_new_local(year, month, day, hour, minute, second);
  return then != NULL ? g_date_time_to_unix(then) : 0;
}

static int
compare_swept(gconstpointer a, gconstpointer b)
{
  return lac_run_item_compare_swept(*(LacRunItem *const *) a, *(LacRunItem *const *) b);
}

double *
lac_run_group_item_dup_values(LacRunGroupItem *self, gsize *n)
{
  g_return_val_if_fail(LAC_IS_RUN_GROUP_ITEM(self) && n != NULL, NULL);
  g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func(g_object_unref);
  for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(self->runs)); i++) {
    g_autoptr(GObject) row = g_list_model_get_item(G_LIST_MODEL(self->runs), i);
    if (LAC_IS_RUN_ITEM(row))
      g_ptr_array_add(runs, g_steal_pointer(&row));
  }
  g_ptr_array_sort(runs, compare_swept);
  double *values = g_new(double, runs->len + 1);
  for (guint i = 0; i < runs->len; i++) {
    const LacHeadlineMetric *best = lac_run_headline_find_best(lac_run_item_get(runs->pdata[i]));
    values[i] = best != NULL ? best->value : (double) NAN;
  }
  *n = runs->len;
  return values;
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
  self->runs = g_list_store_new(LAC_TYPE_COLUMN_ROW);
}

LacRunGroupItem *
lac_run_group_item_new(const char *key, const char *name)
{
  LacRunGroupItem *self = g_object_new(LAC_TYPE_RUN_GROUP_ITEM, NULL);
  self->key = g_strdup(key);
  self->name = g_strdup(name);
  return self;
}
