/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first iteration runs as single calls, later ones as a captured graph where the device has those. Metrics, energies
 * and walkers are read back meanwhile. */
#include "experiment/quantum/methods/iteration-private.h"

#include <string.h>

/* ---- memory ---- */

static gsize
take(LacIterationLayout *at, gsize n)
{
  const gsize first = at->n;

  at->n += (n + 7) / 8 * 8;
  return first;
}

/* @n_coordinates: over all walkers */
static LacIterationLayout
lay_out(const LacIterationSettings *settings, gsize n_coordinates)
{
  const gboolean          drifts = settings->moves.proposal == LAC_PROPOSAL_LANGEVIN;
  const LacElectronShape *shape = &settings->wave->shape;
  const gsize             n = settings->n_walkers, n_params = shape->n_params;
  LacIterationLayout      at = {0};

  at.reported = take(&at, LAC_N_REPORTED + n + n_coordinates);
  at.energies = at.reported + LAC_N_REPORTED;
  at.shown = at.energies + n;
  at.walkers = take(&at, LAC_N_WALK + n + (drifts ? 2 : 1) * n_coordinates);
  at.positions = at.walkers + LAC_N_WALK;
  at.log_abs = at.positions + n_coordinates;
  at.gradient = drifts ? at.log_abs + n : 0;
  at.theta_before = take(&at, n_params);
  at.theta_sum = take(&at, n_params);
  at.memory = take(&at, settings->n_memory);
  at.memory_before = take(&at, settings->n_memory);
  at.clipped = take(&at, n);
  at.sorted = take(&at, n);
  at.right = take(&at, n);
  at.charges = take(&at, shape->n_nuclei);
  at.tunables = take(&at, LAC_N_TUNABLES);
  at.numbers = take(&at, 3);
  at.length = take(&at, 1);
  at.info = take(&at, 1);
  at.step = take(&at, n_params);
  at.part = take(&at, n_params);
  return at;
}

static gsize
count_sent(const LacIteration *self)
{
  return LAC_N_REPORTED + self->settings.n_walkers + self->n_coordinates;
}

static gsize
find_area(const LacIteration *self, const LacElectronBatch *batch, LacElectronArea area)
{
  return self->on->kernels->bytes(self->on->device.self, batch, area);
}

/* Allocates all buffers at full size before the capture. */
static void
make_rooms(LacIteration *self)
{
  LacWavefunctionDevice *on = self->on;
  const LacUpdateKind    kind = self->settings.update.kind;
  const gsize            n = self->settings.n_walkers;
  const LacElectronBatch batch = lac_wavefunction_device_batch(on, n);
  const LacElectronBatch held = lac_wavefunction_device_batch(on, lac_iteration_at_once(self));
  const LacElectronArea  areas[] = {LAC_ELECTRON_VALUE,       LAC_ELECTRON_LOCAL,
                                    LAC_ELECTRON_DERIVATIVES, LAC_ELECTRON_CONTRACTION,
                                    LAC_ELECTRON_GRAM,        LAC_ELECTRON_SOLVE};
  const gsize            n_areas = kind == LAC_UPDATE_SPRING ? 6 : kind == LAC_UPDATE_ADAM ? 4 : 2;
  gsize                  n_work = 0;

  for (gsize i = 0; i < n_areas; i++)
    n_work = MAX(n_work, find_area(self, i < 3 ? &batch : &held, areas[i]));
  if (kind != LAC_UPDATE_HOST)
    lac_wavefunction_device_make_room(on, &on->o, find_area(self, &held, LAC_ELECTRON_TAPE));
  lac_wavefunction_device_make_room(on, &on->kinetic, n * sizeof(double));
  lac_wavefunction_device_make_room(on, &on->accepted, n * sizeof(guint32));
  lac_wavefunction_device_make_room(on, &on->sign, n);
  if (kind == LAC_UPDATE_SPRING)
    lac_wavefunction_device_make_room(on, &on->gram, n * n * sizeof(double));
  lac_wavefunction_device_make_room(on, &on->work, n_work);
}

