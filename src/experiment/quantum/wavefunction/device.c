/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transfer of walkers to the device and of results back; buffers grow to the largest number of walkers and are then
 * reused. */
#include "backend/device-log.h"
#include "backend/registry.h"
#include "base/error.h"
#include "experiment/quantum/wavefunction/device-private.h"

#include <math.h>
#include <string.h>

/* ---- memory ---- */

void
lac_wavefunction_device_note(LacWavefunctionDevice *self, LacStatus status)
{
  if (self->status == LAC_STATUS_OK)
    self->status = status;
}

void
lac_wavefunction_device_release(LacWavefunctionDevice *self, LacDeviceRoom *room)
{
  if (room->memory)
    self->device.table->release(self->device.self, room->memory);
  lac_memory_unclaim(&room->claim);
  *room = (LacDeviceRoom){0};
}

void *
lac_wavefunction_device_make_room(LacWavefunctionDevice *self, LacDeviceRoom *room, gsize n_bytes)
{
  const gboolean is_theta = room == &self->theta || room == &self->weights;

  if (n_bytes <= room->n_bytes || self->status != LAC_STATUS_OK)
    return room->memory;
  lac_wavefunction_device_release(self, room);
  lac_wavefunction_device_note(
    self, self->device.table->alloc(self->device.self, n_bytes, &room->memory));
  if (self->status == LAC_STATUS_OK) {
    room->n_bytes = n_bytes;
    lac_memory_claim(&room->claim, is_theta ? LAC_MEMORY_PARAMETERS : LAC_MEMORY_ACTIVATIONS,
                     n_bytes);
  }
  self->n_grown++;
  return room->memory;
}

/* Returns TRUE when kernels work on the caller's arrays: nothing is copied. */
static gboolean
shares_memory(const LacWavefunctionDevice *self)
{
  return self->device.table->memory_use == NULL;
}

/* Returns the place of an array on the device, @host itself if it can be. */
static void *
place(LacWavefunctionDevice *self, LacDeviceRoom *room, const void *host, gsize n_bytes)
{
  return shares_memory(self) ? (void *) host
                             : lac_wavefunction_device_make_room(self, room, n_bytes);
}

static void *
send(LacWavefunctionDevice *self, LacDeviceRoom *room, const void *host, gsize n_bytes)
{
  void *there = place(self, room, host, n_bytes);

  if (self->status == LAC_STATUS_OK && !shares_memory(self))
    lac_wavefunction_device_note(self, lac_device_upload(self->device, there, host, n_bytes));
  return there;
}

/* Does nothing if @host is NULL. */
static void
fetch(LacWavefunctionDevice *self, const LacDeviceRoom *room, void *host, gsize n_bytes)
{
  if (host && self->status == LAC_STATUS_OK && !shares_memory(self))
    lac_wavefunction_device_note(self,
                                 lac_device_download(self->device, host, room->memory, n_bytes));
}

static gsize
find_area(const LacWavefunctionDevice *self, const LacElectronBatch *batch, LacElectronArea area)
{
  return self->kernels->bytes(self->device.self, batch, area);
}

/* Returns the room for an area of the batch. */
static void *
make_area(LacWavefunctionDevice  *self,
          const LacElectronBatch *batch,
          LacElectronArea         area,
          LacDeviceRoom          *room)
{
  if (batch->n > self->n_most[area]) {
    lac_wavefunction_device_make_room(self, room, find_area(self, batch, area));
    self->n_most[area] = batch->n;
  }
  return room->memory;
}

static gboolean
open_device(LacWavefunctionDevice *self, const LacDevice *device, GError **error)
{
  if (device) {
    self->device = *device;
    return TRUE;
  }
  self->owns_device = lac_device_open(&self->device, "cpu", error);
  return self->owns_device;
}

