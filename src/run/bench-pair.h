/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same work in two ways, in turn, in one process: what the machine does meanwhile is done to both. */
#pragma once

#include "run/bench-training.h"

G_BEGIN_DECLS

typedef struct {
  const LacBenchTier *tier;
  LacBenchWay         with, without;
} LacBenchPairTask;

typedef struct {
  double      speedup; /* median of the ratios of neighbours: without / with */
  double      with_seconds, without_seconds; /* medians */
  double      difference;                    /* |without - with| / |with| of a result */
  double      may_differ; /* what rounding, amplified by the work, may make of it */
  const char *of;         /* which result */
} LacBenchPairResult;

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

G_END_DECLS
