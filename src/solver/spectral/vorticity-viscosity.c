/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Viscosity in the integrating factor: shared by all members, or separate for each. */
#include "solver/refusal.h"
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
  double   *decay = worker->spectrum, *half = decay + n_modes; /* as large as a spectrum */
  LacStatus status;

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

gboolean
lac_vorticity_set_n_members(LacVorticitySolver *solver, gsize n_members, GError **error)
{
  g_return_val_if_fail(n_members <= solver->settings.n_members, FALSE);
  if (n_members == solver->n_members)
    return TRUE;
  solver->n_members = n_members;
  lac_recorded_step_forget(solver->step);
  return lac_solver_check_status(lac_vorticity_prepare_transforms(solver), error);
}

static void
set_viscosities(gsize group, guint worker, gpointer user_data)
{
  LacVorticitySolver     *solver = user_data;
  LacVorticityWorker     *own = &solver->workers[worker];
  const LacVorticityGroup members = lac_vorticity_get_group(solver, group);

  for (gsize member = members.first; member < members.first + members.n; member++) {
    const double viscosity = solver->viscosities_in[member * solver->stride];

    if (viscosity == solver->viscosities[member] || (solver->decay_stride == 0 && member > 0) ||
        own->status != LAC_STATUS_OK)
      continue;
    own->status = lac_vorticity_put_decay(solver, own, viscosity, member);
    solver->viscosities[member] = viscosity;
  }
}

gboolean
lac_vorticity_set_viscosities(LacVorticitySolver *solver,
                              const double       *viscosities,
                              gsize               stride,
                              GError            **error)
{
  const gsize before = solver->decay_stride;

  g_return_val_if_fail(solver->viscosities, FALSE);
  solver->viscosities_in = viscosities;
  solver->stride = stride;
  solver->decay_stride = 0;
  for (gsize i = 1; i < solver->n_members; i++)
    if (viscosities[i * stride] != viscosities[0])
      solver->decay_stride = lac_vorticity_spectrum_bytes(solver) / 2;
  if (solver->decay_stride != before)
    lac_recorded_step_forget(solver->step);
  return lac_vorticity_over_groups(solver, set_viscosities, error);
}