LacWavefunctionDevice *
lac_wavefunction_device_new(const LacWavefunctionDeviceSettings *settings, GError **error)
{
  const LacElectronShape          *shape = settings->shape;
  g_autoptr(LacWavefunctionDevice) self = g_new0(LacWavefunctionDevice, 1);
  LacElectronBatch                 batch;

  if (!open_device(self, settings->device, error))
    return NULL;
  self->kernels = self->device.table->electrons;
  self->shape = shape;
  self->type = settings->type;
  self->pool = settings->pool;
  self->n_threads = settings->pool ? lac_pool_get_n_threads(settings->pool) : 1;
  self->without = settings->without;
  self->known = g_new(double, shape->n_params);
  lac_wavefunction_device_forget_theta(self);
  batch = lac_wavefunction_device_batch(self, 0);
  self->at_nuclei =
    send(self, &self->nuclei, shape->nuclei, shape->n_nuclei * sizeof *shape->nuclei);
  lac_wavefunction_device_make_room(self, &self->theta, shape->n_params * sizeof(double));
  lac_wavefunction_device_make_room(self, &self->weights,
                                    find_area(self, &batch, LAC_ELECTRON_WEIGHTS));
  if (self->status == LAC_STATUS_OK)
    return g_steal_pointer(&self);
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE,
              "backend = %s: psi does not fit into device memory: %s; use backend = cpu",
              self->device.table->name, lac_status_text(self->status));
  return NULL;
}

void
lac_wavefunction_device_free(LacWavefunctionDevice *self)
{
  if (!self)
    return;
  LacDeviceRoom *rooms[] = {&self->nuclei,  &self->theta,    &self->weights, &self->positions,
                            &self->work,    &self->log_abs,  &self->sign,    &self->gradient,
                            &self->kinetic, &self->accepted, &self->o,       &self->gram,
                            &self->left,    &self->right,    &self->factor,  &self->orbitals};

  for (gsize i = 0; i < G_N_ELEMENTS(rooms); i++)
    lac_wavefunction_device_release(self, rooms[i]);
  if (self->owns_device)
    lac_device_close(&self->device);
  g_free(self->known);
  g_free(self);
}

const LacDeviceElectrons *
lac_wavefunction_device_get_kernels(const LacWavefunctionDevice *self)
{
  return self->kernels;
}

gsize
lac_wavefunction_device_get_n_taped(const LacWavefunctionDevice *self)
{
  return self->n_taped;
}

gboolean
lac_wavefunction_device_check(const LacWavefunctionDevice *self, GError **error)
{
  if (self->status == LAC_STATUS_OK)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "backend = %s: the device failed: %s; %s",
              self->device.table->name, lac_status_text(self->status),
              self->status == LAC_STATUS_OUT_OF_MEMORY
                ? "lower walkers or at_once, or use backend = cpu"
                : "resume with backend = cpu");
  return FALSE;
}

guint64
lac_wavefunction_device_estimate(const LacElectronBatch *batch)
{
  const gsize     n_params = batch->shape->n_params, n_electrons = batch->shape->n_electrons;
  guint64         n_bytes = 3 * n_params * sizeof(double);
  LacElectronArea areas[] = {LAC_ELECTRON_WEIGHTS, LAC_ELECTRON_CONTRACTION, LAC_ELECTRON_TAPE};
  LacDevice       device;

  if (!lac_device_open(&device, "cpu", NULL))
    return 0;
  for (gsize i = 0; i < G_N_ELEMENTS(areas); i++)
    n_bytes += device.table->electrons->bytes(device.self, batch, areas[i]);
  lac_device_close(&device);
  return n_bytes + batch->n * (3 * n_electrons + 2) * sizeof(double);
}

/* ---- work ---- */

LacElectronBatch
lac_wavefunction_device_batch(const LacWavefunctionDevice *self, gsize n_walkers)
{
  return (LacElectronBatch){.type = self->type,
                            .shape = self->shape,
                            .n = n_walkers,
                            .nuclei = self->at_nuclei,
                            .pool = self->pool,
                            .n_threads = self->n_threads,
                            .without = self->without,
                            .theta = self->theta.memory,
                            .weights = self->weights.memory,
                            .positions = self->positions.memory,
                            .work = self->work.memory};
}

