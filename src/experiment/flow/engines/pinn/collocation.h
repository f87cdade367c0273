/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Residual-adaptive points: n of a pool of candidates, each with probability proportional to |r| / mean |r| + 1.
 * Source: Wu, Zhu, Tan, Kartha, Lu (2023), doi:10.1016/j.cma.2022.115671 (RAD with k = c = 1). */
#pragma once

#include "base/rng.h"

#include <glib.h>

G_BEGIN_DECLS

/**
 * lac_collocation_choose:
 * @residuals: [n_pool]
 * @scratch: [2 * n_pool]
 * @chosen: (out): [n] distinct indices, ascending
 *
 * Weighted choice without replacement by the exponential race of Efraimidis and Spirakis (2006).
 */
void lac_collocation_choose(LacRng       *rng,
                            const double *residuals,
                            double       *scratch,
                            gsize         n_pool,
                            gsize        *chosen,
                            gsize         n);

/* The general rule: @weights = |r|^power / mean |r|^power + offset; equal where every residual is 0. */
void lac_collocation_weigh(const double *residuals,
                           gsize         n_pool,
                           double        power,
                           double        offset,
                           double       *weights);

/* As lac_collocation_choose(), with probability proportional to @weights. */
void lac_collocation_race(LacRng       *rng,
                          const double *weights,
                          double       *keys,
                          gsize         n_pool,
                          gsize        *chosen,
                          gsize         n);

G_END_DECLS
