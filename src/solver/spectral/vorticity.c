/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vorticity solver: memory, constants and step. */
#include "backend/device-log.h"
#include "solver/refusal.h"
#include "solver/spectral/vorticity-private.h"

#include <math.h>
#include <string.h>

static gpointer
take(guint8 **cursor, gsize n_bytes)
{
  guint8 *memory = *cursor;

  *cursor += (n_bytes + 63) & ~(gsize) 63;
  return memory;
}

/* Assigns parts of @memory; with NULL it only returns the required size. */
static gsize
lay_out(LacVorticitySolver *solver, guint8 *memory)
{
  const gsize spectrum = lac_vorticity_spectrum_bytes(solver);
  const gsize plane = lac_vorticity_plane_bytes(solver);
  const gsize n_decays = solver->viscosities ? solver->settings.n_members : 1;
  const gsize n = solver->n_together;
  guint8     *cursor = memory;

  solver->state = take(&cursor, spectrum * solver->settings.n_members);
  solver->decay = take(&cursor, spectrum / 2 * n_decays);
  solver->decay_half = take(&cursor, spectrum / 2 * n_decays);
  solver->mask = take(&cursor, spectrum / 2);
  solver->kx = take(&cursor, spectrum / 2);
  solver->ky = take(&cursor, spectrum / 2);
  solver->forcing = take(&cursor, spectrum);
  for (guint i = 0; i < solver->n_workers; i++) {
    LacVorticityWorker *worker = &solver->workers[i];

    worker->fields = take(&cursor, n * 4 * spectrum);
    worker->physical = take(&cursor, n * 4 * plane);
    worker->product = take(&cursor, n * plane);
    worker->product_hat = take(&cursor, n * spectrum);
    worker->sum = take(&cursor, n * spectrum);
    worker->next = take(&cursor, n * spectrum);
  }
  return (gsize) (cursor - memory);
}

/* Uploads the mask of the 2/3 rule and the wavenumbers, of which it keeps none at Nyquist. */
static LacStatus
upload_modes(LacVorticitySolver *solver)
{
  const gsize         n = solver->settings.n, nxh = solver->nxh, n_modes = n * nxh;
  LacVorticityWorker *worker = &solver->workers[0];
  g_autofree double  *host = g_new(double, 3 * n_modes);
  double             *mask = host, *kx = mask + n_modes, *ky = kx + n_modes;
  LacStatus           status;

  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < nxh; x++) {
      mask[y * nxh + x] = lac_vorticity_is_kept(solver, x, y);
      kx[y * nxh + x] = (double) x;
      ky[y * nxh + x] = lac_vorticity_wavenumber(y, n);
    }
  status = lac_vorticity_put(solver, worker, solver->mask, mask, n_modes);
  if (status == LAC_STATUS_OK)
    status = lac_vorticity_put(solver, worker, solver->kx, kx, n_modes);
  return status == LAC_STATUS_OK ? lac_vorticity_put(solver, worker, solver->ky, ky, n_modes)
                                 : status;
}

static LacStatus
upload_constants(LacVorticitySolver *solver)
{
  const LacVorticitySettings *settings = &solver->settings;
  const gsize                 n = settings->n, nxh = solver->nxh;
  LacVorticityWorker         *worker = &solver->workers[0];
  g_autofree double          *force = g_new0(double, 2 * n * nxh);
  const double                peak = -(double) settings->forcing * (double) (n * n) / 2;
  LacStatus                   status = upload_modes(solver);

  if (settings->forcing > 0) {
    force[2 * settings->forcing * nxh] = peak;
    force[2 * (n - settings->forcing) * nxh] = peak;
  }
  if (status == LAC_STATUS_OK)
    status = lac_vorticity_put(solver, worker, solver->forcing, force, 2 * n * nxh);
  for (gsize i = 0; i < (solver->viscosities ? settings->n_members : 1); i++)
    if (status == LAC_STATUS_OK)
      status = lac_vorticity_put_decay(solver, worker, settings->viscosity, i);
  return status;
}

static LacStatus
prepare(LacVorticitySolver *solver)
{
  const LacVorticitySettings *settings = &solver->settings;
  const LacBackend           *table = settings->device.table;
  LacStatus                   status;

  solver->n_bytes = lay_out(solver, NULL);
  status = table->alloc(settings->device.self, solver->n_bytes, (void **) &solver->memory);
  if (status != LAC_STATUS_OK)
    return status;
  lay_out(solver, solver->memory);
  status = table->fill(settings->device.self, settings->type, solver->memory, 0,
                       solver->n_bytes / solver->element);
  if (status != LAC_STATUS_OK)
    return status;
  status = lac_vorticity_prepare_transforms(solver);
  return status == LAC_STATUS_OK ? upload_constants(solver) : status;
}

