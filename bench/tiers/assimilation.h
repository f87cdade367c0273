/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ensemble Kalman filter in settings of the literature, beside the published errors: Lorenz 96 and
 * Kuramoto-Sivashinsky, from the flow laboratory's experiments. */
#pragma once

#include "bench/tiers/bench.h"

G_BEGIN_DECLS

/* Adds to @file the rows "assimilation/SCENE/METHOD": the time mean of the spatial RMS error of the analysis, with a
 * limit from the published value; the half width of its 95 % interval, which counts autocorrelation; the published
 * value; the RMS spread; the shares of errors within the 50, 90 and 95 % bands; the continuous ranked probability
 * score. Of the settings, threads, `only` and progress are used. @n_cycles: analyses in Lorenz 96, of which the first
 * fifth, at most 400, are not counted; Kuramoto-Sivashinsky has a fifth of them. */
gboolean lac_bench_assimilate(gsize                   n_cycles,
                              const LacBenchSettings *settings,
                              LacBenchFile           *file,
                              GError                **error);

G_END_DECLS
