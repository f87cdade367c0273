/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tables of benchmarks say alike. */
#pragma once

#include "io/bench-file.h"
#include "perf/ratio.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

char *lac_bench_value_text(const LacBenchRow *row, double value); /* in the row's unit */
char *lac_bench_fixed_text(double ratio);                         /* "1.250", "∞", "–" */
char *lac_bench_interval_text(LacRatio ratio); /* "1.2 to 1.3", "too few to say" */

/* Appends one line: machine, program, threads. */
void lac_bench_machine_text(const LacBenchFile *file, GString *text);

/* The table of @pairs and the rows that one of the files lacks. */
char *lac_bench_pairs_text(const GArray       *pairs,
                           const LacBenchFile *before,
                           const LacBenchFile *after,
                           const char *const   names[2]);

/* The members "before", "after" and "results" of an object. */
void lac_bench_put_pairs(JsonBuilder        *to,
                         const GArray       *pairs,
                         const LacBenchFile *before,
                         const LacBenchFile *after);

G_END_DECLS
