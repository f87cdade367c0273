/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operations of PRISM's profile at any size: Fourier transforms, model, training, and a full run, each with its
 * first call, minimum, mean and maximum, and its memory. */
#pragma once

#include "bench/tiers/bench.h"

G_BEGIN_DECLS

/* Names: "fft", "model", "training", "full"; ends with NULL. */
extern const char *const lac_prism_operations[];

typedef struct {
  gsize       size;                /* of the grid: a power of two from 64 */
  const char *operation;           /* (nullable): NULL: all */
  gsize       n_samples, n_epochs; /* of training and of a full run: steps per sample */
} LacPrismSettings;

/* Adds to @file rows named "prism/SIZE/OPERATION": seconds as ACT_first_seconds, ACT_min_seconds, ACT_mean_seconds,
 * ACT_max_seconds; heap and resident bytes. At 1024 rows have PRISM's targets: as limits where a processor can reach
 * them, else in a note with what it reaches. Each operation is measured in its own process; of the settings, threads,
 * rounds and progress are used. No other thread may run. */
gboolean lac_bench_prism_operations(const LacPrismSettings *prism,
                                    const LacBenchSettings *settings,
                                    LacBenchFile           *file,
                                    GError                **error);

G_END_DECLS