static void
send_charges(LacIteration *self)
{
  const LacMolecule *molecule = lac_wavefunction_get_molecule(self->settings.wave);
  g_autofree double *charges = g_new(double, molecule->n_nuclei);

  for (guint a = 0; a < molecule->n_nuclei; a++)
    charges[a] = (double) molecule->nuclei[a].charge;
  lac_iteration_send(self, self->numbers + self->at.charges, charges, molecule->n_nuclei);
}

/* Provides the memory of a step on the host, and the length that no kernel measures there. */
static void
make_host(LacIteration *self)
{
  static const double none = 0;

  if (self->settings.update.kind != LAC_UPDATE_HOST)
    return;
  self->host = (LacIterationHost){
    .theta = g_new0(double, self->n_params),
    .memory = g_new0(double, self->settings.n_memory),
    .clipped = g_new0(double, self->settings.n_walkers),
    .positions = g_new0(double, self->n_coordinates),
  };
  lac_iteration_send(self, self->numbers + self->at.length, &none, 1);
}

static void
take_memory(LacIteration *self)
{
  LacWavefunctionDevice *on = self->on;

  self->numbers =
    lac_wavefunction_device_make_room(on, &self->room, self->at.n * sizeof *self->numbers);
  lac_memory_unclaim(&self->room.claim);
  lac_memory_claim(&self->room.claim, LAC_MEMORY_OPTIMISER, self->room.n_bytes);
  make_rooms(self);
  if (on->device.table->staging_new) {
    self->readback = lac_readback_new(on->device, count_sent(self) * sizeof *self->numbers,
                                      LAC_ITERATION_MOST_OPEN);
    if (!self->readback)
      lac_wavefunction_device_note(on, LAC_STATUS_OUT_OF_MEMORY);
  }
  send_charges(self);
  make_host(self);
}

LacIteration *
lac_iteration_new(const LacIterationSettings *settings, GError **error)
{
  LacWavefunction        *wave = settings->wave;
  g_autoptr(LacIteration) self = g_new0(LacIteration, 1);

  self->settings = *settings;
  self->on = wave->walkers;
  self->n_params = wave->shape.n_params;
  self->n_coordinates = 3 * wave->shape.n_electrons * settings->n_walkers;
  self->at = lay_out(settings, self->n_coordinates);
  take_memory(self);
  return lac_wavefunction_check_device(wave, error) ? g_steal_pointer(&self) : NULL;
}

void
lac_iteration_free(LacIteration *self)
{
  if (!self)
    return;
  for (LacIterationPart part = 0; part < LAC_ITERATION_PARTS; part++)
    lac_recorded_step_free(self->steps[part]);
  lac_readback_free(self->readback);
  g_free(self->host.theta);
  g_free(self->host.memory);
  g_free(self->host.clipped);
  g_free(self->host.positions);
  lac_wavefunction_device_release(self->on, &self->room);
  g_free(self);
}

gboolean
lac_iteration_is_asynchronous(const LacIteration *self)
{
  return self->readback != NULL;
}

/* ---- requests and results ---- */

static LacStatus
enqueue_before(gpointer iteration)
{
  return lac_iteration_call(iteration, LAC_ITERATION_BEFORE);
}

static LacStatus
enqueue_between(gpointer iteration)
{
  return lac_iteration_call(iteration, LAC_ITERATION_BETWEEN);
}

static LacStatus
enqueue_after(gpointer iteration)
{
  return lac_iteration_call(iteration, LAC_ITERATION_AFTER);
}

static LacRecordedStep *
make_step(LacIteration *self, LacIterationPart part)
{
  LacRecordedStepSettings settings = {
    .device = self->on->device,
    .enqueue = part == LAC_ITERATION_BEFORE    ? enqueue_before
               : part == LAC_ITERATION_BETWEEN ? enqueue_between
                                               : enqueue_after,
    .user_data = self,
    .is_called = part == LAC_ITERATION_BETWEEN,
    .perf = self->readback ? self->spans.perf : NULL,
    .lane = self->settings.wave->lane,
  };

  return lac_recorded_step_new(&settings);
}

static LacStatus
run_part(LacIteration *self, LacIterationPart part)
{
  LacStatus status;

  if (!lac_iteration_has_part(self, part))
    return LAC_STATUS_OK;
  if (!self->steps[part])
    self->steps[part] = make_step(self, part);
  if (self->n_grown != self->on->n_grown)
    lac_recorded_step_forget(self->steps[part]);
  self->running = self->steps[part];
  status = lac_recorded_step_run(self->running, self->tunables.step);
  self->running = NULL;
  return status;
}

