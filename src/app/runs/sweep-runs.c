/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of a sweep, from its series or from headlines of saved runs. */
#include "app/runs/sweep-runs.h"

#include "app/runs/result.h"
#include "base/number.h"
#include "experiment/experiment.h"
#include "report/summary/answer.h"
#include "report/text/metric-text.h"
#include "report/text/words.h"
#include "run/plan/sweep-plan.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define NOTHING "–"

/* ---- the object ---- */

static void
point_free(gpointer data)
{
  LacSweepPoint *point = data;
  g_strfreev(point->values);
  g_free(point->outcome);
  g_free(point->words);
  g_free(point->results);
  g_clear_object(&point->item);
  g_free(point);
}

static void
column_clear(gpointer data)
{
  LacSweepColumn *column = data;
  g_free(column->label);
  g_free(column->method);
}

static LacSweepRuns *
results_new(const char *title)
{
  LacSweepRuns *self = g_rc_box_new0(LacSweepRuns);
  self->title = g_strdup(title);
  self->points = g_ptr_array_new_with_free_func(point_free);
  self->columns = g_array_new(FALSE, FALSE, sizeof(LacSweepColumn));
  g_array_set_clear_func(self->columns, column_clear);
  return self;
}

static void
results_clear(gpointer data)
{
  LacSweepRuns *self = data;
  g_free(self->title);
  g_strfreev(self->keys);
  g_strfreev(self->labels);
  g_ptr_array_unref(self->points);
  g_array_unref(self->columns);
}

LacSweepRuns *
lac_sweep_runs_ref(LacSweepRuns *self)
{
  return g_rc_box_acquire(self);
}

void
lac_sweep_runs_unref(LacSweepRuns *self)
{
  g_rc_box_release_full(self, results_clear);
}

const LacSweepPoint *
lac_sweep_runs_get_point(const LacSweepRuns *self, guint i)
{
  return g_ptr_array_index(self->points, i);
}

const LacSweepColumn *
lac_sweep_runs_get_column(const LacSweepRuns *self, guint column)
{
  return &g_array_index(self->columns, LacSweepColumn, column);
}

/* ---- columns ---- */

static guint
find_column(const LacSweepRuns *self, const char *key)
{
  guint i = 0;
  while (i < self->columns->len && !g_str_equal(lac_sweep_runs_get_column(self, i)->key, key))
    i++;
  return i;
}

/* @method: (transfer full) */
static void
add_column(LacSweepRuns *self, const LacMetric *metric, char *method)
{
  const char      *own = lac_result_own_key(metric->key);
  g_autofree char *group =
    own > metric->key ? g_strndup(metric->key, (gsize) (own - 1 - metric->key)) : g_strdup("");
  LacSweepColumn column = {
    .key = g_intern_string(metric->key),
    .own_key = g_intern_string(own),
    .group = g_intern_string(group),
    .unit = g_intern_string(metric->unit),
    .label = lac_word_dup_short(metric->label),
    .method = method,
  };
  g_array_append_val(self->columns, column);
}

/* Hides a result of the run that a method repeats, and standard errors. */
static void
hide_repeated(LacSweepRuns *self)
{
  guint                 n = self->columns->len;
  g_autofree LacMetric *metrics = g_new0(LacMetric, n + 1);
  for (guint i = 0; i < n; i++)
    metrics[i].key = lac_sweep_runs_get_column(self, i)->key;
  for (guint i = 0; i < n; i++) {
    LacSweepColumn *column = &g_array_index(self->columns, LacSweepColumn, i);
    column->is_hidden = lac_metric_is_error(metrics, n, i);
    for (guint k = 0; k < n && *column->group == '\0'; k++) {
      const LacSweepColumn *other = lac_sweep_runs_get_column(self, k);
      column->is_hidden |= *other->group != '\0' && other->own_key == column->own_key;
    }
  }
}

