/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A partial differential equation: one row of the registry. Its residual is built as graph nodes; nothing is computed here. */
#pragma once

#include "graph/graph.h"

#include <glib.h>

G_BEGIN_DECLS

#define LAC_PDE_MAX_AXES         4
#define LAC_PDE_MAX_COEFFICIENTS 4

typedef struct {
  const char *name;
  const char *formula; /* residual = 0, as a person writes it */
  guint       n_axes;
  const char *axes[LAC_PDE_MAX_AXES];
  guint
    orders[LAC_PDE_MAX_AXES]; /* highest derivative along each axis: the jet that u must carry */
  guint       n_coefficients;
  const char *coefficients[LAC_PDE_MAX_COEFFICIENTS];
  double test_coefficients[LAC_PDE_MAX_COEFFICIENTS]; /* for which the exact solution is checked */

  /* @u: carries the jet of @orders, direction i along axis i. Returns: the residual, a plain value. */
  LacNode (*residual)(LacNode u, const double *coefficients);

  /* A solution of the equation. @x: coordinates carrying the same jet. Its residual vanishes: a test. */
  LacNode (*exact)(LacNode x, const double *coefficients);

  const char *source;
} LacPde;

const LacPde *const *lac_pdes(gsize *n_pdes);

/* The jet that the residual wants. */
LacJet lac_pde_get_jet(const LacPde *pde);

G_END_DECLS