/* All but the state is room for transforms. */
static void
claim_memory(LacVorticitySolver *solver)
{
  const gsize spectrum = lac_vorticity_spectrum_bytes(solver),
              n_states = solver->n_members * spectrum;
  const gsize host =
    2 * (solver->n_together * spectrum + solver->settings.n * solver->nxh * sizeof(double));

  lac_memory_claim(&solver->claim, LAC_MEMORY_STATES, n_states);
  lac_memory_claim(&solver->claim, LAC_MEMORY_TRANSFORMS,
                   solver->n_bytes - n_states + solver->n_workers * host);
}

/* ---- steps ---- */

/* Computes the slopes at vorticities @w of @n members: transforms of their derivatives, the products, transforms back. */
static LacStatus
transform_product(LacVorticitySolver *solver, LacVorticityWorker *worker, gsize n, gconstpointer w)
{
  const LacDevice device = solver->settings.device;
  const double    n_points = (double) (solver->settings.n * solver->settings.n);
  LacVorticity    args = {.type = solver->settings.type,
                          .nx = solver->settings.n,
                          .ny = solver->settings.n,
                          .n_batch = n,
                          .vorticity = w,
                          .fields = worker->fields,
                          .physical = worker->physical,
                          .product = worker->product,
                          .scale = 1 / (n_points * n_points)};
  LacStatus       status;

  lac_vorticity_begin(solver, LAC_VORTICITY_DERIVE, n);
  status = device.table->vorticity_derive(device.self, &args);
  lac_vorticity_end(worker, LAC_VORTICITY_DERIVE);
  lac_vorticity_begin(solver, LAC_VORTICITY_INVERSE, n);
  if (status == LAC_STATUS_OK)
    status = lac_vorticity_inverse_unscaled(solver, 4 * n, worker->physical, worker->fields);
  lac_vorticity_end(worker, LAC_VORTICITY_INVERSE);
  lac_vorticity_begin(solver, LAC_VORTICITY_ADVECT, n);
  if (status == LAC_STATUS_OK)
    status = device.table->vorticity_advect(device.self, &args);
  lac_vorticity_end(worker, LAC_VORTICITY_ADVECT);
  lac_vorticity_begin(solver, LAC_VORTICITY_FORWARD, n);
  if (status == LAC_STATUS_OK)
    status = lac_vorticity_forward(solver, n, worker->product, worker->product_hat);
  lac_vorticity_end(worker, LAC_VORTICITY_FORWARD);
  return status;
}

static LacStatus
step_group(LacVorticitySolver *solver, LacVorticityWorker *worker, LacVorticityGroup members)
{
  const LacDevice device = solver->settings.device;
  const gsize     spectrum = lac_vorticity_spectrum_bytes(solver);
  const gsize     decay_at = members.first * solver->decay_stride;
  guint8         *w = solver->state + members.first * spectrum;
  LacRk4Stage     args = {.type = solver->settings.type,
                          .nx = solver->settings.n,
                          .ny = solver->settings.n,
                          .n_batch = members.n,
                          .dt = solver->settings.time_step,
                          .product_hat = worker->product_hat,
                          .vorticity = w,
                          .decay = solver->decay + decay_at,
                          .decay_half = solver->decay_half + decay_at,
                          .decay_stride = solver->decay_stride / solver->element,
                          .mask = solver->mask,
                          .forcing = solver->forcing,
                          .sum = worker->sum};
  LacStatus       status = LAC_STATUS_OK;

  for (args.stage = 0; args.stage < 4 && status == LAC_STATUS_OK; args.stage++) {
    status = transform_product(solver, worker, members.n, args.stage == 0 ? w : worker->next);
    args.next = args.stage == 3 ? w : worker->next;
    lac_vorticity_begin(solver, LAC_VORTICITY_STAGE, members.n);
    if (status == LAC_STATUS_OK)
      status = device.table->rk4_stage(device.self, &args);
    lac_vorticity_end(worker, LAC_VORTICITY_STAGE);
  }
  return status;
}

static void
advance_group(gsize group, guint worker, gpointer user_data)
{
  LacVorticitySolver     *solver = user_data;
  LacVorticityWorker     *own = &solver->workers[worker];
  const LacVorticityGroup members = lac_vorticity_get_group(solver, group);
  const guint64           begin = solver->timed ? lac_clock_ticks() : 0;

  for (gsize i = 0; i < solver->n_steps && own->status == LAC_STATUS_OK; i++) {
    own->timed = lac_vorticity_is_timed(solver, group * solver->n_steps + i);
    if (own->timed)
      own->mark = lac_clock_ticks();
    own->status = step_group(solver, own, members);
  }
  if (!solver->timed)
    return;
  own->n_steps += solver->n_steps * members.n;
  own->step_ticks += lac_clock_ticks() - begin;
}

