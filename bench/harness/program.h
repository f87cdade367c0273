/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A benchmark that is a program of its own: it reads options, collects rows, and prints them at the end as one file of lacuna bench
 * (io/format/bench-file.h), which `lacuna compare` and `lacuna report` read. */
#pragma once

#include "bench/harness/clocks.h"
#include "io/format/bench-file.h"

G_BEGIN_DECLS

/* Reads a benchmark's options; ends the process with status 2 and one line where they cannot be read. @what: (nullable): its words besides. */
void bench_parse(const GOptionEntry *entries, const char *what, int *argc, char ***argv);

/* To be called before the first row. @n_threads: the most that compute; @backend: (nullable): a device, NULL: the processor */
void bench_begin(guint n_threads, const char *backend);

/* @limit: 0: none */
LacBenchRow
bench_row(const char *name, const char *metric, const char *unit, LacBenchKind kind, double limit);

/* A row is reported once; its value is the median of the samples. */
void bench_print(LacBenchRow row, const double *samples, gsize n);
void bench_print_one(LacBenchRow row, double sample);

/* Prints the file. Returns: the exit status, 1 where a limit is missed. */
int bench_end(void);

/* For a comparison that alternates with another program: wall and CPU milliseconds of each of @n steps, a line each. */
void bench_print_steps(LacBenchAct step, gpointer data, gsize n);

G_END_DECLS