static LacStatus
run(LacIteration *self)
{
  LacStatus status = LAC_STATUS_OK;

  for (LacIterationPart part = 0; part < LAC_ITERATION_PARTS && status == LAC_STATUS_OK; part++)
    status = run_part(self, part);
  self->n_grown = self->on->n_grown;
  lac_iteration_enter_span(self, LAC_ITERATION_NO_SPAN);
  return status;
}

static LacStatus
send_report(LacIteration *self)
{
  const double *reported = self->numbers + self->at.reported;

  if (!lac_iteration_is_asynchronous(self))
    return LAC_STATUS_OK;
  const LacStatus status =
    lac_readback_put(self->readback, 0, reported, count_sent(self) * sizeof *reported);

  return status == LAC_STATUS_OK
           ? lac_readback_send(self->readback, &self->sent[self->n_asked % LAC_ITERATION_MOST_OPEN])
           : status;
}

static gboolean
is_ready(gpointer owner, guint64 i)
{
  const LacIteration *self = owner;

  return self->on->status != LAC_STATUS_OK || !lac_iteration_is_asynchronous(self) ||
         lac_pending_is_ready(&self->sent[i % LAC_ITERATION_MOST_OPEN]);
}

static gboolean
finish(gpointer owner, guint64 i, gpointer result, GError **error)
{
  LacIteration          *self = owner;
  LacWavefunctionDevice *on = self->on;
  LacIterationReport    *report = result;
  const void            *host = self->numbers + self->at.reported;

  *report = (LacIterationReport){{0}};
  if (on->status == LAC_STATUS_OK && lac_iteration_is_asynchronous(self))
    lac_wavefunction_device_note(
      on, lac_readback_open(self->readback, &self->sent[i % LAC_ITERATION_MOST_OPEN], &host));
  if (on->status != LAC_STATUS_OK)
    return lac_wavefunction_check_device(self->settings.wave, error);
  memcpy(report->reported, host, sizeof report->reported);
  report->energies = (const double *) host + LAC_N_REPORTED;
  report->positions = report->energies + self->settings.n_walkers;
  return TRUE;
}

LacPending
lac_iteration_enqueue(LacIteration *self, const LacMethodTunables *tunables, gboolean summed)
{
  static const LacPendingType type = {is_ready, finish};
  const double                numbers[LAC_N_TUNABLES] = {
                   [LAC_TUNABLE_RATE] = tunables->rate,
                   [LAC_TUNABLE_DAMPING] = tunables->damping,
                   [LAC_TUNABLE_MOMENTUM] = tunables->momentum,
                   [LAC_TUNABLE_NORM] = tunables->norm,
                   [LAC_TUNABLE_SUMMED] = summed,
  };

  self->tunables = *tunables;
  lac_iteration_send(self, self->numbers + self->at.tunables, numbers, LAC_N_TUNABLES);
  if (self->on->status == LAC_STATUS_OK)
    lac_wavefunction_device_note(self->on, run(self));
  if (self->on->status == LAC_STATUS_OK)
    lac_wavefunction_device_note(self->on, send_report(self));
  return (LacPending){&type, self, self->n_asked++};
}

/* ---- from the host, and back ---- */

static gsize
count_walkers(const LacIteration *self)
{
  return LAC_N_WALK + self->settings.n_walkers +
         (lac_iteration_drifts(self) ? 2 : 1) * self->n_coordinates;
}

void
lac_iteration_enter(LacIteration *self, const LacIterationState *state, double restored)
{
  const LacIterationLayout *at = &self->at;
  const gsize               n_memory = self->settings.n_memory;
  const LacElectronBatch    batch = lac_iteration_batch(self);

  lac_wavefunction_forget_theta(self->settings.wave);
  lac_iteration_send(self, self->on->theta.memory, state->theta, self->n_params);
  lac_iteration_send(self, self->numbers + at->theta_before, state->theta_before, self->n_params);
  lac_iteration_send(self, self->numbers + at->theta_sum, state->theta_sum, self->n_params);
  lac_iteration_send(self, self->numbers + at->memory, state->memory, n_memory);
  lac_iteration_send(self, self->numbers + at->memory_before, state->memory_before, n_memory);
  lac_iteration_send(self, self->numbers + at->walkers, state->walkers, count_walkers(self));
  lac_iteration_send(self, self->numbers + at->reported + LAC_REPORTED_RESTORED, &restored, 1);
  make_rooms(self);
  if (self->on->status == LAC_STATUS_OK)
    lac_wavefunction_device_note(self->on, self->on->kernels->pack(self->on->device.self, &batch));
}