void
lac_wavefunction_device_take_theta(LacWavefunctionDevice *self, const double *theta)
{
  const LacElectronBatch batch = lac_wavefunction_device_batch(self, 0);
  const gsize            n_bytes = self->shape->n_params * sizeof *theta;

  if (memcmp(self->known, theta, n_bytes) == 0)
    return;
  memcpy(self->known, theta, n_bytes);
  if (self->status == LAC_STATUS_OK)
    lac_wavefunction_device_note(
      self, lac_device_upload(self->device, self->theta.memory, theta, n_bytes));
  if (self->status == LAC_STATUS_OK)
    lac_wavefunction_device_note(self, self->kernels->pack(self->device.self, &batch));
}

/* NaN compares equal to nothing. */
void
lac_wavefunction_device_forget_theta(LacWavefunctionDevice *self)
{
  self->known[0] = (double) NAN;
}

/* Sends the positions and provides a sufficiently large work area. */
static LacElectronBatch
prepare(LacWavefunctionDevice *self, LacElectronArea area, const double *positions, gsize n)
{
  LacElectronBatch batch = lac_wavefunction_device_batch(self, n);

  batch.positions =
    send(self, &self->positions, positions, 3 * n * self->shape->n_electrons * sizeof *positions);
  batch.work = make_area(self, &batch, area, &self->work);
  return batch;
}

static void
fill_nan(double *to, gsize n)
{
  for (gsize i = 0; to && i < n; i++)
    to[i] = (double) NAN;
}

static void
say_nothing(const LacLocal *out, gsize n, gsize coordinates)
{
  fill_nan(out->log_abs, n);
  fill_nan(out->kinetic, n);
  fill_nan(out->gradient, n * coordinates);
  if (out->sign)
    memset(out->sign, 0, n);
}

/* @host: (nullable): NULL: not asked for */
static void *
place_answer(LacWavefunctionDevice *self, LacDeviceRoom *room, void *host, gsize n_bytes)
{
  return host ? place(self, room, host, n_bytes) : NULL;
}

/* Runs `value` or `local` (@area) on the walkers. */
static void
answer(LacWavefunctionDevice *self,
       LacElectronArea        area,
       const double          *positions,
       gsize                  n,
       const LacLocal        *out)
{
  const gsize             coordinates = 3 * self->shape->n_electrons;
  const LacElectronBatch  batch = prepare(self, area, positions, n);
  const gsize             n_bytes = n * sizeof(double);
  const LacElectronAnswer there = {
    .log_abs = place_answer(self, &self->log_abs, out->log_abs, n_bytes),
    .sign = place_answer(self, &self->sign, out->sign, n),
    .gradient = place_answer(self, &self->gradient, out->gradient, n_bytes * coordinates),
    .kinetic = place_answer(self, &self->kinetic, out->kinetic, n_bytes),
  };

  if (self->status == LAC_STATUS_OK)
    lac_wavefunction_device_note(self, area == LAC_ELECTRON_LOCAL
                                         ? self->kernels->local(self->device.self, &batch, &there)
                                         : self->kernels->value(self->device.self, &batch, &there));
  fetch(self, &self->log_abs, out->log_abs, n_bytes);
  fetch(self, &self->sign, out->sign, n);
  fetch(self, &self->gradient, out->gradient, n_bytes * coordinates);
  fetch(self, &self->kinetic, out->kinetic, n_bytes);
  if (self->status != LAC_STATUS_OK)
    say_nothing(out, n, coordinates);
}

void
lac_wavefunction_device_value(LacWavefunctionDevice *self,
                              const double          *positions,
                              gsize                  n,
                              const LacLocal        *out)
{
  answer(self, LAC_ELECTRON_VALUE, positions, n, out);
}

void
lac_wavefunction_device_local(LacWavefunctionDevice *self,
                              const double          *positions,
                              gsize                  n,
                              const LacLocal        *out)
{
  answer(self, LAC_ELECTRON_LOCAL, positions, n, out);
}

