/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text and tables shared by the outputs of benchmark files. */
#pragma once

#include "io/format/bench-file.h"
#include "perf/analysis/ratio.h"
#include "report/text/pages-private.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

char *lac_bench_value_text(const LacBenchRow *row, double value); /* formatted in the row's unit */
char *lac_bench_fixed_text(double ratio);                         /* "1.250", "∞", "–" */
char *lac_bench_interval_text(LacRatio ratio); /* "1.2 to 1.3", "too few samples" */

/* Appends one line with the machine, program and thread count. */
void lac_bench_machine_text(const LacBenchFile *file, GString *text);

/* Returns a table of @pairs, followed by the rows that one of the files lacks. */
char *lac_bench_pairs_text(const GArray       *pairs,
                           const LacBenchFile *before,
                           const LacBenchFile *after,
                           const char *const   names[2]);

gboolean lac_bench_is_one_machine(const LacBenchFile *before, const LacBenchFile *after);

/* Fill @table, which the caller clears: with all rows of a file, those of growth as one line per operation; with the optimisations that could be
 * switched off; with the pairs of two files. */
void lac_bench_fill(const LacBenchFile *file, LacTable *table);
void lac_bench_ablation_fill(const LacBenchFile *file, LacTable *table);
void lac_bench_growth_fill(const LacBenchFile *file, LacTable *table);
void lac_bench_pairs_fill(const GArray *pairs, LacTable *table);

/* Adds the members "before", "after" and "results" to the open object. */
void lac_bench_put_pairs(JsonBuilder        *to,
                         const GArray       *pairs,
                         const LacBenchFile *before,
                         const LacBenchFile *after);

/* Input of a benchmark report. @after: (nullable). */
typedef struct {
  const LacBenchFile *before, *after;
  const char         *names[2];
} LacBenches;

typedef struct _LacDocument LacDocument;
/* @data: LacBenches */
gboolean lac_report_add_bench(LacDocument *document, gconstpointer data, GError **error);

G_END_DECLS