static void
sum_up(LacSweepRuns *self)
{
  for (guint i = 0; i < self->points->len; i++) {
    const LacSweepPoint *point = lac_sweep_runs_get_point(self, i);
    self->n_done += point->outcome != NULL;
    self->seconds += isfinite(point->seconds) ? point->seconds : 0;
    self->bytes += point->item != NULL ? lac_run_item_get(point->item)->bytes : 0;
  }
}

/* ---- from the sweep of this window ---- */

static void
add_series_columns(LacSweepRuns *self, LacSweepSeries *series)
{
  gsize            n;
  const LacMetric *metrics = lac_sweep_series_get_columns(series, &n);
  for (gsize c = 0; c < n; c++) {
    const char *method = lac_sweep_series_get_method(series, c);
    if (find_column(self, metrics[c].key) == self->columns->len)
      add_column(self, &metrics[c], g_strdup(method != NULL ? method : ""));
  }
}

/* Returns: (transfer full): the displayed state of run @i, which has not ended. */
static char *
dup_pending(LacSweepSeries *series, gsize i)
{
  if (lac_sweep_series_is_over(series))
    return g_strdup(_("left out"));
  return g_strdup(i == lac_sweep_series_get_n_done(series) ? _("running") : _("waiting"));
}

/* Returns: (transfer full): the value of @key in run @i. */
static char *
dup_series_value(LacSweepSeries *series, const char *key, gsize i)
{
  const LacSweep *sweep = lac_sweep_series_get_sweep(series);
  for (gsize k = 0; k < lac_sweep_get_n_keys(sweep); k++)
    if (g_str_equal(lac_sweep_get_key(sweep, k), key))
      return g_strdup(lac_sweep_get_value(sweep, k, i));
  return g_strdup(NOTHING);
}

/* Copies the values of run @i, in the order of its columns. */
static void
take_series_values(LacSweepRuns *self, LacSweepSeries *series, gsize i, double *values)
{
  gsize            n;
  const LacMetric *metrics = lac_sweep_series_get_columns(series, &n);
  for (gsize c = 0; c < n; c++)
    values[find_column(self, metrics[c].key)] = lac_sweep_series_get_value(series, i, c);
}

static LacSweepPoint *
add_point(LacSweepRuns *self)
{
  LacSweepPoint *point = g_new0(LacSweepPoint, 1);
  point->values = g_new0(char *, g_strv_length(self->keys) + 1);
  point->results = g_new(double, self->columns->len + 1);
  point->seconds = point->memory = NAN;
  point->run = -1;
  for (guint c = 0; c < self->columns->len; c++)
    point->results[c] = NAN;
  g_ptr_array_add(self->points, point);
  return point;
}

static void
add_series_point(LacSweepRuns *self, LacSweepSeries *series, gsize i)
{
  LacSweepPoint *point = add_point(self);
  for (guint k = 0; self->keys[k] != NULL; k++)
    point->values[k] = dup_series_value(series, self->keys[k], i);
  point->run = (gssize) i;
  if (i >= lac_sweep_series_get_n_done(series)) {
    point->words = dup_pending(series, i);
    return;
  }
  take_series_values(self, series, i, point->results);
  point->seconds = lac_sweep_series_get_seconds(series, i);
  point->outcome = g_strdup(lac_sweep_series_get_outcome(series, i));
  point->words = g_strdup(lac_word(point->outcome));
}

/* Returns: (nullable): the point of a run that has ended. */
static LacSweepPoint *
find_point(LacSweepRuns *self, const char *folder)
{
  for (guint i = 0; folder != NULL && i < self->points->len; i++) {
    LacSweepPoint *point = g_ptr_array_index(self->points, i);
    if (point->item != NULL && g_str_equal(lac_run_item_get(point->item)->path, folder))
      return point;
  }
  return NULL;
}

static void
add_series(LacSweepRuns *self, LacSweepSeries *series)
{
  gsize n = lac_sweep_get_n(lac_sweep_series_get_sweep(series));
  for (gsize i = 0; i < n; i++) {
    LacSweepPoint *saved = i < lac_sweep_series_get_n_done(series)
                             ? find_point(self, lac_sweep_series_get_folder(series, i))
                             : NULL;
    if (saved != NULL)
      saved->run = (gssize) i;
    else
      add_series_point(self, series, i);
  }
}

