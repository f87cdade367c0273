/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bottom bar of the benchmarks: what to measure, the progress, and the next action. Its controls activate actions of
 * the window. */
#pragma once

#include "app/benchmarks/runner.h"
#include "app/toolkit/bottom-bar.h"

G_BEGIN_DECLS

typedef struct _LacBenchBar LacBenchBar;

LacBenchBar *lac_bench_bar_new(void);
void         lac_bench_bar_free(LacBenchBar *bar);
GtkWidget   *lac_bench_bar_get_widget(LacBenchBar *bar); /* (transfer none) */

/* @key: (nullable): the laboratory that is measured; NULL: all */
void lac_bench_bar_set_laboratory(LacBenchBar *bar, const char *key);
void lac_bench_bar_set_running(LacBenchBar *bar, gboolean running);
void lac_bench_bar_set_phase(LacBenchBar *bar, const LacBenchPhase *phase);
/* Shows what can be chosen for a benchmark of @family, and done with its result. */
void lac_bench_bar_set_family(LacBenchBar *bar, LacBenchFamily family);
/* @sentence: (nullable): why no benchmark can start */
void lac_bench_bar_set_reason(LacBenchBar *bar, const char *sentence);

/* Return: (transfer full): "Quantum, large: step, round 2 of 6", and "58 of 60 · 1 min 20 s to go" */
char  *lac_bench_phase_dup_title(const LacBenchPhase *phase);
char  *lac_bench_phase_dup_caption(const LacBenchPhase *phase);
double lac_bench_phase_get_fraction(const LacBenchPhase *phase);

G_END_DECLS
