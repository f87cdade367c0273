/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion between velocity and vorticity, random initial conditions, and loops over members. Curls are computed in
 * double on the host: they are needed once per observation, not once per step. */
#include "backend/device-log.h"
#include "solver/refusal.h"
#include "solver/spectral/vorticity-private.h"

#include <math.h>

gboolean
lac_vorticity_is_kept(const LacVorticitySolver *solver, gsize x, gsize y)
{
  const gsize n = solver->settings.n;

  return 3.0 * (double) x < (double) n && 3.0 * fabs(lac_vorticity_wavenumber(y, n)) < (double) n;
}

gboolean
lac_vorticity_over_members(LacVorticitySolver *solver, LacPoolFunc func, GError **error)
{
  for (guint i = 0; i < solver->n_workers; i++)
    solver->workers[i].status = LAC_STATUS_OK;
  if (solver->settings.device.table->concurrent)
    lac_pool_run(solver->settings.pool, solver->n_members, func, solver);
  else
    for (gsize member = 0; member < solver->n_members; member++)
      func(member, 0, solver);
  for (guint i = 0; i < solver->n_workers; i++)
    if (!lac_solver_check_status(solver->workers[i].status, error))
      return FALSE;
  return TRUE;
}

LacStatus
lac_vorticity_put(LacVorticitySolver *solver,
                  LacVorticityWorker *worker,
                  gpointer            device,
                  const double       *values,
                  gsize               n)
{
  const LacDevice to = solver->settings.device;
  float          *narrow = worker->staging;

  if (solver->settings.type == LAC_F64)
    return lac_device_upload(to, device, values, n * sizeof *values);
  for (gsize i = 0; i < n; i++)
    narrow[i] = (float) values[i];
  return lac_device_upload(to, device, narrow, n * sizeof *narrow);
}

static LacStatus
fetch(LacVorticitySolver *solver,
      LacVorticityWorker *worker,
      double             *values,
      gconstpointer       device,
      gsize               n)
{
  const LacDevice from = solver->settings.device;
  float          *narrow = worker->staging;
  LacStatus       status;

  if (solver->settings.type == LAC_F64)
    return lac_device_download(from, values, device, n * sizeof *values);
  status = lac_device_download(from, narrow, device, n * sizeof *narrow);
  for (gsize i = 0; i < n; i++)
    values[i] = (double) narrow[i];
  return status;
}

static LacFft
plane_transform(LacVorticitySolver *solver, gpointer plane, gpointer spectrum)
{
  return (LacFft){.type = solver->settings.type,
                  .nx = solver->settings.n,
                  .ny = solver->settings.n,
                  .n_batch = 1,
                  .real = plane,
                  .spectrum = spectrum};
}

LacStatus
lac_vorticity_forward(LacVorticitySolver *solver, gpointer plane, gpointer spectrum)
{
  const LacFft args = plane_transform(solver, plane, spectrum);

  return solver->settings.device.table->fft_forward(solver->settings.device.self, &args);
}

LacStatus
lac_vorticity_inverse(LacVorticitySolver *solver, gpointer plane, gpointer spectrum)
{
  const LacFft args = plane_transform(solver, plane, spectrum);

  return solver->settings.device.table->fft_inverse(solver->settings.device.self, &args);
}

/* Computes the spectra of one velocity field into worker->spectrum, [2][n][nxh] complex. */
static LacStatus
transform_velocity(LacVorticitySolver *solver, LacVorticityWorker *worker, const double *velocity)
{
  const gsize n = solver->settings.n, plane = lac_vorticity_plane_bytes(solver);
  const gsize spectrum = lac_vorticity_spectrum_bytes(solver), n_complex = 2 * n * solver->nxh;
  LacStatus   status = lac_vorticity_put(solver, worker, worker->physical, velocity, 2 * n * n);

  for (gsize i = 0; i < 2 && status == LAC_STATUS_OK; i++)
    status =
      lac_vorticity_forward(solver, worker->physical + i * plane, worker->fields + i * spectrum);
  for (gsize i = 0; i < 2 && status == LAC_STATUS_OK; i++)
    status = fetch(solver, worker, worker->spectrum + i * n_complex, worker->fields + i * spectrum,
                   n_complex);
  return status;
}

/* Replaces u by w = i kx v - i ky u; wavenumbers beyond the 2/3 rule are 0. */
static void
curl_spectrum(LacVorticitySolver *solver, double *u)
{
  const gsize   n = solver->settings.n, nxh = solver->nxh;
  const double *v = u + 2 * n * nxh;

  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < nxh; x++) {
      const gsize    at = 2 * (y * nxh + x);
      const double   ky = lac_vorticity_wavenumber(y, n), kx = (double) x;
      const double   re = ky * u[at + 1] - kx * v[at + 1], im = kx * v[at] - ky * u[at];
      const gboolean kept = lac_vorticity_is_kept(solver, x, y);

      u[at] = kept ? re : 0;
      u[at + 1] = kept ? im : 0;
    }
}

