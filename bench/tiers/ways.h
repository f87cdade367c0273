/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work that is done in two ways, with an optimisation and without it. */
#pragma once

#include "bench/harness/probe.h"
#include "bench/tiers/training.h"

G_BEGIN_DECLS

typedef struct {
  const LacBenchTier *tier;
  LacBenchWay         with, without;
} LacBenchPairTask;

typedef struct {
  double      speedup; /* median of the ratios of neighbours: without / with */
  double      with_seconds, without_seconds; /* medians */
  double      difference; /* |without - with| / |with| of a result, or as @of says */
  double      may_differ; /* what rounding, amplified by the work, may make of it */
  const char *of, *unit;  /* which result; of the difference */
} LacBenchPairResult;

#define LAC_BENCH_N_PAIRS 5

/* Fills speed-up and seconds from so many turns of both ways. */
gboolean lac_bench_pair_measure(gboolean (*measure)(gpointer way, double *seconds, GError **error),
                                gpointer            with,
                                gpointer            without,
                                LacBenchPairResult *result,
                                GError            **error);

/* The clocks that both ways of a task are judged by. */
LacBenchClocks lac_bench_pair_begin(const LacBenchPairTask *task);
double         lac_bench_pair_seconds(const LacBenchPairTask *task, LacBenchClocks begin);

typedef gboolean (*LacBenchPairWork)(const LacBenchPairTask *task,
                                     LacBenchPairResult     *result,
                                     GError                **error);

/* Steps of training, of the experiment of the first laboratory. */
gboolean
lac_bench_pair_training(const LacBenchPairTask *task, LacBenchPairResult *result, GError **error);

/* The set-up of a turbulent flow: truth by a spectral solver, modes, places of sensors. */
gboolean
lac_bench_pair_truth(const LacBenchPairTask *task, LacBenchPairResult *result, GError **error);

/* The set-up of a wake, whose truth a cache keeps; the same in every tier. */
gboolean
lac_bench_pair_cached(const LacBenchPairTask *task, LacBenchPairResult *result, GError **error);

/* progressive.c: samples of the progressive training of the imaging laboratory. */
gboolean lac_bench_pair_progressive(const LacBenchPairTask *task,
                                    LacBenchPairResult     *result,
                                    GError                **error);

G_END_DECLS
