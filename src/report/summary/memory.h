/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of a run: what its buffers hold, the peak of the process, and what a longer run would need. */
#pragma once

#include "report/summary/summary-private.h"

G_BEGIN_DECLS

/* Fills a table of the parts, in MB and as a share of their sum; no rows where no part was recorded. */
void lac_summary_memory(const LacSummary *summary, LacTable *table);

/* Returns: (transfer full): the peak of the process beside the parts, and the peak of a run ten times as long: at the
 * rate of the leak that perf/analysis found, or the same. "" if unknown. */
char *lac_summary_memory_dup_sentence(const LacSummary *summary);

/* Returns: (transfer full): utilisation and samples per second, means over the run; "" if unknown. */
char *lac_summary_load_dup_sentence(const LacSummary *summary);

/* Returns the projected peak in bytes of a run of @factor times as many steps; NaN if unknown. */
double lac_summary_project_peak(const LacSummary *summary, double factor);

G_END_DECLS
