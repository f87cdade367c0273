/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convergence of the lattice to a steady flow. */
#include "base/error.h"
#include "solver/lattice/lattice-private.h"

#include <math.h>
#include <string.h>

#define STILL \
  1e-8 /* relative to the typical speed: largest change between checks of a converged flow */

/* Returns the largest change of velocity since @before, which is replaced by @moments. NaN propagates. */
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

gboolean
lac_lattice_converge(LacLattice           *lattice,
                     const LacLatticeRest *rest,
                     double               *moments,
                     GError              **error)
{
  const gsize        nx = lattice->grid.nx, ny = lattice->grid.ny;
  g_autofree double *before = g_new0(double, 3 * nx * ny);

  for (gsize i = 0; i < rest->n_looks; i++) {
    double step;

    if (rest->cancelled && rest->cancelled(rest->user_data)) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED, "the set-up was cancelled");
      return FALSE;
    }
    lac_lattice_advance(lattice, rest->n_between, NULL);
    lac_lattice_get(lattice, moments);
    step = change(moments, before, nx * ny);
    if (step < STILL * rest->speed)
      return TRUE;
    if (!isfinite(step))
      break;
  }
  g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED,
              "the flow does not converge on %" G_GSIZE_FORMAT " by %" G_GSIZE_FORMAT
              " cells; use more cells or a lower Reynolds number",
              nx, ny);
  return FALSE;
}
