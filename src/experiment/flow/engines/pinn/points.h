/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points inside the domain of a case: at random, one in each slice of every axis, or a shifted Sobol sequence; holes and
 * whatever lies outside of the grid's mask are left out. */
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

gboolean lac_pinn_domain_contains(const LacPinnDomain *domain, const double *x);

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

G_END_DECLS