void
lac_wavefunction_device_move(LacWavefunctionDevice *self, const LacElectronMoves *moves, gsize n)
{
  const gsize n_bytes = n * sizeof(double), n_positions = 3 * self->shape->n_electrons * n_bytes;
  const LacElectronArea  area = moves->gradient ? LAC_ELECTRON_LOCAL : LAC_ELECTRON_VALUE;
  const LacElectronBatch batch = prepare(self, area, moves->positions, n);
  LacElectronMoves       there = *moves;

  there.positions = (double *) batch.positions;
  there.log_abs = send(self, &self->log_abs, moves->log_abs, n_bytes);
  if (moves->gradient)
    there.gradient = send(self, &self->gradient, moves->gradient, n_positions);
  there.accepted = place(self, &self->accepted, moves->accepted, n * sizeof *there.accepted);
  if (self->status == LAC_STATUS_OK)
    lac_wavefunction_device_note(self, self->kernels->move(self->device.self, &batch, &there));
  fetch(self, &self->positions, moves->positions, n_positions);
  fetch(self, &self->log_abs, moves->log_abs, n_bytes);
  fetch(self, &self->gradient, moves->gradient, n_positions);
  fetch(self, &self->accepted, moves->accepted, n * sizeof *moves->accepted);
  if (self->status != LAC_STATUS_OK)
    memset(moves->accepted, 0, n * sizeof *moves->accepted);
}

/* ---- derivatives with respect to the parameters ---- */

static gsize
orbital_bytes(const LacWavefunctionDevice *self, gsize n)
{
  const LacElectronShape *shape = self->shape;

  return n * shape->n_determinants * shape->n_electrons * shape->n_electrons * sizeof(double);
}

void
lac_wavefunction_device_tape(LacWavefunctionDevice *self,
                             const double          *positions,
                             gsize                  n,
                             const double          *phi_bar,
                             const LacLocal        *out)
{
  const LacElectronBatch batch = prepare(self, LAC_ELECTRON_DERIVATIVES, positions, n);
  LacElectronTape        tape = {0};

  tape.o = make_area(self, &batch, LAC_ELECTRON_TAPE, &self->o);
  if (phi_bar)
    tape.phi_bar = send(self, &self->orbitals, phi_bar, orbital_bytes(self, n));
  tape.log_abs = place_answer(self, &self->log_abs, out->log_abs, n * sizeof(double));
  tape.sign = place_answer(self, &self->sign, out->sign, n);
  if (self->status == LAC_STATUS_OK)
    lac_wavefunction_device_note(self,
                                 self->kernels->derivatives(self->device.self, &batch, &tape));
  self->n_taped = n;
  fetch(self, &self->log_abs, out->log_abs, n * sizeof(double));
  fetch(self, &self->sign, out->sign, n);
  if (self->status != LAC_STATUS_OK)
    say_nothing(out, n, 0);
}

typedef LacStatus (*Contraction)(void                         *self,
                                 const LacElectronBatch       *batch,
                                 const LacElectronContraction *args);

/* Returns arguments for a contraction of the tape, with room for its work. */
static LacElectronContraction
contraction_of(LacWavefunctionDevice *self, const LacElectronBatch *batch, LacElectronArea area)
{
  return (LacElectronContraction){
    .o = self->o.memory,
    .work = make_area(self, batch, area, &self->work),
  };
}

/* @left: (nullable) [n_left], @right: (out) [n_right] */
static void
contract(LacWavefunctionDevice *self,
         Contraction            kernel,
         const double          *left,
         gsize                  n_left,
         double                *right,
         gsize                  n_right)
{
  const LacElectronBatch batch = lac_wavefunction_device_batch(self, self->n_taped);
  LacElectronContraction args = contraction_of(self, &batch, LAC_ELECTRON_CONTRACTION);

  if (left)
    args.left = send(self, &self->left, left, n_left * sizeof *left);
  args.right = place(self, &self->right, right, n_right * sizeof *right);
  if (self->status == LAC_STATUS_OK)
    lac_wavefunction_device_note(self, kernel(self->device.self, &batch, &args));
  fetch(self, &self->right, right, n_right * sizeof *right);
  if (self->status != LAC_STATUS_OK)
    fill_nan(right, n_right);
}

