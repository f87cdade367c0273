/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows a benchmark prints: a JSON list of figures, each with its limit where it has one. */
#pragma once

#include <glib.h>

typedef struct {
  double value, lowest, highest;
} BenchFigure;

typedef struct {
  const char *name, *metric, *unit;
  guint       n_threads;
  double      limit; /* 0: none; the value is to be at least this, or at most where `at_most` */
  gboolean    at_most;
} BenchRow;

/* Median and range; sorts the numbers. */
BenchFigure bench_figure_of(double *numbers, gsize n);

void     bench_print_row(const BenchRow *row, BenchFigure figure);
gboolean bench_all_passed(void);
char    *bench_number(double value);

/* Reads a benchmark's options; ends the process with status 2 and one line where they cannot be read. @what: (nullable): its words besides. */
void bench_parse(const GOptionEntry *entries, const char *what, int *argc, char ***argv);
