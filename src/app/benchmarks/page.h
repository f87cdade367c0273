/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The benchmarks of this machine: the verdict, the tables of tiers, ablation, operations and gate, and the trend over the versions
 * of the program. The page owns the stored results and the process that measures.
 *
 * Signals:
 *   changed     a benchmark has begun or ended, or another result is shown
 *   progressed  the benchmark has advanced
 *   message     (sentence): for the user */
#pragma once

#include "app/benchmarks/results.h"
#include "app/benchmarks/runner.h"
#include "app/benchmarks/table.h"
#include "app/benchmarks/trend-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_BENCHMARKS_PAGE (lac_benchmarks_page_get_type())
G_DECLARE_FINAL_TYPE(LacBenchmarksPage, lac_benchmarks_page, LAC, BENCHMARKS_PAGE, GtkWidget)

/* Returns: (transfer none): the bottom bar, which is not in the page. */
GtkWidget *lac_benchmarks_page_get_bar(LacBenchmarksPage *page);

/* Sets the folder of the results: (nullable): the user's. They are read when the page is shown. */
void lac_benchmarks_page_set_folder(LacBenchmarksPage *page, const char *folder);
/* @key: "tiers", "ablation", "micro" or "gate". Returns: FALSE for another one. */
gboolean lac_benchmarks_page_show_table(LacBenchmarksPage *page, const char *key);
/* @key: (nullable): the laboratory that the next benchmark measures; NULL: all */
void lac_benchmarks_page_set_laboratory(LacBenchmarksPage *page, const char *key);

/* Returns TRUE when the benchmark of the table shown is of tiers. */
gboolean lac_benchmarks_page_has_tiers(LacBenchmarksPage *page);
/* Measures tiers, or while their tables are shown their ablation or single operations, and stores the result. @scales:
 * "small,medium", of tiers. A failure is reported as a message. */
void            lac_benchmarks_page_start(LacBenchmarksPage *page, const char *scales);
LacBenchRunner *lac_benchmarks_page_get_runner(LacBenchmarksPage *page); /* (transfer none) */
/* @sentence: (nullable): why no benchmark can start */
void lac_benchmarks_page_set_reason(LacBenchmarksPage *page, const char *sentence);

/* Return: (transfer none) (nullable): the result shown, the baseline it is compared with, and the verdict. */
const LacBenchResult *lac_benchmarks_page_get_shown(LacBenchmarksPage *page);
const LacBenchResult *lac_benchmarks_page_get_baseline(LacBenchmarksPage *page);
const char           *lac_benchmarks_page_get_answer(LacBenchmarksPage *page);
/* Makes the result shown the baseline of this machine. */
void lac_benchmarks_page_pin(LacBenchmarksPage *page);

/* For tests. */
LacTrendView   *lac_benchmarks_page_get_trend(LacBenchmarksPage *page);
LacColumnTable *lac_benchmarks_page_get_table(LacBenchmarksPage *page, LacBenchTable kind);

G_END_DECLS
