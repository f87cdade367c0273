/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What judges a Burgers solution: a grid of (t, x) with the exact values on it, and a file's values where one is named. */
#pragma once

#include "field/field.h"

G_BEGIN_DECLS

typedef struct {
  gsize   n_t, n_x;
  double *points; /* [n_x][n_t][2]: (t, x) */
  double *exact;  /* [n_x][n_t], Cole-Hopf */
  double *truth;  /* [n_x][n_t]: the file's values, or the exact ones */
  double  t_first, t_last, x_first, x_last;
} LacBurgersJudge;

/**
 * lac_burgers_judge_new:
 * @file: (nullable): a field with axes t in [0, 1] and x in [-1, 1] (by name; else the longer one is x); NULL: 256 values of
 *   x by 100 of t, as in Raissi et al. (2019)
 *
 * Returns: %NULL with %LAC_ERROR_BAD_FILE set, naming what was found and what is needed.
 */
LacBurgersJudge *lac_burgers_judge_new(const LacGridField *file, double viscosity, GError **error);
void             lac_burgers_judge_free(LacBurgersJudge *judge);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacBurgersJudge, lac_burgers_judge_free)

G_END_DECLS
