/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Summary of a recording as text and JSON. */
#include "report/summary/profile.h"

#include "io/format/json-text.h"
#include "report/summary/answer.h"
#include "report/summary/findings.h"
#include "report/summary/kernel-table.h"
#include "report/summary/kinds.h"
#include "report/summary/operation-table.h"
#include "report/summary/speed.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <string.h>

static double
seconds_of(const LacCapture *capture)
{
  gint64 begin_ns, end_ns;
  lac_capture_get_extent(capture, &begin_ns, &end_ns);
  return (double) (end_ns - begin_ns) * 1e-9;
}

static void
print_head(GString *text, const LacCapture *capture)
{
  const char      *title = lac_capture_get_title(capture);
  g_autofree char *time = lac_duration_text(seconds_of(capture));
  guint            n_lanes = lac_capture_get_n_lanes(capture);
  if (*title != '\0')
    g_string_append_printf(text, "%s\n%.*s\n", title, (int) g_utf8_strlen(title, -1),
                           "----------------------------------------------------------------------"
                           "--------------------");
  g_string_append_printf(text, _("%s, %zu records; lanes: "), time,
                         lac_capture_get_n_records(capture));
  for (guint i = 0; i < n_lanes; i++)
    g_string_append_printf(text, "%s%s", i > 0 ? ", " : "",
                           lac_capture_get_lane(capture, (guint16) i));
  g_string_append(text, "\n");
}

static void
print_answer(GString *text, const LacCapture *capture)
{
  g_auto(LacCallTree)     tree = lac_call_tree_make(capture, 0, 0);
  g_autoptr(LacCapture)   shared = lac_capture_share(capture);
  g_autoptr(LacSpanLooks) looks = lac_span_looks_new(shared, &(LacSpanMethods){0});
  g_autofree char        *answer = lac_answer_time(&tree, looks, NULL);
  if (answer != NULL)
    g_string_append_printf(text, "%s\n", answer);
}

static void
print_kinds(GString *text, const LacCapture *capture)
{
  const LacKindTimes times = lac_kinds_of_capture(capture);
  g_autofree char   *kinds = lac_kinds_dup_text(&times);
  if (kinds != NULL)
    g_string_append_printf(text, _("Own time: %s\n"), kinds);
}

static void
print_iterations(GString *text, const LacCapture *capture, const LacIterations *iterations)
{
  if (iterations->n == 0)
    return;
  g_autofree char *median = lac_duration_text(iterations->median_ns * 1e-9);
  g_autofree char *deviation = lac_duration_text(iterations->deviation_ns * 1e-9);
  g_string_append_printf(text, _("%zu iterations (%s), median %s ± %s, %zu outliers\n"),
                         iterations->n, lac_capture_get_name(capture, iterations->name), median,
                         deviation, iterations->n_outliers);
}

/* Returns: (transfer full): [n] */
static LacAggregate *
dup_sorted(const LacCapture         *capture,
           LacAggregates            *aggregates,
           const LacOperationColumn *sort,
           gsize                    *n)
{
  const LacAggregate *rows = lac_aggregates_get(aggregates, n);
  LacAggregate       *sorted = g_memdup2(rows, *n * sizeof *rows);
  const LacPeak       peak = lac_peak_of_capture(capture);
  if (sort != NULL)
    lac_operations_sort(sorted, *n, sort, &peak);
  return sorted;
}

char *
lac_profile_csv(const LacCapture *capture, const LacOperationColumn *sort)
{
  g_return_val_if_fail(capture != NULL, NULL);
  g_autoptr(LacAggregates) aggregates = lac_aggregates_new();
  gsize                    n;
  lac_aggregates_add_capture(aggregates, capture);
  g_autofree LacAggregate *rows = dup_sorted(capture, aggregates, sort, &n);
  return lac_operations_dup_csv(capture, rows, n);
}

