/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tables of benchmarks say alike. */
#pragma once

#include "io/bench-file.h"
#include "perf/ratio.h"

G_BEGIN_DECLS

char *lac_bench_value_text(const LacBenchRow *row, double value); /* in the row's unit */
char *lac_bench_fixed_text(double ratio);                         /* "1.250", "∞", "–" */
char *lac_bench_interval_text(LacRatio ratio); /* "1.2 to 1.3", "too few to say" */

/* Appends one line: machine, program, threads. */
void lac_bench_machine_text(const LacBenchFile *file, GString *text);

G_END_DECLS
