/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampling of points inside a case's domain: uniform, Latin hypercube, or digitally shifted Sobol sequence; holes and
 * cells outside the grid's mask are excluded. Also selection among candidates by residual. */
#pragma once

#include "experiment/flow/scene.h"

G_BEGIN_DECLS

typedef enum {
  LAC_SAMPLING_UNIFORM,
  LAC_SAMPLING_LATIN, /* McKay, Beckman, Conover (1979) */
  LAC_SAMPLING_SOBOL, /* direction numbers of Joe and Kuo (2008), all points XORed with one random word per axis */
} LacSampling;

typedef struct {
  const LacCase  *subject;
  const LacTruth *grid;  /* (nullable): only its mask is used */
  gboolean        half;  /* sample only the upper half of the mirrored axis */
  double          last;  /* excludes times beyond this fraction of the interval: 0 < last <= 1 */
  gsize          *order; /* [n] scratch */
} LacPinnDomain;

/* Fills @x, [n][n_axes]. Points outside the domain are replaced by random points inside. Returns: %FALSE with
 * %LAC_ERROR_OUT_OF_RANGE if the holes leave no room. */
gboolean lac_pinn_domain_sample(const LacPinnDomain *domain,
                                LacSampling          sampling,
                                LacRng              *rng,
                                gsize                n,
                                double              *x,
                                GError             **error);

/* Samples the unit cube; @order: [n] scratch; @unit: (out): [n][n_axes], n_axes at most 4. */
void lac_sampling_fill(LacSampling sampling,
                       LacRng     *rng,
                       gsize       n,
                       guint       n_axes,
                       gsize      *order,
                       double     *unit);

/* ---- residual-adaptive points ---- */

/* Residual-based adaptive sampling: draws n of a pool of candidates with probability proportional to their weights.
 * Source: Wu, Zhu, Tan, Kartha, Lu (2023), doi:10.1016/j.cma.2022.115671 (RAD: the power is k, the offset c). */

/* @weights: (out): |r|^power / mean |r|^power + offset; equal if all residuals are 0. */
void lac_collocation_weigh(const double *residuals,
                           gsize         n_pool,
                           double        power,
                           double        offset,
                           double       *weights);

/**
 * lac_collocation_choose_weighted:
 * @weights: [n_pool]
 * @keys: [n_pool] scratch
 * @chosen: (out): [n] distinct indices, ascending
 *
 * Weighted sampling without replacement, by the exponential keys of Efraimidis and Spirakis (2006).
 */
void lac_collocation_choose_weighted(LacRng       *rng,
                                     const double *weights,
                                     double       *keys,
                                     gsize         n_pool,
                                     gsize        *chosen,
                                     gsize         n);

G_END_DECLS
