/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of the table of single operations: exponents of time and memory beside theory. */
#pragma once

#include "app/toolkit/column-table.h"

G_BEGIN_DECLS

#define LAC_N_BENCH_MICRO_COLUMNS 6

/* Rows are LacBenchLine with their growth. */
extern const LacTableColumn lac_bench_micro_columns[LAC_N_BENCH_MICRO_COLUMNS];

G_END_DECLS
