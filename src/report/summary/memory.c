/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/summary/memory.h"

#include "perf/analysis/analysis.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define LEAST_STEPS 20 /* before growth is spoken of */
#define LONGER      10 /* projected for a run of so many times the steps */

static double
sum_parts(const LacSummary *summary)
{
  double sum = 0;

  for (guint i = 0; i < LAC_N_MEMORY_PARTS; i++)
    sum += summary->memory_parts[i];
  return sum;
}

static void
add_row(LacTable *table, LacRowKind kind, const char *name, double bytes, double sum)
{
  g_autofree char  *size = lac_number_text(bytes / 1e6);
  g_autofree char  *share = lac_percent_text(bytes / sum);
  const char *const cells[] = {name, size, share};

  lac_table_add(table, kind, cells);
}

void
lac_summary_memory(const LacSummary *summary, LacTable *table)
{
  static const LacColumn columns[] = {
    {N_("buffers"), LAC_ALIGN_LEFT, FALSE},
    {"MB", LAC_ALIGN_RIGHT, FALSE},
    {N_("share"), LAC_ALIGN_RIGHT, FALSE},
  };
  const double sum = sum_parts(summary);

  lac_table_init(table, columns, G_N_ELEMENTS(columns));
  for (guint i = 0; i < LAC_N_MEMORY_PARTS && sum > 0; i++)
    if (summary->memory_parts[i] > 0)
      add_row(table, LAC_ROW_PLAIN, _(lac_memory_part_get_name((LacMemoryPart) i)),
              summary->memory_parts[i], sum);
  if (sum > 0)
    add_row(table, LAC_ROW_STRONG, _("all of these"), sum, sum);
}

double
lac_summary_project_peak(const LacSummary *summary, double factor)
{
  const LacRunFile *run = summary->run;
  double            more = 0;

  if (run->capture == NULL || !isfinite(summary->peak_resident))
    return NAN;
  g_auto(LacAnalysis) analysis = lac_analysis_make(run->capture);
  for (gsize i = 0; i < analysis.n; i++)
    if (analysis.findings[i].kind == LAC_FINDING_LEAK) /* the ratio is per 100 steps */
      more += analysis.findings[i].ratio / 100 * (factor - 1) * (double) run->steps;
  return summary->peak_resident + more;
}

char *
lac_summary_memory_dup_sentence(const LacSummary *summary)
{
  const double       projected = lac_summary_project_peak(summary, LONGER);
  const double       rest = summary->peak_resident - sum_parts(summary);
  const gboolean     is_here = !isfinite(summary->gpu_utilisation);
  g_autofree char   *peak = lac_bytes_text(summary->peak_resident);
  g_autofree char   *others = lac_bytes_text(rest);
  g_autofree char   *later = lac_bytes_text(projected);
  g_autoptr(GString) text = g_string_new(NULL);

  if (!isfinite(projected))
    return g_strdup("");
  if (is_here && rest > 0 && rest < summary->peak_resident)
    g_string_append_printf(
      text,
      _("The process reached %s, %s of them for the program, its libraries, frames and records."),
      peak, others);
  else
    g_string_append_printf(text, _("The process reached %s."), peak);
  g_string_append_c(text, ' ');
  if (projected > summary->peak_resident)
    g_string_append_printf(
      text, _("It grows with the steps: ten times as many would take it to about %s."), later);
  else if (summary->run->steps >= LEAST_STEPS)
    g_string_append(text, _("No growth with the steps was found."));
  return g_strchomp(g_string_free(g_steal_pointer(&text), FALSE));
}

char *
lac_summary_load_dup_sentence(const LacSummary *summary)
{
  g_autoptr(GString) text = g_string_new(NULL);

  if (isfinite(summary->cpu_utilisation)) {
    g_autofree char *share = lac_percent_text(summary->cpu_utilisation);
    g_string_append_printf(text, _("Utilisation of the processors: %s."), share);
  }
  if (isfinite(summary->gpu_utilisation)) {
    g_autofree char *share = lac_percent_text(summary->gpu_utilisation);
    g_string_append_c(text, ' ');
    g_string_append_printf(text, _("Utilisation of the GPU: %s."), share);
  }
  if (isfinite(summary->samples_per_second)) {
    g_autofree char *rate = lac_number_text(summary->samples_per_second);
    g_string_append_c(text, ' ');
    g_string_append_printf(text, _("Samples per second: %s."), rate);
  }
  return g_string_free(g_steal_pointer(&text), FALSE);
}