static void
set_member(gsize member, guint worker, gpointer user_data)
{
  LacVorticitySolver *solver = user_data;
  LacVorticityWorker *own = &solver->workers[worker];
  const gsize         n = solver->settings.n;
  LacStatus status = transform_velocity(solver, own, solver->velocity_in + member * 2 * n * n);

  if (status == LAC_STATUS_OK) {
    curl_spectrum(solver, own->spectrum);
    status =
      lac_vorticity_put(solver, own, solver->state + member * lac_vorticity_spectrum_bytes(solver),
                        own->spectrum, 2 * n * solver->nxh);
  }
  if (status != LAC_STATUS_OK)
    own->status = status;
}

gboolean
lac_vorticity_set(LacVorticitySolver *solver, const double *velocity, GError **error)
{
  solver->velocity_in = velocity;
  return lac_vorticity_over_members(solver, set_member, error);
}

static void
get_member(gsize member, guint worker, gpointer user_data)
{
  LacVorticitySolver *solver = user_data;
  LacVorticityWorker *own = &solver->workers[worker];
  const LacDevice     device = solver->settings.device;
  const gsize         n = solver->settings.n, plane = lac_vorticity_plane_bytes(solver);
  const gsize         spectrum = lac_vorticity_spectrum_bytes(solver);
  const LacVorticity  args = {.type = solver->settings.type,
                              .nx = n,
                              .ny = n,
                              .n_batch = 1,
                              .vorticity = solver->state + member * spectrum,
                              .fields = own->fields};
  LacStatus           status = device.table->vorticity_derive(device.self, &args);

  for (gsize i = 0; i < 2 && status == LAC_STATUS_OK; i++)
    status = lac_vorticity_inverse(solver, own->physical + i * plane, own->fields + i * spectrum);
  if (status == LAC_STATUS_OK)
    status =
      fetch(solver, own, solver->velocity_out + member * 2 * n * n, own->physical, 2 * n * n);
  if (status != LAC_STATUS_OK)
    own->status = status;
}

gboolean
lac_vorticity_get(LacVorticitySolver *solver, double *velocity, GError **error)
{
  solver->velocity_out = velocity;
  return lac_vorticity_over_members(solver, get_member, error);
}

/* Restricts to wavenumbers around 4 and scales to @rms; by Parseval's identity, with columns between 0 and n/2
 * counted twice. */
static void
shape_spectrum(LacVorticitySolver *solver, double *w, double rms)
{
  const gsize n = solver->settings.n, nxh = solver->nxh;
  double      power = 0, scale;

  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < nxh; x++) {
      double      *mode = &w[2 * (y * nxh + x)];
      const double k = hypot((double) x, lac_vorticity_wavenumber(y, n));
      const double gain =
        k > 0 && lac_vorticity_is_kept(solver, x, y) ? exp(-(k - 4) * (k - 4) / 4) : 0;

      mode[0] *= gain;
      mode[1] *= gain;
      power += (x == 0 || 2 * x == n ? 1 : 2) * (mode[0] * mode[0] + mode[1] * mode[1]);
    }
  scale = rms * (double) (n * n) / sqrt(power);
  for (gsize i = 0; i < 2 * n * nxh; i++)
    w[i] *= scale;
}

gboolean
lac_vorticity_randomise(LacVorticitySolver *solver, LacRng *rng, double rms, GError **error)
{
  LacVorticityWorker *own = &solver->workers[0];
  const gsize         n = solver->settings.n, n_complex = 2 * n * solver->nxh;
  g_autofree double  *noise = g_new(double, n *n);
  LacStatus           status = LAC_STATUS_OK;

  for (gsize member = 0; member < solver->settings.n_members && status == LAC_STATUS_OK; member++) {
    for (gsize i = 0; i < n * n; i++)
      noise[i] = lac_rng_normal(rng);
    status = lac_vorticity_put(solver, own, own->physical, noise, n * n);
    if (status == LAC_STATUS_OK)
      status = lac_vorticity_forward(solver, own->physical, own->fields);
    if (status == LAC_STATUS_OK)
      status = fetch(solver, own, own->spectrum, own->fields, n_complex);
    shape_spectrum(solver, own->spectrum, rms);
    if (status == LAC_STATUS_OK)
      status = lac_vorticity_put(solver, own,
                                 solver->state + member * lac_vorticity_spectrum_bytes(solver),
                                 own->spectrum, n_complex);
  }
  return lac_solver_check_status(status, error);
}