/* ---- from saved runs ---- */

static gboolean
is_running(const LacRunHeadline *run)
{
  return g_str_equal(run->outcome, "running");
}

static void
add_headline_columns(LacSweepRuns *self, const LacRunHeadline *run)
{
  for (gsize m = 0; m < run->n_metrics; m++) {
    const LacHeadlineMetric *metric = &run->metrics[m];
    if (find_column(self, metric->key) < self->columns->len)
      continue;
    const char      *own = lac_result_own_key(metric->key);
    g_autofree char *group =
      own > metric->key ? g_strndup(metric->key, (gsize) (own - 1 - metric->key)) : NULL;
    add_column(self, &(LacMetric){.key = metric->key, .label = metric->label, .unit = metric->unit},
               group != NULL ? lac_result_dup_method(run->experiment, group) : g_strdup(""));
  }
}

/* Returns the peak memory of a run in bytes, as Set-up estimates it for its settings; NaN for an unknown experiment. */
static double
estimate_memory(const LacRunHeadline *run)
{
  const LacExperiment *experiment = lac_experiment_find(run->experiment, NULL);
  LacEstimate          estimate = {0};
  if (experiment == NULL)
    return (double) NAN;
  g_autoptr(LacDraft) draft = lac_draft_new(&experiment->params);
  g_auto(GStrv)       lines = g_strsplit(run->settings, "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    char *text = strchr(*line, '=');
    if (text == NULL)
      continue;
    *text = '\0';
    lac_draft_set(draft, *line, text + 1, NULL);
  }
  experiment->estimate(experiment, lac_draft_get_values(draft), &estimate);
  return estimate.memory_bytes;
}

static void
add_headline_point(LacSweepRuns *self, LacRunItem *item)
{
  const LacRunHeadline *run = lac_run_item_get(item);
  LacSweepPoint        *point = add_point(self);
  for (guint k = 0; self->keys[k] != NULL; k++) {
    point->values[k] = lac_run_headline_dup_setting(run, self->keys[k]);
    if (point->values[k] == NULL)
      point->values[k] = g_strdup(NOTHING);
  }
  for (gsize m = 0; m < run->n_metrics; m++)
    point->results[find_column(self, run->metrics[m].key)] = run->metrics[m].value;
  point->seconds = run->seconds;
  point->outcome = is_running(run) ? NULL : g_strdup(run->outcome);
  point->words = g_strdup(lac_word(run->outcome));
  point->item = g_object_ref(item);
  point->memory = estimate_memory(run);
}

/* Sorts by the swept values: by number where both are numbers. */
static int
compare_points(gconstpointer a, gconstpointer b)
{
  const LacSweepPoint *left = *(LacSweepPoint *const *) a, *right = *(LacSweepPoint *const *) b;
  for (guint k = 0; left->values[k] != NULL && right->values[k] != NULL; k++) {
    double   x, y;
    gboolean are_numbers =
      lac_number_parse(left->values[k], &x) && lac_number_parse(right->values[k], &y);
    int order = are_numbers ? (x > y) - (x < y) : strcmp(left->values[k], right->values[k]);
    if (order != 0)
      return order;
  }
  return 0;
}

/* ---- the swept parameters ---- */

/* Returns: (transfer full) (nullable): keys of the sweep that was recorded with a run. */
static GStrv
dup_recorded_keys(const LacRunHeadline *run)
{
  const char             *text = strchr(run->sweep, ' ');
  g_autoptr(LacSweepPlan) plan = text != NULL ? lac_sweep_plan_parse(text + 1, NULL) : NULL;
  g_autoptr(GStrvBuilder) keys = g_strv_builder_new();
  if (plan == NULL)
    return NULL;
  for (guint i = 0; i < plan->axes->len; i++)
    g_strv_builder_add(keys, lac_sweep_plan_get_axis(plan, i)->key);
  return g_strv_builder_end(keys);
}