/* One step of all members. */
static LacStatus
enqueue_step(gpointer user_data)
{
  LacVorticitySolver *solver = user_data;
  LacStatus           status = LAC_STATUS_OK;

  for (gsize g = 0; g * solver->n_together < solver->n_members && status == LAC_STATUS_OK; g++)
    status = step_group(solver, &solver->workers[0], lac_vorticity_get_group(solver, g));
  return status;
}

gboolean
lac_vorticity_advance(LacVorticitySolver *solver, gsize n_steps, GError **error)
{
  const gint64 number = lac_device_log_get_step(solver->settings.device.log);
  LacStatus    status = LAC_STATUS_OK;

  solver->n_steps = n_steps;
  if (!solver->step)
    return lac_vorticity_over_groups(solver, advance_group, error);
  for (gsize i = 0; i < n_steps && status == LAC_STATUS_OK; i++)
    status = lac_recorded_step_run(solver->step, number);
  return lac_solver_check_status(status, error);
}

/* ---- the solver ---- */

static void
record_steps(LacVorticitySolver *solver)
{
  const LacRecordedStepSettings settings = {
    .device = solver->settings.device,
    .enqueue = enqueue_step,
    .user_data = solver,
    .perf = solver->settings.perf,
    .lane = solver->settings.lane,
  };

  solver->step = lac_recorded_step_new(&settings);
}

/* Planes of so many points together keep a large device busy for some microseconds. */
static gsize
choose_n_together(const LacVorticitySettings *settings)
{
  const gsize filling = ((gsize) 1 << 21) / (settings->n * settings->n);

  if (settings->n_together > 0)
    return MIN(settings->n_together, settings->n_members);
  return settings->device.table->concurrent ? 1 : CLAMP(filling, 1, settings->n_members);
}

LacVorticitySolver *
lac_vorticity_new(const LacVorticitySettings *settings, GError **error)
{
  g_autoptr(LacVorticitySolver) solver = g_new0(LacVorticitySolver, 1);

  g_return_val_if_fail(settings->n % 2 == 0 && settings->forcing < settings->n / 2, NULL);
  solver->settings = *settings;
  solver->nxh = settings->n / 2 + 1;
  solver->element = lac_type_size(settings->type);
  solver->n_members = settings->n_members;
  solver->n_together = choose_n_together(settings);
  if (settings->own_viscosities)
    solver->viscosities = g_new(double, settings->n_members);
  for (gsize i = 0; settings->own_viscosities && i < settings->n_members; i++)
    solver->viscosities[i] = settings->viscosity;
  solver->n_workers =
    settings->device.table->concurrent ? lac_pool_get_n_threads(settings->pool) : 1;
  solver->workers = g_new0(LacVorticityWorker, solver->n_workers);
  for (guint i = 0; i < solver->n_workers; i++) {
    solver->workers[i].staging =
      g_malloc(solver->n_together * 2 * lac_vorticity_spectrum_bytes(solver));
    solver->workers[i].spectrum = g_new(double, 2 * settings->n * solver->nxh);
  }
  lac_vorticity_init_timing(solver);
  if (!lac_solver_check_status(prepare(solver), error))
    return NULL;
  claim_memory(solver);
  if (!settings->device.table->concurrent)
    record_steps(solver);
  return g_steal_pointer(&solver);
}

void
lac_vorticity_free(LacVorticitySolver *solver)
{
  if (!solver)
    return;
  lac_recorded_step_free(solver->step);
  for (guint i = 0; i < solver->n_workers; i++) {
    g_free(solver->workers[i].staging);
    g_free(solver->workers[i].spectrum);
  }
  g_free(solver->workers);
  g_free(solver->viscosities);
  lac_memory_unclaim(&solver->claim);
  if (solver->memory)
    solver->settings.device.table->release(solver->settings.device.self, solver->memory);
  g_free(solver);
}

gsize
lac_vorticity_get_bytes(const LacVorticitySolver *solver)
{
  return solver->n_bytes;
}

double
lac_vorticity_get_flops(const LacVorticitySolver *solver)
{
  const double n = (double) (solver->settings.n * solver->settings.n);

  /* four stages of five real transforms, each half a complex one */
  return 4 * 5 * 2.5 * n * log2(n);
}
