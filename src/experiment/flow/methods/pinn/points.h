/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points inside the domain of a case: at random, one in each slice of every axis, or a shifted Sobol sequence; holes and
 * whatever lies outside of the grid's mask are left out. And the choice among candidates by their residuals. */
#pragma once

#include "experiment/flow/scene.h"

G_BEGIN_DECLS

typedef enum {
  LAC_SAMPLING_UNIFORM,
  LAC_SAMPLING_LATIN, /* McKay, Beckman, Conover (1979) */
  LAC_SAMPLING_SOBOL, /* directions of Joe and Kuo (2008), all points shifted by one random word an axis */
} LacSampling;

typedef struct {
  const LacCase  *subject;
  const LacTruth *grid;  /* (nullable): only its mask is looked at */
  gboolean        half;  /* only the upper side of the mirror */
  double          last;  /* times beyond this part of the interval are left out: 0 < last <= 1 */
  gsize          *order; /* [n] scratch */
} LacPinnDomain;

/* @x: (out): [n][n_axes]. Points that the domain does not contain are replaced by random ones that it does.
 * Returns: %FALSE with %LAC_ERROR_OUT_OF_RANGE: the holes leave nothing over. */
gboolean lac_pinn_domain_sample(const LacPinnDomain *domain,
                                LacSampling          sampling,
                                LacRng              *rng,
                                gsize                n,
                                double              *x,
                                GError             **error);

/* Coordinates in the unit cube; @order: [n] scratch; @unit: (out): [n][n_axes], n_axes at most 4. */
void lac_sampling_fill(LacSampling sampling,
                       LacRng     *rng,
                       gsize       n,
                       guint       n_axes,
                       gsize      *order,
                       double     *unit);

/* ---- residual-adaptive points ---- */

/* n of a pool of candidates, each with probability proportional to its weight.
 * Source: Wu, Zhu, Tan, Kartha, Lu (2023), doi:10.1016/j.cma.2022.115671 (RAD: the power is k, the offset c). */

/* @weights: (out): |r|^power / mean |r|^power + offset; equal where every residual is 0. */
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
 * Weighted choice without replacement by the exponential race of Efraimidis and Spirakis (2006).
 */
void lac_collocation_choose_weighted(LacRng       *rng,
                                     const double *weights,
                                     double       *keys,
                                     gsize         n_pool,
                                     gsize        *chosen,
                                     gsize         n);

G_END_DECLS
