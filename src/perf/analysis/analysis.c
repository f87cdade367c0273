/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The questions that are put to a recording, and those that the table of names answers. */
#include "perf/analysis/analysis.h"

#include "perf/analysis/analysis-private.h"

/* Operations by their share of all operations; phases by what is their own, of the outermost spans together. */
void
lac_inquire_shares(const LacInquiry *inquiry)
{
  gsize               n;
  const LacAggregate *rows = lac_aggregates_get(inquiry->aggregates, &n);
  const gboolean      any = lac_aggregates_operations_matter(rows, n);
  gint64              begin_ns, end_ns;
  lac_capture_get_extent(inquiry->capture, &begin_ns, &end_ns);
  for (gsize i = 0; i < n; i++) {
    const LacAggregate *row = &rows[i];
    if (row->is_operation && !any)
      continue;
    gboolean holds_operations = any && !row->is_operation && inquiry->iterations->n > 0 &&
                                row->name == inquiry->iterations->name;
    double share = lac_aggregate_own_share(row);
    if (holds_operations || share <= LAC_HEAVY_SHARE)
      continue;
    LacFinding finding = {
      .kind = share > LAC_BOTTLENECK_SHARE ? LAC_FINDING_BOTTLENECK : LAC_FINDING_HEAVY,
      .name = row->name,
      .step = -1,
      .ratio = share,
      .ns = row->is_operation ? row->total_ns : row->self_ns,
      .count = row->count,
      .begin_ns = begin_ns,
      .end_ns = end_ns,
    };
    g_array_append_val(inquiry->findings, finding);
  }
}

static int
compare_findings(gconstpointer a, gconstpointer b)
{
  const LacFinding *x = a, *y = b;
  if (x->kind != y->kind)
    return (int) x->kind - (int) y->kind;
  return (x->ns < y->ns) - (x->ns > y->ns);
}

/* First calls are those of @whole that lie within @capture, which may be a part of it. */
static LacAnalysis
make(const LacCapture *capture, const LacCapture *whole)
{
  static void (*const questions[])(const LacInquiry *inquiry) = {
    lac_inquire_shares,
    lac_inquire_variance,
    lac_inquire_outliers,
    lac_inquire_growth,
  };
  LacAnalysis       analysis = {.aggregates = lac_aggregates_new()};
  g_autoptr(GArray) findings = g_array_new(FALSE, FALSE, sizeof(LacFinding));
  g_autoptr(GArray) outliers = g_array_new(FALSE, FALSE, sizeof(LacFinding));
  lac_aggregates_add_capture(analysis.aggregates, capture);
  analysis.iterations = lac_iterations_find(capture);
  LacInquiry inquiry = {capture, &analysis.iterations, analysis.aggregates, findings, outliers};
  for (gsize i = 0; i < G_N_ELEMENTS(questions); i++)
    questions[i](&inquiry);
  inquiry.capture = whole;
  lac_inquire_first_calls(&inquiry);
  g_array_sort(findings, compare_findings);
  analysis.n = findings->len;
  analysis.findings = (LacFinding *) (gpointer) g_array_free(g_steal_pointer(&findings), FALSE);
  analysis.n_outliers = outliers->len;
  analysis.outliers = (LacFinding *) (gpointer) g_array_free(g_steal_pointer(&outliers), FALSE);
  return analysis;
}

LacAnalysis
lac_analysis_make(const LacCapture *capture)
{
  g_return_val_if_fail(capture != NULL, (LacAnalysis){0});
  return make(capture, capture);
}

LacAnalysis
lac_analysis_make_range(const LacCapture *capture, gint64 begin_ns, gint64 end_ns)
{
  g_return_val_if_fail(capture != NULL, (LacAnalysis){0});
  g_autoptr(LacCapture) range = lac_capture_dup_range(capture, begin_ns, end_ns);
  LacAnalysis           analysis = make(range, capture);
  gsize                 n = 0;
  for (gsize i = 0; i < analysis.n; i++) {
    const LacFinding *finding = &analysis.findings[i];
    if (finding->kind != LAC_FINDING_FIRST_CALL ||
        (finding->begin_ns >= begin_ns && finding->begin_ns <= end_ns))
      analysis.findings[n++] = *finding;
  }
  analysis.n = n;
  return analysis;
}

const LacFinding *
lac_analysis_find_outlier(const LacAnalysis *analysis, gint64 step)
{
  g_return_val_if_fail(analysis != NULL, NULL);
  for (gsize i = 0; i < analysis->n_outliers; i++)
    if (analysis->outliers[i].step == step)
      return &analysis->outliers[i];
  return NULL;
}

void
lac_analysis_clear(LacAnalysis *analysis)
{
  lac_iterations_clear(&analysis->iterations);
  g_clear_pointer(&analysis->aggregates, lac_aggregates_free);
  g_clear_pointer(&analysis->findings, g_free);
  g_clear_pointer(&analysis->outliers, g_free);
  analysis->n = analysis->n_outliers = 0;
}
