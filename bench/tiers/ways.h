/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work in two variants: with and without an optimisation. */
#pragma once

#include "bench/harness/probe.h"
#include "bench/tiers/training.h"

G_BEGIN_DECLS

typedef struct {
  const LacBenchTier *tier;
  LacBenchWay         with, without;
} LacBenchPairTask;

typedef struct {
  double      speedup; /* median of the ratios of adjacent turns: without / with */
  double      with_seconds, without_seconds; /* medians */
  double      difference; /* |without - with| / |with| of a result, or as described by @of */
  double      may_differ; /* allowed difference: rounding, amplified by the work */
  const char *of, *unit;  /* of: name of the result; unit: of the difference */
} LacBenchPairResult;

#define LAC_BENCH_N_PAIRS 5

/* Fills speed-up and seconds from LAC_BENCH_N_PAIRS turns of both variants. */
gboolean lac_bench_pair_measure(gboolean (*measure)(gpointer way, double *seconds, GError **error),
                                gpointer            with,
                                gpointer            without,
                                LacBenchPairResult *result,
                                GError            **error);

/* Read the clock that both variants of a task are scored by. */
LacBenchClocks lac_bench_pair_begin(const LacBenchPairTask *task);
double         lac_bench_pair_seconds(const LacBenchPairTask *task, LacBenchClocks begin);

/* Name and note of the rows of a pair: "ablation/small/tiles". */
typedef struct {
  const char *name, *note;
} LacBenchPairName;

/* Adds the rows of a pair; no difference where result->of is NULL. */
void lac_bench_add_pair(LacBenchFile             *rows,
                        const LacBenchPairName   *name,
                        const LacBenchPairResult *result);

/* Adds several pairs, whose names begin with that of @name. */
typedef gboolean (*LacBenchPairsWork)(const LacBenchPairTask *task,
                                      const LacBenchPairName *name,
                                      LacBenchFile           *rows,
                                      GError                **error);

/* Measure the operations of variational Monte Carlo, with the energy that both variants reach as the difference of
 * "train": H2 with 256, 512 or 1024 walkers by tier; LiH with a wider network and 2048. */
gboolean lac_bench_pair_quantum(const LacBenchPairTask *task,
                                const LacBenchPairName *name,
                                LacBenchFile           *rows,
                                GError                **error);
gboolean lac_bench_pair_quantum_wide(const LacBenchPairTask *task,
                                     const LacBenchPairName *name,
                                     LacBenchFile           *rows,
                                     GError                **error);

typedef gboolean (*LacBenchPairWork)(const LacBenchPairTask *task,
                                     LacBenchPairResult     *result,
                                     GError                **error);

/* Measures training steps of the first laboratory's experiment. */
gboolean
lac_bench_pair_training(const LacBenchPairTask *task, LacBenchPairResult *result, GError **error);

/* Measures the set-up of a turbulent flow: true field by a spectral solver, modes, sensor positions. */
gboolean
lac_bench_pair_truth(const LacBenchPairTask *task, LacBenchPairResult *result, GError **error);

/* Measures the set-up of a wake with a cached true field; the same in every tier. */
gboolean
lac_bench_pair_cached(const LacBenchPairTask *task, LacBenchPairResult *result, GError **error);

/* Measures samples of the progressive training of the imaging laboratory (progressive.c). */
gboolean lac_bench_pair_progressive(const LacBenchPairTask *task,
                                    LacBenchPairResult     *result,
                                    GError                **error);

G_END_DECLS
