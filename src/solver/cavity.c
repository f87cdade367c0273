/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lid-driven cavity on the lattice. */
#include "solver/cavity.h"

#include "base/error.h"
#include "solver/lattice-boltzmann.h"

#include <math.h>
#include <string.h>

#define SPEED     0.2  /* of the lid on the lattice: a steady flow bears a high Mach number here */
#define STILL     1e-8 /* largest change of a velocity during 1 / ROUNDS of the lid's way across */
#define ROUNDS    4
#define LONGEST   2000 /* ways across before one gives up */
#define LEAST_TAU 0.01 /* of relaxation, beyond one half */

/* Velocities change by the return value since @before, which becomes @moments. NaN stays NaN. */
static double
change(const double *moments, double *before, gsize cells)
{
  double most = 0;

  for (gsize i = cells; i < 3 * cells; i++) {
    const double step = fabs(moments[i] - before[i]);

    if (!(step <= most))
      most = step;
  }
  memcpy(before, moments, 3 * cells * sizeof *moments);
  return most;
}

static gboolean
settle(LacLattice *lattice, const LacCavitySettings *settings, double *moments, GError **error)
{
  const gsize        cells = settings->n * settings->n;
  const gsize        n_steps = (gsize) ceil((double) settings->n / SPEED / ROUNDS);
  g_autofree double *before = g_new0(double, 3 * cells);

  for (gsize i = 0; i < LONGEST * ROUNDS; i++) {
    double step;

    if (settings->cancelled && settings->cancelled(settings->user_data)) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED, "the set-up was cancelled");
      return FALSE;
    }
    lac_lattice_advance(lattice, n_steps, NULL);
    lac_lattice_get(lattice, moments);
    step = change(moments, before, cells);
    if (step < STILL * SPEED)
      return TRUE;
    if (!isfinite(step))
      break;
  }
  g_set_error(
    error, LAC_ERROR, LAC_ERROR_FAILED,
    "the flow in the cavity does not come to rest at a Reynolds number of %g on %" G_GSIZE_FORMAT
    " cells a side; take more cells or a lower Reynolds number",
    settings->reynolds, settings->n);
  return FALSE;
}

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
  double mean = 0;

  if (3 * viscosity < LEAST_TAU) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
      "A cavity at a Reynolds number of %g needs %.0f cells a side or more, not %" G_GSIZE_FORMAT
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
  if (!lattice || !settle(lattice, settings, fields, error))
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
