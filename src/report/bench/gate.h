/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gate: does the program cost more than its baseline, or is a physics check broken? What a first judgement calls broken or
 * cannot tell is measured again, with more processes. Broken is what the last measurement and all together call so, unless one
 * of them has kept the limit with confidence. */
#pragma once

#include "report/bench/table.h"

G_BEGIN_DECLS

#define LAC_GATE_MOST_ATTEMPTS 3

typedef struct _LacBenchGate LacBenchGate;

/* @baseline: borrowed. @partly: rows of it that are not measured at all break nothing. */
LacBenchGate *lac_bench_gate_new(const LacBenchFile *baseline, gboolean partly);
void          lac_bench_gate_free(LacBenchGate *gate);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacBenchGate, lac_bench_gate_free)

/* One more measurement of everything; @measured: its samples are copied. */
void lac_bench_gate_add(LacBenchGate *gate, const LacBenchFile *measured);

/* Whether another measurement could change the answer. */
gboolean lac_bench_gate_wants_more(const LacBenchGate *gate);
gboolean lac_bench_gate_passes(const LacBenchGate *gate);

/* Everything measured, attempts after each other. */
const LacBenchFile *lac_bench_gate_get_measured(const LacBenchGate *gate);

/* Returns: (transfer full): the table of lac_bench_compare_text() and the answer in a sentence. */
char *lac_bench_gate_dup_text(const LacBenchGate *gate, const char *baseline_name);
/* Returns: (transfer full): as lac_bench_compare_json(), with "attempts". */
char *lac_bench_gate_dup_json(const LacBenchGate *gate);

/* Adds to @file; @n_rounds: processes a phase. */
typedef gboolean (*LacBenchMeasure)(guint         n_rounds,
                                    LacBenchFile *file,
                                    gpointer      user_data,
                                    GError      **error);

/* Measures with @n_rounds processes, then with twice as many as long as the gate wants more. */
gboolean lac_bench_gate_run(LacBenchGate   *gate,
                            guint           n_rounds,
                            LacBenchMeasure measure,
                            gpointer        user_data,
                            GError        **error);

G_END_DECLS
