/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Viscosity in the integrating factor: shared by all members, or separate for each. */
#include "solver/spectral/vorticity-private.h"

#include <math.h>

LacStatus
lac_vorticity_put_decay(LacVorticitySolver *solver,
                        LacVorticityWorker *worker,
                        double              viscosity,
                        gsize               slot)
{
  const LacVorticitySettings *settings = &solver->settings;
  const gsize                 n = settings->n, nxh = solver->nxh, n_modes = n * nxh;
  const gsize                 at = slot * lac_vorticity_spectrum_bytes(solver) / 2;
  double                     *decay = worker->spectrum, *half = decay + n_modes;
  LacStatus                   status;

  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < nxh; x++) {
      const double ky = lac_vorticity_wavenumber(y, n), kx = (double) x;
      const double rate = -viscosity * (kx * kx + ky * ky) - settings->drag;

      decay[y * nxh + x] = exp(rate * settings->time_step);
      half[y * nxh + x] = exp(rate * settings->time_step / 2);
    }
  status = lac_vorticity_put(solver, worker, solver->decay + at, decay, n_modes);
  return status == LAC_STATUS_OK
           ? lac_vorticity_put(solver, worker, solver->decay_half + at, half, n_modes)
           : status;
}

void
lac_vorticity_set_n_members(LacVorticitySolver *solver, gsize n_members)
{
  g_return_if_fail(n_members <= solver->settings.n_members);
  solver->n_members = n_members;
}

static void
set_viscosity(gsize member, guint worker, gpointer user_data)
{
  LacVorticitySolver *solver = user_data;
  LacVorticityWorker *own = &solver->workers[worker];
  const double        viscosity = solver->viscosities_in[member * solver->stride];

  if (viscosity == solver->viscosities[member] || (solver->decay_stride == 0 && member > 0))
    return;
  own->status = lac_vorticity_put_decay(solver, own, viscosity, member);
  solver->viscosities[member] = viscosity;
}

gboolean
lac_vorticity_set_viscosities(LacVorticitySolver *solver,
                              const double       *viscosities,
                              gsize               stride,
                              GError            **error)
{
  g_return_val_if_fail(solver->viscosities, FALSE);
  solver->viscosities_in = viscosities;
  solver->stride = stride;
  solver->decay_stride = 0;
  for (gsize i = 1; i < solver->n_members; i++)
    if (viscosities[i * stride] != viscosities[0])
      solver->decay_stride = lac_vorticity_spectrum_bytes(solver) / 2;
  return lac_vorticity_over_members(solver, set_viscosity, error);
}
