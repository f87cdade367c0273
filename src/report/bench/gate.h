/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The benchmark gate: fails when the program costs more than its baseline or a physics check is broken. Rows that the
 * first attempt finds broken or undecided are measured again with more processes. A row is broken when the last
 * attempt and all samples together find it broken, unless one attempt met the limit with confidence. */
#pragma once

#include "report/bench/table.h"

G_BEGIN_DECLS

#define LAC_GATE_MOST_ATTEMPTS 3

typedef struct _LacBenchGate LacBenchGate;

/* @baseline: borrowed. @partly: baseline rows that are not measured do not fail the gate. */
LacBenchGate *lac_bench_gate_new(const LacBenchFile *baseline, gboolean partly);
void          lac_bench_gate_free(LacBenchGate *gate);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacBenchGate, lac_bench_gate_free)

/* Adds one more attempt; the samples of @measured are copied. */
void lac_bench_gate_add(LacBenchGate *gate, const LacBenchFile *measured);

/* Returns TRUE when another attempt could change the verdict. */
gboolean lac_bench_gate_wants_more(const LacBenchGate *gate);
gboolean lac_bench_gate_passes(const LacBenchGate *gate);

/* Returns the measured samples of all attempts so far, in order. */
const LacBenchFile *lac_bench_gate_get_measured(const LacBenchGate *gate);

/* Returns: (transfer full): the table of lac_bench_compare_text() and a sentence with the result. */
char *lac_bench_gate_dup_text(const LacBenchGate *gate, const char *baseline_name);
/* Returns: (transfer full): the text of lac_bench_compare_json() with "attempts". */
char *lac_bench_gate_dup_json(const LacBenchGate *gate);

/* Adds samples to @file. @n_rounds: processes per phase. */
typedef gboolean (*LacBenchMeasure)(guint         n_rounds,
                                    LacBenchFile *file,
                                    gpointer      user_data,
                                    GError      **error);

/* Measures with @n_rounds processes, then doubles the number for each further attempt that could change the result. */
gboolean lac_bench_gate_run(LacBenchGate   *gate,
                            guint           n_rounds,
                            LacBenchMeasure measure,
                            gpointer        user_data,
                            GError        **error);

G_END_DECLS