void
lac_wavefunction_device_gradient(LacWavefunctionDevice *self, const double *seed, double *theta_bar)
{
  contract(self, self->kernels->pull, seed, self->n_taped, theta_bar, self->shape->n_params);
}

void
lac_wavefunction_device_apply(LacWavefunctionDevice *self, const double *v, double *y)
{
  contract(self, self->kernels->push, v, self->shape->n_params, y, self->n_taped);
}

void
lac_wavefunction_device_gram(LacWavefunctionDevice *self, double *k)
{
  const gsize            n = self->n_taped * self->n_taped;
  const LacElectronBatch batch = lac_wavefunction_device_batch(self, self->n_taped);
  LacElectronContraction args = contraction_of(self, &batch, LAC_ELECTRON_GRAM);

  args.right = lac_wavefunction_device_make_room(self, &self->gram, n * sizeof *k);
  if (self->status == LAC_STATUS_OK)
    lac_wavefunction_device_note(self, self->kernels->gram(self->device.self, &batch, &args));
  if (k && self->status == LAC_STATUS_OK)
    lac_wavefunction_device_note(
      self, lac_device_download(self->device, k, self->gram.memory, n * sizeof *k));
  if (self->status != LAC_STATUS_OK)
    fill_nan(k, n);
}

gboolean
lac_wavefunction_device_solve(LacWavefunctionDevice *self, double damping, double *right)
{
  const gsize            n = self->n_taped;
  const LacElectronBatch batch = lac_wavefunction_device_batch(self, n);
  LacElectronSolve       args = {.n = n, .damping = damping, .gram = self->gram.memory};
  LacStatus              status;

  args.right = send(self, &self->left, right, n * sizeof *right);
  args.work = make_area(self, &batch, LAC_ELECTRON_SOLVE, &self->work);
  if (self->status != LAC_STATUS_OK)
    return FALSE;
  status = self->kernels->solve(self->device.self, &args);
  if (status == LAC_STATUS_NOT_FINITE)
    return FALSE;
  lac_wavefunction_device_note(self, status);
  fetch(self, &self->left, right, n * sizeof *right);
  return self->status == LAC_STATUS_OK;
}

void
lac_wavefunction_device_factors(LacWavefunctionDevice *self, const LacElectronFactors *factors)
{
  const LacElectronBatch batch = lac_wavefunction_device_batch(self, self->n_taped);
  const gsize            n_a = factors->a ? factors->n_rows * factors->n_rows : 0;
  const gsize        n_g = factors->n_columns * (factors->a ? factors->n_columns : factors->n_rows);
  LacElectronFactors there = *factors;

  there.o = self->o.memory;
  there.g = place(self, &self->right, factors->g, n_g * sizeof *there.g);
  there.a = place_answer(self, &self->factor, factors->a, n_a * sizeof *there.a);
  if (self->status == LAC_STATUS_OK)
    lac_wavefunction_device_note(self, self->kernels->factors(self->device.self, &batch, &there));
  fetch(self, &self->factor, factors->a, n_a * sizeof *there.a);
  fetch(self, &self->right, factors->g, n_g * sizeof *there.g);
  if (self->status != LAC_STATUS_OK)
    fill_nan(factors->g, n_g);
}

void
lac_wavefunction_device_orbitals(LacWavefunctionDevice *self,
                                 const double          *positions,
                                 gsize                  n,
                                 double                *phi)
{
  const LacElectronBatch    batch = prepare(self, LAC_ELECTRON_VALUE, positions, n);
  const LacElectronOrbitals out = {place(self, &self->orbitals, phi, orbital_bytes(self, n))};

  if (self->status == LAC_STATUS_OK)
    lac_wavefunction_device_note(self, self->kernels->orbitals(self->device.self, &batch, &out));
  fetch(self, &self->orbitals, phi, orbital_bytes(self, n));
  if (self->status != LAC_STATUS_OK)
    fill_nan(phi, orbital_bytes(self, n) / sizeof *phi);
}
