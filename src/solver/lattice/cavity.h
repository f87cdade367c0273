/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steady flow in a lid-driven square cavity: the lattice Boltzmann solver, run until it converges. Lengths in units
 * of the side, speeds in units of the Reynolds number's reference speed. Source: Ghia, Ghia, Shin (1982), J. Comput.
 * Phys. 48, 387. */
#pragma once

#include "base/pool.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  LacPool      *pool;                        /* borrowed */
  gsize         n;                           /* cells per side */
  double        reynolds;                    /* 1 / viscosity */
  const double *lid;                         /* [n]: lid speed at the cell centres */
  gboolean (*cancelled)(gpointer user_data); /* (optional): polled several times a second */
  gpointer user_data;
} LacCavitySettings;

/* Fills u, v and p (mean 0), [3][n][n], at ((i + 1/2) / n, (j + 1/2) / n). Returns: %FALSE with
 * %LAC_ERROR_OUT_OF_RANGE if there are too few cells for the Reynolds number, or with %LAC_ERROR_FAILED if cancelled
 * or not converged. */
gboolean lac_cavity_solve(const LacCavitySettings *settings, double *fields, GError **error);

G_END_DECLS
