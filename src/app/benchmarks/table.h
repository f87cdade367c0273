/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of the benchmarks: a line per tier, per optimisation, per operation, or per row of the gate. */
#pragma once

#include "app/toolkit/column-table.h"
#include "report/bench/answer.h"
#include "report/bench/table.h"

G_BEGIN_DECLS

typedef enum {
  LAC_BENCH_TIERS,
  LAC_BENCH_ABLATION,
  LAC_BENCH_MICRO,
  LAC_BENCH_GATE,
  LAC_N_BENCH_TABLES
} LacBenchTable;

/* A line of a table. Its scores are borrowed from the array that it was made of; each may be NULL. */
typedef struct {
  char                *name;              /* of its rows: "flow/small" */
  char                *laboratory, *tier; /* @laboratory: "" where the line above has the same */
  const LacBenchScore *step, *forward, *backward, *memory, *physics;
  const LacBenchScore *with, *without, *result; /* of an optimisation */
  LacGrowthLine        growth;                  /* of an operation */
  const LacBenchScore
    *shown; /* whose change is shown: the first that fails, else the step or the row itself */
} LacBenchLine;

/* Returns: (transfer floating) */
LacColumnTable *lac_bench_table_new(LacBenchTable kind);
/* Fills the table with lines of @file. @scores: (nullable): of lac_bench_score(file); outlives the lines; NULL: none */
void lac_bench_table_fill(LacColumnTable     *table,
                          LacBenchTable       kind,
                          const LacBenchFile *file,
                          const GArray       *scores);

/* Returns: (transfer full): the metrics of the rows that a line sums up, the shown one first; borrowed texts */
GPtrArray *lac_bench_line_dup_metrics(const LacBenchLine *line, const GArray *scores);

G_END_DECLS