static void
print_kernels(GString *text, const LacCapture *capture, gsize n_most)
{
  g_auto(LacTable) table = {0};
  g_autofree char *title = lac_kernels_fill(capture, n_most, &table);

  if (title == NULL)
    return;
  g_string_append_printf(text, "%s\n\n", title);
  lac_table_print(&table, text);
  g_string_append_c(text, '\n');
}

char *
lac_profile_text(const LacCapture         *capture,
                 gsize                     n_most,
                 const LacOperationColumn *sort,
                 const GArray             *advice)
{
  g_return_val_if_fail(capture != NULL, NULL);
  g_auto(LacAnalysis)      analysis = lac_analysis_make(capture);
  g_auto(LacTable)         table;
  GString                 *text = g_string_new(NULL);
  gsize                    n;
  g_autofree LacAggregate *rows = dup_sorted(capture, analysis.aggregates, sort, &n);
  gsize                    n_shown = n_most > 0 ? MIN(n, n_most) : n;

  print_head(text, capture);
  print_answer(text, capture);
  print_kinds(text, capture);
  print_iterations(text, capture, &analysis.iterations);
  g_string_append_c(text, '\n');
  lac_operations_fill(capture, rows, n_shown, TRUE, &table);
  lac_table_print(&table, text);
  if (n_shown < n)
    g_string_append_printf(text, _("and %zu more\n"), n - n_shown);
  g_string_append_c(text, '\n');
  print_kernels(text, capture, n_most);
  lac_findings_print(&analysis, capture, text);
  if (advice != NULL)
    lac_speed_advice_print(advice, text);
  return g_string_free(text, FALSE);
}

static void
add_iterations(JsonBuilder *builder, const LacCapture *capture, const LacIterations *iterations)
{
  if (iterations->n == 0)
    return;
  json_builder_set_member_name(builder, "iterations");
  json_builder_begin_object(builder);
  lac_json_add_text(builder, "name", lac_capture_get_name(capture, iterations->name));
  lac_json_add_integer(builder, "count", (gint64) iterations->n);
  lac_json_add_integer(builder, "outliers", (gint64) iterations->n_outliers);
  lac_json_add_number(builder, "median_seconds", iterations->median_ns * 1e-9);
  lac_json_add_number(builder, "deviation_seconds", iterations->deviation_ns * 1e-9);
  json_builder_end_object(builder);
}

char *
lac_profile_json(const LacCapture *capture, const GArray *advice)
{
  g_return_val_if_fail(capture != NULL, NULL);
  g_autoptr(JsonBuilder) builder = json_builder_new();
  g_auto(LacAnalysis)    analysis = lac_analysis_make(capture);
  gsize                  n;
  const LacAggregate    *rows = lac_aggregates_get(analysis.aggregates, &n);

  json_builder_begin_object(builder);
  lac_json_add_text(builder, "title", lac_capture_get_title(capture));
  lac_json_add_number(builder, "seconds", seconds_of(capture));
  lac_json_add_integer(builder, "records", (gint64) lac_capture_get_n_records(capture));
  json_builder_set_member_name(builder, "lanes");
  json_builder_begin_array(builder);
  for (guint i = 0; i < lac_capture_get_n_lanes(capture); i++)
    json_builder_add_string_value(builder, lac_capture_get_lane(capture, (guint16) i));
  json_builder_end_array(builder);
  add_iterations(builder, capture, &analysis.iterations);
  const LacKindTimes kinds = lac_kinds_of_capture(capture);
  lac_kinds_add_json(&kinds, builder);
  lac_operations_add_json(capture, rows, n, builder);
  lac_kernels_add_json(capture, builder);
  lac_findings_add_json(&analysis, capture, builder);
  if (advice != NULL)
    lac_speed_advice_add_json(advice, builder);
  json_builder_end_object(builder);
  g_autoptr(JsonNode) root = json_builder_get_root(builder);
  return lac_json_dup_text(root, FALSE);
}