static GStrv
dup_series_keys(LacSweepSeries *series)
{
  const LacSweep         *sweep = lac_sweep_series_get_sweep(series);
  g_autoptr(GStrvBuilder) keys = g_strv_builder_new();
  for (gsize k = 0; k < lac_sweep_get_n_keys(sweep); k++)
    g_strv_builder_add(keys, lac_sweep_get_key(sweep, k));
  return g_strv_builder_end(keys);
}

/* @headlines: of the saved runs */
static GStrv
dup_keys(GPtrArray *headlines, LacSweepSeries *series)
{
  if (series != NULL)
    return dup_series_keys(series);
  GStrv recorded = dup_recorded_keys(headlines->pdata[0]);
  return recorded != NULL ? recorded : lac_run_headlines_differing(headlines);
}

static GStrv
dup_labels(const LacSweepRuns *self, GPtrArray *headlines, LacSweepSeries *series)
{
  GStrv labels = g_new0(char *, g_strv_length(self->keys) + 1);
  for (guint k = 0; self->keys[k] != NULL; k++)
    labels[k] = series != NULL ? lac_sweep_series_dup_key_label(series, k)
                               : lac_result_dup_setting_label(headlines->pdata[0], self->keys[k]);
  return labels;
}

/* ---- both ---- */

/* Returns: (transfer full): the saved items; a run in progress belongs to the series. */
static GPtrArray *
list_saved(GListModel *runs, LacSweepSeries *series)
{
  GPtrArray *items = g_ptr_array_new_with_free_func(g_object_unref);
  for (guint i = 0; runs != NULL && i < g_list_model_get_n_items(runs); i++) {
    g_autoptr(LacRunItem) item = g_list_model_get_item(runs, i);
    if (series == NULL || !is_running(lac_run_item_get(item)))
      g_ptr_array_add(items, g_object_ref(item));
  }
  return items;
}

LacSweepRuns *
lac_sweep_runs_new(GListModel *runs, const char *const *keys, LacSweepSeries *series)
{
  g_autoptr(GPtrArray) items = list_saved(runs, series), headlines = g_ptr_array_new();
  for (guint i = 0; i < items->len; i++)
    g_ptr_array_add(headlines, (gpointer) lac_run_item_get(items->pdata[i]));
  if (items->len == 0 && series == NULL)
    return NULL;
  const LacRunHeadline *first = items->len > 0 ? headlines->pdata[0] : NULL;
  LacSweepRuns         *self = results_new(series != NULL ? lac_sweep_series_get_title(series)
                                                          : g_dgettext(GETTEXT_PACKAGE, first->title));
  self->keys = keys != NULL ? g_strdupv((GStrv) keys) : dup_keys(headlines, series);
  self->labels = dup_labels(self, headlines, series);
  for (guint i = 0; i < headlines->len; i++)
    add_headline_columns(self, headlines->pdata[i]);
  if (series != NULL)
    add_series_columns(self, series);
  for (guint i = 0; i < items->len; i++)
    add_headline_point(self, items->pdata[i]);
  if (series != NULL)
    add_series(self, series);
  g_ptr_array_sort(self->points, compare_points);
  hide_repeated(self);
  sum_up(self);
  return self;
}

/* ---- metrics and axes ---- */

GStrv
lac_sweep_runs_dup_metrics(const LacSweepRuns *self)
{
  g_autoptr(GPtrArray) keys = g_ptr_array_new();
  for (guint of_methods = 2; of_methods-- > 0;)
    for (guint c = 0; c < self->columns->len; c++) {
      const LacSweepColumn *column = lac_sweep_runs_get_column(self, c);
      if (column->is_hidden || (*column->group != '\0') != (of_methods == 1) ||
          g_ptr_array_find(keys, column->own_key, NULL))
        continue;
      g_ptr_array_add(keys, (gpointer) column->own_key);
    }
  g_ptr_array_add(keys, NULL);
  return g_strdupv((GStrv) keys->pdata);
}

