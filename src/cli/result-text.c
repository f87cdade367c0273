/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Telling results. */
#include "cli/result-text.h"

#include "io/format/metric-json.h"
#include "report/text/metric-group.h"
#include "report/text/metric-text.h"
#include "report/text/number.h"

#define LABEL_WIDTH 44

static void
print_row(const char *label, const char *text)
{
  g_print("  %-*s %s\n", LABEL_WIDTH, label, text);
}

/* Whose it is, where several have their own. */
static char *
dup_label(const LacOutline *outline, gsize m)
{
  const char *group = lac_metric_group(&outline->metrics[m]), *first = NULL;
  gboolean    are_several = FALSE;

  for (gsize i = 0; i < outline->n_metrics; i++) {
    const char *other = lac_metric_group(&outline->metrics[i]);

    if (*other == '\0')
      continue;
    are_several = are_several || (first != NULL && other != first);
    first = other;
  }
  if (*group == '\0' || !are_several)
    return g_strdup(outline->metrics[m].label);
  return g_strdup_printf("%s: %s",
                         lac_metric_group_label(group, outline->metrics, outline->n_metrics,
                                                outline->channels, outline->n_channels),
                         outline->metrics[m].label);
}

void
lac_result_print_run(JsonObject          *result,
                     const LacExperiment *experiment,
                     const LacOutline    *outline,
                     const char          *label)
{
  JsonObject        *metrics = json_object_get_object_member(result, "metrics");
  const gint64       n_steps = json_object_get_int_member(result, "steps");
  g_autofree char   *seconds = lac_duration_text(json_object_get_double_member(result, "seconds"));
  g_autofree double *values = g_new(double, outline->n_metrics + 1);
  for (gsize m = 0; m < outline->n_metrics; m++)
    values[m] = lac_json_get_metric(metrics, outline->metrics[m].key);
  g_print("%s%s%s: %s after %" G_GINT64_FORMAT " steps in %s\n", experiment->name,
          label != NULL ? ", " : "", label != NULL ? label : "",
          json_object_get_string_member(result, "outcome"), n_steps, seconds);
  for (gsize m = 0; n_steps > 0 && m < outline->n_metrics; m++) {
    if (!outline->metrics[m].is_result ||
        lac_metric_is_error(outline->metrics, outline->n_metrics, m))
      continue;
    g_autofree char *text = lac_metric_text(outline->metrics, values, outline->n_metrics, m);
    g_autofree char *name = dup_label(outline, m);
    print_row(name, text);
  }
  if (json_object_has_member(result, "choice"))
    print_row("computed by", json_object_get_string_member(result, "choice"));
  print_row("run", json_object_get_string_member(result, "run"));
}

void
lac_result_print_seeds(const LacSeeds *seeds, const LacExperiment *experiment, const char *label)
{
  const LacOutline  *outline = lac_seeds_get_outline(seeds);
  const gsize        n = outline->n_metrics;
  g_autofree double *medians = g_new(double, n), *worsts = g_new(double, n);

  g_print("%s%s%s: %s, %u seeds\n", experiment->name, *label != '\0' ? ", " : "", label,
          lac_seeds_get_outcome(seeds), lac_seeds_get_n(seeds));
  for (gsize m = 0; m < n; m++) {
    medians[m] = lac_seeds_get_median(seeds, m);
    worsts[m] = lac_seeds_get_worst(seeds, m);
  }
  for (gsize m = 0; m < n; m++) {
    if (!outline->metrics[m].is_result || lac_metric_is_error(outline->metrics, n, m))
      continue;
    g_autofree char *median = lac_metric_text(outline->metrics, medians, n, m);
    g_autofree char *worst = lac_metric_text(outline->metrics, worsts, n, m);
    g_autofree char *both = g_strdup_printf("median %s, worst %s", median, worst);
    g_autofree char *name = dup_label(outline, m);
    print_row(name, both);
  }
}
