/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joining and telling results. */
#include "cli/run-result.h"

#include "cli/verbs.h"
#include "report/plot.h"

#include <math.h>
#include <stdlib.h>

/* From best to worst. */
static const char *const outcomes[] = {"finished", "stopped", "diverged", "failed"};

static gsize
outcome_rank(JsonObject *result)
{
  const char *outcome = json_object_get_string_member_with_default(result, "outcome", "failed");
  for (gsize i = 0; i < G_N_ELEMENTS(outcomes); i++)
    if (g_str_equal(outcome, outcomes[i]))
      return i;
  return G_N_ELEMENTS(outcomes) - 1;
}

int
lac_result_exit_status(JsonObject *result)
{
  static const int statuses[] = {LAC_EXIT_FINISHED, LAC_EXIT_FINISHED, LAC_EXIT_DIVERGED,
                                 LAC_EXIT_FAILED};
  return statuses[outcome_rank(result)];
}

static int
compare_numbers(gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

static gboolean
is_better_larger(const char *key)
{
  return g_str_has_suffix(key, "psnr_db") || g_str_has_suffix(key, "ssim") ||
         g_str_has_suffix(key, "peak_fraction");
}

typedef enum { JOIN_MEDIAN, JOIN_WORST } Join;

static double
join_numbers(double *values, gsize n, const char *key, Join join)
{
  qsort(values, n, sizeof *values, compare_numbers);
  if (join == JOIN_WORST)
    return is_better_larger(key) ? values[0] : values[n - 1];
  return n % 2 == 1 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

/* Numbers of the same key over all objects; objects within them likewise. A value that is missing in one run (it
 * diverged) is left out of the median and makes the worst null. */
static JsonObject *
join_objects(GPtrArray *objects, Join join)
{
  JsonObject        *joined = json_object_new();
  JsonObject        *first = g_ptr_array_index(objects, 0);
  g_autoptr(GList)   keys = json_object_get_members(first);
  g_autofree double *values = g_new(double, objects->len);
  for (GList *l = keys; l != NULL; l = l->next) {
    const char          *key = l->data;
    g_autoptr(GPtrArray) inner = g_ptr_array_new();
    gsize                n = 0;
    for (guint i = 0; i < objects->len; i++) {
      JsonNode *node = json_object_get_member(g_ptr_array_index(objects, i), key);
      if (node != NULL && JSON_NODE_HOLDS_OBJECT(node))
        g_ptr_array_add(inner, json_node_get_object(node));
      else if (node != NULL && JSON_NODE_HOLDS_VALUE(node))
        values[n++] = json_node_get_double(node);
    }
    if (inner->len > 0)
      json_object_set_object_member(joined, key, join_objects(inner, join));
    else if (n == 0 || (join == JOIN_WORST && n < objects->len))
      json_object_set_null_member(joined, key);
    else
      json_object_set_double_member(joined, key, join_numbers(values, n, key, join));
  }
  return joined;
}

JsonObject *
lac_results_join(GPtrArray *results)
{
  g_return_val_if_fail(results->len > 0, NULL);
  JsonObject          *worst = g_ptr_array_index(results, 0);
  g_autoptr(GPtrArray) metrics = g_ptr_array_new();
  JsonArray           *runs = json_array_new();
  double               seconds = 0;
  for (guint i = 0; i < results->len; i++) {
    JsonObject *result = g_ptr_array_index(results, i);
    if (outcome_rank(result) > outcome_rank(worst))
      worst = result;
    if (json_object_has_member(result, "metrics"))
      g_ptr_array_add(metrics, json_object_get_object_member(result, "metrics"));
    seconds += json_object_get_double_member_with_default(result, "seconds", 0);
    json_array_add_object_element(runs, json_object_ref(result));
  }

  JsonObject              *joined = json_object_new();
  JsonObject              *first = g_ptr_array_index(results, 0);
  static const char *const same[] = {"experiment", "backend", "precision",
                                     "threads",    "seed",    "run"};
  for (gsize i = 0; i < G_N_ELEMENTS(same); i++)
    if (json_object_has_member(first, same[i]))
      json_object_set_member(joined, same[i],
                             json_node_copy(json_object_get_member(first, same[i])));
  json_object_set_string_member(joined, "outcome", outcomes[outcome_rank(worst)]);
  if (json_object_has_member(worst, "error"))
    json_object_set_string_member(joined, "error",
                                  json_object_get_string_member_with_default(worst, "error", ""));
  json_object_set_int_member(joined, "seeds", results->len);
  json_object_set_double_member(joined, "seconds", seconds);
  if (metrics->len > 0) {
    json_object_set_object_member(joined, "metrics", join_objects(metrics, JOIN_MEDIAN));
    json_object_set_object_member(joined, "worst", join_objects(metrics, JOIN_WORST));
  }
  json_object_set_array_member(joined, "runs", runs);
  return joined;
}

static void
print_metric(const LacMetric *metric, JsonObject *metrics, JsonObject *worst)
{
  if (!metric->is_result || !json_object_has_member(metrics, metric->key))
    return;
  double value = json_object_get_double_member_with_default(metrics, metric->key, (double) NAN);
  g_autofree char *number = lac_number_text(value);
  gboolean         has_unit = g_strcmp0(metric->unit, "1") != 0;
  g_print("  %-44s %s%s%s", metric->label, number, has_unit ? " " : "",
          has_unit ? metric->unit : "");
  if (worst != NULL) {
    g_autofree char *least =
      lac_number_text(json_object_get_double_member_with_default(worst, metric->key, (double) NAN));
    g_print(" (median), %s (worst)", least);
  }
  g_print("\n");
}

void
lac_result_print(const LacExperiment *experiment, JsonObject *result)
{
  g_autofree char *seconds =
    lac_duration_text(json_object_get_double_member_with_default(result, "seconds", 0));
  gint64      seeds = json_object_get_int_member_with_default(result, "seeds", 0);
  const char *outcome = json_object_get_string_member_with_default(result, "outcome", "failed");
  if (seeds > 0)
    g_print("%s: %s, %" G_GINT64_FORMAT " seeds in %s\n", experiment->name, outcome, seeds,
            seconds);
  else
    g_print("%s: %s after %" G_GINT64_FORMAT " steps in %s\n", experiment->name, outcome,
            json_object_get_int_member_with_default(result, "steps", 0), seconds);
  JsonObject *metrics = json_object_has_member(result, "metrics")
                          ? json_object_get_object_member(result, "metrics")
                          : NULL;
  JsonObject *worst =
    json_object_has_member(result, "worst") ? json_object_get_object_member(result, "worst") : NULL;
  for (gsize i = 0; metrics != NULL && i < experiment->n_metrics; i++)
    print_metric(&experiment->metrics[i], metrics, worst);
  const char *run = json_object_get_string_member_with_default(result, "run", NULL);
  if (run != NULL)
    g_print("  %-44s %s\n", seeds > 0 ? "first run" : "run", run);
}