void
lac_iteration_leave(LacIteration *self, const LacIterationState *state)
{
  const LacIterationLayout *at = &self->at;
  const gsize               n_memory = self->settings.n_memory;

  lac_iteration_fetch(self, self->on->theta.memory, state->theta, self->n_params);
  lac_iteration_fetch(self, self->numbers + at->theta_before, state->theta_before, self->n_params);
  lac_iteration_fetch(self, self->numbers + at->theta_sum, state->theta_sum, self->n_params);
  lac_iteration_fetch(self, self->numbers + at->memory, state->memory, n_memory);
  lac_iteration_fetch(self, self->numbers + at->memory_before, state->memory_before, n_memory);
  lac_iteration_fetch(self, self->numbers + at->walkers, state->walkers, count_walkers(self));
}

/* ---- what a device has to hold for walkers and for iterations over them ---- */

/* Kernels with one walker per block use device memory for work areas above BLOCK_BYTES, for at most MOST_BLOCKS at a
 * time. */
enum { BLOCK_BYTES = 96 << 10, MOST_BLOCKS = 132 * 8, PAIR_ROWS = 5 };

static gsize
widest(const size_t *widths, gsize n)
{
  gsize most = 0;

  for (gsize l = 0; l <= n; l++)
    most = MAX(most, widths[l]);
  return most;
}

/* Returns the work area of the forward Laplacian for one walker: two layers with a row per coordinate, pairs,
 * orbitals and determinants. */
static gsize
find_jets(const LacElectronShape *shape, gsize element)
{
  const gsize n = shape->n_electrons, rows = 3 * n + 2;
  const gsize one = widest(shape->one, shape->n_layers);
  const gsize pair = widest(shape->pair, shape->n_layers - 1);
  const gsize numbers = rows * ((2 * n + 1) * one + n * shape->n_channels * pair) +
                        2 * PAIR_ROWS * n * n * pair + rows * n * shape->most_columns;
  const gsize doubles = 2 * shape->n_determinants * (n * n + 6 * n + 3) + 18 * n * n;

  return numbers * element + doubles * sizeof(double);
}

/* Returns the bytes of psi, the walkers and their results. */
static gsize
find_walkers(const LacElectronShape *shape, gsize element, gsize n_walkers)
{
  const gsize area = find_jets(shape, element), n = shape->n_electrons;
  const gsize orbitals = shape->n_determinants * n * n;

  return shape->n_params *
           (2 * sizeof(double) + element) + /* theta, its derivative, packed weights */
         n_walkers * ((6 * n + orbitals + 4) * sizeof(double) + 5) +
         (area > BLOCK_BYTES ? MIN(n_walkers, MOST_BLOCKS) * area : 0);
}

guint64
lac_iteration_estimate(const LacIterationSettings *settings, gboolean by_itself)
{
  const LacElectronShape *shape = &settings->wave->shape;
  const gsize             element = lac_type_size(settings->wave->type), n = settings->n_walkers;
  const gsize             n_coordinates = 3 * shape->n_electrons * n;
  const gsize             held = settings->at_once > 0 ? MIN(settings->at_once, n) : n;
  const gsize             gram = n * n * (element + sizeof(double)) + 2 * n * sizeof(double);
  guint64                 n_bytes = find_walkers(shape, element, n);

  if (!by_itself)
    return n_bytes;
  n_bytes += settings->update.kind == LAC_UPDATE_HOST ? 0 : held * shape->n_params * element;
  n_bytes += settings->update.kind == LAC_UPDATE_SPRING ? gram : 0;
  n_bytes += lay_out(settings, n_coordinates).n * sizeof(double);
  return n_bytes + LAC_ITERATION_MOST_OPEN * (LAC_N_REPORTED + n + n_coordinates) * sizeof(double);
}
