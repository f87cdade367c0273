/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion between velocity and vorticity, random initial conditions, and loops over groups of members. */
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

LacVorticityGroup
lac_vorticity_get_group(const LacVorticitySolver *solver, gsize group)
{
  const gsize first = group * solver->n_together;

  return (LacVorticityGroup){first, MIN(solver->n_together, solver->n_members - first)};
}

gboolean
lac_vorticity_over_groups(LacVorticitySolver *solver, LacPoolFunc func, GError **error)
{
  const gsize n_groups = (solver->n_members + solver->n_together - 1) / solver->n_together;

  for (guint i = 0; i < solver->n_workers; i++)
    solver->workers[i].status = LAC_STATUS_OK;
  if (solver->settings.device.table->concurrent)
    lac_pool_run(solver->settings.pool, n_groups, func, solver);
  else
    for (gsize group = 0; group < n_groups; group++)
      func(group, 0, solver);
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

/* ---- transforms ---- */

static LacFft
transform_of(LacVorticitySolver *solver, gsize n_planes, gpointer planes, gpointer spectra)
{
  return (LacFft){.type = solver->settings.type,
                  .nx = solver->settings.n,
                  .ny = solver->settings.n,
                  .n_batch = n_planes,
                  .real = planes,
                  .spectrum = spectra};
}

LacStatus
lac_vorticity_forward(LacVorticitySolver *solver, gsize n_planes, gpointer planes, gpointer spectra)
{
  const LacFft args = transform_of(solver, n_planes, planes, spectra);

  return solver->settings.device.table->fft_forward(solver->settings.device.self, &args);
}

LacStatus
lac_vorticity_inverse(LacVorticitySolver *solver, gsize n_planes, gpointer planes, gpointer spectra)
{
  const LacFft args = transform_of(solver, n_planes, planes, spectra);

  return solver->settings.device.table->fft_inverse(solver->settings.device.self, &args);
}

LacStatus
lac_vorticity_inverse_unscaled(LacVorticitySolver *solver,
                               gsize               n_planes,
                               gpointer            planes,
                               gpointer            spectra)
{
  LacFft args = transform_of(solver, n_planes, planes, spectra);

  args.unscaled = TRUE;
  return solver->settings.device.table->fft_inverse(solver->settings.device.self, &args);
}

/* Those of a step, of velocities, and of a single plane; for whole groups and for the last. */
LacStatus
lac_vorticity_prepare_transforms(LacVorticitySolver *solver)
{
  const LacDevice           device = solver->settings.device;
  const LacVorticityWorker *own = &solver->workers[0];
  const gsize               last = solver->n_members % solver->n_together;
  const gsize               batches[] = {
                  1,        2,       solver->n_together, 2 * solver->n_together, 4 * solver->n_together, last,
                  2 * last, 4 * last};
  LacStatus status = LAC_STATUS_OK;

  for (gsize i = 0; i < G_N_ELEMENTS(batches) && status == LAC_STATUS_OK; i++) {
    const LacFft plan = transform_of(solver, batches[i], own->physical, own->fields);

    status = device.table->fft_prepare(device.self, &plan);
  }
  return status;
}

/* ---- velocities ---- */

/* Computes w = i kx v - i ky u, without the wavenumbers beyond the 2/3 rule. @u: its spectrum, and after it that of v */
static LacStatus
find_curl(LacVorticitySolver *solver, const guint8 *u, guint8 *w)
{
  const LacDevice  device = solver->settings.device;
  const LacCombine sum = {
    .type = solver->settings.type,
    .n_fields = 1,
    .n_modes = solver->settings.n * solver->nxh,
    .n_terms = 2,
    .terms = {{LAC_MODE_IMAGINARY, -1, u, solver->ky},
              {LAC_MODE_IMAGINARY, 1, u + lac_vorticity_spectrum_bytes(solver), solver->kx}},
    .mask = solver->mask,
    .y = w,
  };

  return device.table->combine(device.self, &sum);
}

static void
set_group(gsize group, guint worker, gpointer user_data)
{
  LacVorticitySolver     *solver = user_data;
  LacVorticityWorker     *own = &solver->workers[worker];
  const LacVorticityGroup members = lac_vorticity_get_group(solver, group);
  const gsize             n = solver->settings.n, spectrum = lac_vorticity_spectrum_bytes(solver);
  LacStatus               status =
    lac_vorticity_put(solver, own, own->physical, solver->velocity_in + members.first * 2 * n * n,
                      members.n * 2 * n * n);

  if (status == LAC_STATUS_OK)
    status = lac_vorticity_forward(solver, 2 * members.n, own->physical, own->fields);
  for (gsize i = 0; i < members.n && status == LAC_STATUS_OK; i++)
    status = find_curl(solver, own->fields + i * 2 * spectrum,
                       solver->state + (members.first + i) * spectrum);
  if (status != LAC_STATUS_OK)
    own->status = status;
}

gboolean
lac_vorticity_set(LacVorticitySolver *solver, const double *velocity, GError **error)
{
  solver->velocity_in = velocity;
  return lac_vorticity_over_groups(solver, set_group, error);
}

/* The first two of a member's four fields are its velocity. */
static void
get_group(gsize group, guint worker, gpointer user_data)
{
  LacVorticitySolver     *solver = user_data;
  LacVorticityWorker     *own = &solver->workers[worker];
  const LacVorticityGroup members = lac_vorticity_get_group(solver, group);
  const LacDevice         device = solver->settings.device;
  const gsize             n = solver->settings.n, plane = lac_vorticity_plane_bytes(solver);
  const gsize             spectrum = lac_vorticity_spectrum_bytes(solver);
  const LacVorticity      args = {.type = solver->settings.type,
                                  .nx = n,
                                  .ny = n,
                                  .n_batch = members.n,
                                  .vorticity = solver->state + members.first * spectrum,
                                  .fields = own->fields};
  LacStatus               status = device.table->vorticity_derive(device.self, &args);

  for (gsize i = 0; i < members.n && status == LAC_STATUS_OK; i++)
    status = lac_vorticity_inverse(solver, 2, own->physical + i * 2 * plane,
                                   own->fields + i * 4 * spectrum);
  if (status == LAC_STATUS_OK)
    status = fetch(solver, own, solver->velocity_out + members.first * 2 * n * n, own->physical,
                   members.n * 2 * n * n);
  if (status != LAC_STATUS_OK)
    own->status = status;
}

gboolean
lac_vorticity_get(LacVorticitySolver *solver, double *velocity, GError **error)
{
  solver->velocity_out = velocity;
  return lac_vorticity_over_groups(solver, get_group, error);
}

/* ---- random fields ---- */

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
      status = lac_vorticity_forward(solver, 1, own->physical, own->fields);
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
