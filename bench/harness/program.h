/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Standalone benchmark programs: options, rows, and output as one file of lacuna bench (io/format/bench-file.h),
 * readable by `lacuna compare` and `lacuna report`. */
#pragma once

#include "bench/harness/clocks.h"
#include "io/format/bench-file.h"

G_BEGIN_DECLS

/* Parses a benchmark's options; exits with status 2 and a one-line message on errors. @what: (nullable): its
 * positional arguments. */
void bench_parse(const GOptionEntry *entries, const char *what, int *argc, char ***argv);

/* Must be called before the first row. @n_threads: maximum number of compute threads; @backend: (nullable): a device,
 * NULL: the processor */
void bench_begin(guint n_threads, const char *backend);

/* @limit: 0: none */
LacBenchRow
bench_row(const char *name, const char *metric, const char *unit, LacBenchKind kind, double limit);

/* Adds a row, once per row; its value is the median of the samples. */
void bench_print(LacBenchRow row, const double *samples, gsize n);
void bench_print_one(LacBenchRow row, double sample);

/* Prints the file. Returns: the exit status, 1 where a limit is missed. */
int bench_end(void);

/* Prints wall and CPU milliseconds of each of @n steps, a line each, for an alternating comparison with another
 * program. */
void bench_print_steps(LacBenchAct step, gpointer data, gsize n);

G_END_DECLS
