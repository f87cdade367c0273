/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeats of one run with several seeds: median and worst of every metric. */
#include "run/plan/seeds.h"

#include "io/format/metric-json.h"
#include "run/core/result-json.h"

#include <math.h>
#include <stdlib.h>

struct _LacSeeds {
  const LacExperiment *experiment;
  LacOutline           outline;
  GPtrArray           *results; /* JsonObject *, one per run */
  GArray              *values;  /* double: [run][n_metrics] */
};

void
lac_seeds_add(LacSeeds *seeds, JsonObject *result)
{
  JsonObject *metrics = json_object_get_object_member(result, "metrics");

  g_ptr_array_add(seeds->results, result);
  for (gsize m = 0; m < seeds->outline.n_metrics; m++) {
    const double value =
      metrics != NULL ? lac_json_get_metric(metrics, seeds->outline.metrics[m].key) : (double) NAN;
    g_array_append_val(seeds->values, value);
  }
}

/* Returns: (transfer full): the result of run @i; %NULL with an error. */
static JsonObject *
run_one(const LacRunSettings *one,
        guint                 i,
        guint                 n,
        const LacSeedsDriver *driver,
        gboolean             *go_on,
        GError              **error)
{
  if (driver->child != NULL && lac_run_wants_child(one)) {
    GError     *why = NULL;
    JsonObject *result = driver->child(one, go_on, driver->user_data, &why);

    if (why != NULL)
      g_propagate_error(error, why);
    if (result != NULL || why != NULL)
      return result;
  }
  g_autoptr(LacRun) run = lac_run_new(one, error);
  if (run == NULL)
    return NULL;
  *go_on = driver->run(run, i, n, driver->user_data);
  return lac_run_dup_result(run);
}

LacSeeds *
lac_seeds_new(const LacRunSettings *settings)
{
  LacSeeds *seeds = g_new0(LacSeeds, 1);

  seeds->experiment = settings->experiment;
  seeds->outline =
    lac_experiment_outline(settings->experiment, lac_draft_get_values(settings->draft));
  seeds->results = g_ptr_array_new_with_free_func((GDestroyNotify) json_object_unref);
  seeds->values = g_array_new(FALSE, FALSE, sizeof(double));
  return seeds;
}

LacSeeds *
lac_seeds_run(const LacRunSettings *settings, guint n, const LacSeedsDriver *driver, GError **error)
{
  g_autoptr(LacSeeds) seeds = lac_seeds_new(settings);
  gboolean            go_on = TRUE;

  for (guint i = 0; go_on && i < n; i++) {
    LacRunSettings one = *settings;
    one.seed = settings->seed + i;
    JsonObject *result = run_one(&one, i, n, driver, &go_on, error);
    if (result == NULL)
      return NULL;
    lac_seeds_add(seeds, result);
  }
  return g_steal_pointer(&seeds);
}

void
lac_seeds_free(LacSeeds *seeds)
{
  if (seeds == NULL)
    return;
  lac_outline_clear(&seeds->outline);
  g_clear_pointer(&seeds->results, g_ptr_array_unref);
  g_clear_pointer(&seeds->values, g_array_unref);
  g_free(seeds);
}

const LacOutline *
lac_seeds_get_outline(const LacSeeds *seeds)
{
  return &seeds->outline;
}

guint
lac_seeds_get_n(const LacSeeds *seeds)
{
  return seeds->results->len;
}

const char *
lac_seeds_get_outcome(const LacSeeds *seeds)
{
  for (guint i = 0; i < seeds->results->len; i++) {
    const char *outcome = json_object_get_string_member(seeds->results->pdata[i], "outcome");
    if (!g_str_equal(outcome, "finished"))
      return outcome;
  }
  return "finished";
}

static int
compare(gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
get_median(double *values, gsize n)
{
  if (n == 0)
    return NAN;
  qsort(values, n, sizeof *values, compare);
  return n % 2 == 1 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

/* Returns the finite values of metric @m, in the order of the runs. */
static double *
dup_column(const LacSeeds *seeds, gsize m, gsize *n)
{
  gsize   stride = seeds->outline.n_metrics;
  double *column = g_new(double, seeds->results->len + 1);

  *n = 0;
  for (gsize i = 0; i < seeds->results->len; i++) {
    double value = g_array_index(seeds->values, double, i *stride + m);
    if (isfinite(value))
      column[(*n)++] = value;
  }
  return column;
}

double
lac_seeds_get_median(const LacSeeds *seeds, gsize m)
{
  gsize              n;
  g_autofree double *column = dup_column(seeds, m, &n);

  return get_median(column, n);
}

double
lac_seeds_get_worst(const LacSeeds *seeds, gsize m)
{
  gsize              n;
  g_autofree double *column = dup_column(seeds, m, &n);
  double             worst = n > 0 ? column[0] : (double) NAN;

  for (gsize i = 1; i < n; i++)
    worst = MAX(worst, column[i]);
  return worst;
}

static double
median_of_member(const LacSeeds *seeds, const char *key)
{
  g_autofree double *values = g_new(double, seeds->results->len + 1);

  for (guint i = 0; i < seeds->results->len; i++)
    values[i] = json_object_get_double_member(seeds->results->pdata[i], key);
  return get_median(values, seeds->results->len);
}

char *
lac_seeds_dup_json(const LacSeeds *seeds)
{
  const LacExperiment  *experiment = seeds->experiment;
  g_autoptr(JsonObject) object = json_object_new();
  JsonObject           *metrics = json_object_new(), *worst = json_object_new();
  JsonArray            *runs = json_array_new();

  json_object_set_string_member(object, "experiment", experiment->name);
  json_object_set_string_member(object, "outcome", lac_seeds_get_outcome(seeds));
  if (seeds->results->len > 0) {
    static const char *const shared[] = {"steps",     "seed",    "backend",
                                         "precision", "threads", "run"}; /* from the first run */
    JsonObject              *first = seeds->results->pdata[0];

    json_object_set_double_member(object, "seconds", median_of_member(seeds, "seconds"));
    json_object_set_double_member(object, "setup_seconds",
                                  median_of_member(seeds, "setup_seconds"));
    for (gsize i = 0; i < G_N_ELEMENTS(shared); i++)
      json_object_set_member(object, shared[i], json_object_dup_member(first, shared[i]));
  }
  for (gsize m = 0; m < seeds->outline.n_metrics; m++) {
    if (!seeds->outline.metrics[m].is_result)
      continue;
    lac_json_put_metric(metrics, seeds->outline.metrics[m].key, lac_seeds_get_median(seeds, m));
    lac_json_put_metric(worst, seeds->outline.metrics[m].key, lac_seeds_get_worst(seeds, m));
  }
  json_object_set_object_member(object, "metrics", metrics);
  json_object_set_object_member(object, "worst", worst);
  for (guint i = 0; i < seeds->results->len; i++)
    json_array_add_object_element(runs, json_object_ref(seeds->results->pdata[i]));
  json_object_set_array_member(object, "seeds", runs);
  return lac_json_object_to_text(object);
}
