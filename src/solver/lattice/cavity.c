/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lid-driven cavity with the lattice Boltzmann solver. */
#include "solver/lattice/cavity.h"

#include "base/error.h"
#include "solver/lattice/lattice-boltzmann.h"

#include <math.h>

#define SPEED     0.2 /* lid speed in lattice units: a steady flow tolerates a high Mach number here */
#define ROUNDS    4    /* convergence checks per lid crossing time */
#define LONGEST   2000 /* lid crossing times before giving up */
#define LEAST_TAU 0.01 /* minimum relaxation time beyond one half */

gboolean
lac_cavity_solve(const LacCavitySettings *settings, double *fields, GError **error)
{
  const gsize           n = settings->n, cells = n * n;
  const double          viscosity = SPEED * (double) n / settings->reynolds;
  g_autofree double    *lid = g_new0(double, 2 * n);
  g_autoptr(LacLattice) lattice = NULL;
  LacLatticeSettings    box = {
       .pool = settings->pool,
       .type = LAC_F64,
       .nx = n,
       .ny = n,
       .viscosity = viscosity,
  };
  const LacLatticeRest rest = {
    .speed = SPEED,
    .n_between = (gsize) ceil((double) n / SPEED / ROUNDS),
    .n_looks = LONGEST * ROUNDS,
    .cancelled = settings->cancelled,
    .user_data = settings->user_data,
  };
  double mean = 0;

  if (3 * viscosity < LEAST_TAU) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
      "A cavity at a Reynolds number of %g needs at least %.0f cells per side, not %" G_GSIZE_FORMAT
      ".",
      settings->reynolds, ceil(LEAST_TAU * settings->reynolds / (3 * SPEED)), n);
    return FALSE;
  }
  for (gsize i = 0; i < n; i++)
    lid[2 * i] = SPEED * settings->lid[i];
  for (guint i = 0; i < LAC_LATTICE_N_SIDES; i++)
    box.sides[i] = LAC_LATTICE_WALL;
  box.velocities[LAC_LATTICE_TOP] = lid;
  lattice = lac_lattice_new(&box, error);
  if (!lattice || !lac_lattice_converge(lattice, &rest, fields, error))
    return FALSE;
  for (gsize i = 0; i < cells; i++)
    mean += fields[i] / (double) cells;
  for (gsize i = 0; i < cells; i++) {
    const double pressure = (fields[i] - mean) / (3 * SPEED * SPEED);

    fields[i] = fields[cells + i] / SPEED;
    fields[cells + i] = fields[2 * cells + i] / SPEED;
    fields[2 * cells + i] = pressure;
  }
  return TRUE;
}
