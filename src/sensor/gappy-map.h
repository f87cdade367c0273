/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The linear algebra behind gappy POD: from sensors to the map of values to coefficients. For the files of gappy.h alone. */
#pragma once

#include "sensor/gappy.h"

G_BEGIN_DECLS

/* What the sensors see, missing or not. */
typedef struct {
  const LacPod  *pod;
  LacGappyMethod method;
  gsize          n_values;
  double        *means;     /* [n_values] */
  double        *seen;      /* T: [n_values][n_modes] */
  double        *noises;    /* [n_values]: variance of the measurement alone */
  double        *variances; /* [n_values]: with what the modes leave */
} LacGappyDesign;

/* Returns: %FALSE with an error. */
gboolean
lac_gappy_design_init(LacGappyDesign *design, const LacGappySettings *settings, GError **error);
void lac_gappy_design_clear(LacGappyDesign *design);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacGappyDesign, lac_gappy_design_clear)

/* @present: [n_values]; @map: (out): [n_modes][n_values], columns of missing values zero. Returns: %FALSE where there is no
 * finite solution. */
gboolean lac_gappy_make_map(const LacGappyDesign *design, const guint8 *present, double *map);

/* @covariance: (out): [n_modes][n_modes] of the coefficients' error: (1 - M T) S^2 (1 - M T)^t + M N M^t */
void lac_gappy_find_covariance(const LacGappyDesign *design, const double *map, double *covariance);

G_END_DECLS
