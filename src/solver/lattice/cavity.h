/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steady flow in a square box whose lid slides: the lattice, run until nothing changes. Lengths in sides of the box, speeds
 * in the Reynolds number's. Source: Ghia, Ghia, Shin (1982), J. Comput. Phys. 48, 387. */
#pragma once

#include "base/pool.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  LacPool      *pool;                        /* borrowed */
  gsize         n;                           /* cells a side */
  double        reynolds;                    /* 1 / viscosity */
  const double *lid;                         /* [n]: speed at the middles of the cells */
  gboolean (*cancelled)(gpointer user_data); /* (optional): polled a few times a second */
  gpointer user_data;
} LacCavitySettings;

/* Fills u, v and p (mean 0), [3][n][n], at ((i + 1/2) / n, (j + 1/2) / n). Returns: %FALSE with %LAC_ERROR_OUT_OF_RANGE where the
 * cells are too few for the Reynolds number, or with %LAC_ERROR_FAILED where it is cancelled or never comes to rest. */
gboolean lac_cavity_solve(const LacCavitySettings *settings, double *fields, GError **error);

G_END_DECLS
