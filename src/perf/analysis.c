/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The questions that are put to a recording, and those that the table of names answers. */
#include "perf/analysis.h"

#include "perf/analysis-private.h"

gboolean *
lac_inquiry_dup_operations(const LacInquiry *inquiry, gboolean *has_any)
{
  guint32   n_names = lac_capture_get_n_names(inquiry->capture);
  gboolean *operations = g_new0(gboolean, n_names + 1);
  *has_any = FALSE;
  for (gsize i = 0, n = lac_capture_get_n_records(inquiry->capture); i < n; i++) {
    const LacRecord *record = lac_capture_at(inquiry->capture, i);
    if (record->kind == LAC_RECORD_AGGREGATE && record->name < n_names)
      *has_any = operations[record->name] = TRUE;
  }
  return operations;
}

/* Operations by their share of all operations; phases by what is their own, of the outermost spans together. */
void
lac_inquire_shares(const LacInquiry *inquiry)
{
  gboolean             any;
  g_autofree gboolean *operations = lac_inquiry_dup_operations(inquiry, &any);
  guint32              n_names = lac_capture_get_n_names(inquiry->capture);
  gsize                n;
  const LacAggregate  *rows = lac_aggregates_get(inquiry->aggregates, &n);
  gint64               begin_ns, end_ns;
  lac_capture_get_extent(inquiry->capture, &begin_ns, &end_ns);
  for (gsize i = 0; i < n; i++) {
    gboolean operation = rows[i].name < n_names && operations[rows[i].name];
    gboolean holds_operations =
      any && !operation && rows[i].name == inquiry->iterations->name && inquiry->iterations->n > 0;
    double share = operation || rows[i].total_ns <= 0
                     ? rows[i].share
                     : rows[i].share * rows[i].self_ns / rows[i].total_ns;
    if (holds_operations || share <= LAC_HEAVY_SHARE)
      continue;
    LacFinding finding = {
      .kind = share > LAC_BOTTLENECK_SHARE ? LAC_FINDING_BOTTLENECK : LAC_FINDING_HEAVY,
      .name = rows[i].name,
      .step = -1,
      .ratio = share,
      .ns = operation ? rows[i].total_ns : rows[i].self_ns,
      .count = rows[i].count,
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

LacAnalysis
lac_analysis_make(const LacCapture *capture)
{
  static void (*const questions[])(const LacInquiry *inquiry) = {
    lac_inquire_shares,      lac_inquire_variance, lac_inquire_outliers,
    lac_inquire_first_calls, lac_inquire_growth,
  };
  LacAnalysis analysis = {0};
  g_return_val_if_fail(capture != NULL, analysis);
  g_autoptr(LacAggregates) aggregates = lac_aggregates_new();
  g_autoptr(GArray)        findings = g_array_new(FALSE, FALSE, sizeof(LacFinding));
  lac_aggregates_add_capture(aggregates, capture);
  analysis.iterations = lac_iterations_find(capture);
  LacInquiry inquiry = {capture, &analysis.iterations, aggregates, findings};
  for (gsize i = 0; i < G_N_ELEMENTS(questions); i++)
    questions[i](&inquiry);
  g_array_sort(findings, compare_findings);
  analysis.n = findings->len;
  analysis.findings = (LacFinding *) (gpointer) g_array_free(g_steal_pointer(&findings), FALSE);
  return analysis;
}

void
lac_analysis_clear(LacAnalysis *analysis)
{
  lac_iterations_clear(&analysis->iterations);
  g_clear_pointer(&analysis->findings, g_free);
  analysis->n = 0;
}