const char *
lac_sweep_runs_get_label(const LacSweepRuns *self, const char *own_key)
{
  for (guint c = 0; c < self->columns->len; c++)
    if (g_str_equal(lac_sweep_runs_get_column(self, c)->own_key, own_key))
      return lac_sweep_runs_get_column(self, c)->label;
  return NULL;
}

gssize
lac_sweep_runs_find_best(const LacSweepRuns *self, guint point, const char *own_key)
{
  const double *values = lac_sweep_runs_get_point(self, point)->results;
  gssize        best = -1;
  for (guint c = 0; c < self->columns->len; c++) {
    const LacSweepColumn *column = lac_sweep_runs_get_column(self, c);
    if (!column->is_hidden && g_str_equal(column->own_key, own_key) && isfinite(values[c]) &&
        (best < 0 || lac_result_is_better(own_key, values[c], values[best])))
      best = (gssize) c;
  }
  return best;
}

gssize
lac_sweep_runs_find_best_point(const LacSweepRuns *self, const char *own_key)
{
  gssize best = -1;
  double least = NAN;
  for (guint i = 0; i < self->points->len; i++) {
    gssize column = lac_sweep_runs_find_best(self, i, own_key);
    double value = column >= 0 ? lac_sweep_runs_get_point(self, i)->results[column] : (double) NAN;
    if (!lac_result_is_better(own_key, value, least))
      continue;
    best = (gssize) i;
    least = value;
  }
  return best;
}

gssize
lac_sweep_runs_find_axis(const LacSweepRuns *self)
{
  double value;
  for (guint k = 0; self->keys[k] != NULL; k++) {
    gboolean are_numbers = self->points->len > 0;
    for (guint i = 0; i < self->points->len; i++)
      are_numbers &= lac_number_parse(lac_sweep_runs_get_point(self, i)->values[k], &value);
    if (are_numbers)
      return (gssize) k;
  }
  return -1;
}

double
lac_sweep_runs_get_place(const LacSweepRuns *self, guint point, gssize axis)
{
  double place = (double) point + 1;
  if (axis >= 0)
    lac_number_parse(lac_sweep_runs_get_point(self, point)->values[axis], &place);
  return place;
}

/* ---- the answer ---- */

/* Returns: (transfer full): what tells a run from the others: "Sensors K 24, Noise 1". */
static char *
dup_name(const LacSweepRuns *self, guint point)
{
  GString *name = g_string_new(NULL);
  for (guint k = 0; self->keys[k] != NULL; k++)
    g_string_append_printf(name, "%s%s %s", k > 0 ? ", " : "", self->labels[k],
                           lac_sweep_runs_get_point(self, point)->values[k]);
  return g_string_free(name, FALSE);
}

char *
lac_sweep_runs_dup_answer(const LacSweepRuns *self, const char *own_key)
{
  guint                n = self->points->len;
  gssize               axis = lac_sweep_runs_find_axis(self);
  gboolean             is_single = axis >= 0 && g_strv_length(self->keys) == 1;
  g_autofree double   *values = g_new(double, n + 1), *results = g_new(double, n + 1);
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  const char          *unit = "";
  for (guint i = 0; i < n; i++) {
    gssize best = lac_sweep_runs_find_best(self, i, own_key);
    values[i] = lac_sweep_runs_get_place(self, i, axis);
    results[i] = best >= 0 ? lac_sweep_runs_get_point(self, i)->results[best] : (double) NAN;
    if (best >= 0)
      unit = lac_sweep_runs_get_column(self, (guint) best)->unit;
    g_ptr_array_add(names, dup_name(self, i));
  }
  return lac_answer_sweep(&(LacSweepResults){
    .n = n,
    .values = is_single ? values : NULL,
    .label = is_single ? self->labels[0] : NULL,
    .names = (const char *const *) names->pdata,
    .results = results,
    .unit = lac_result_is_fraction(own_key, unit) ? "1" : unit,
    .is_error = lac_result_is_better(own_key, 0, 1),
    .is_repeat = is_single && g_str_equal(self->keys[0], LAC_SWEEP_SEED),
  });
}
