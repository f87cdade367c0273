/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calibration of standard errors: coefficients that the differentiable solver and the filter find from readings with
 * noise, beside their true values. */
#pragma once

#include "bench/tiers/bench.h"

G_BEGIN_DECLS

/* Adds to @file the rows "coefficients/EXPERIMENT/METHOD.NAME": cases, the median standard error relative to the true value, the
 * shares of errors within the 50, 90 and 95 % intervals, of which the last has limits, and the root mean square of the
 * errors in standard errors. Of the settings, threads, `only` and progress are used. @n_draws: of the noise, each with
 * another seed. */
gboolean lac_bench_find_coefficients(gsize                   n_draws,
                                     const LacBenchSettings *settings,
                                     LacBenchFile           *file,
                                     GError                **error);

G_END_DECLS
