/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transfer of walkers to the device and of results back; buffers grow to the largest number of walkers and are then
 * reused. */
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
  *room = (LacDeviceRoom){0};
}

void *
lac_wavefunction_device_make_room(LacWavefunctionDevice *self, LacDeviceRoom *room, gsize n_bytes)
{
  if (n_bytes <= room->n_bytes || self->status != LAC_STATUS_OK)
    return room->memory;
  lac_wavefunction_device_release(self, room);
  lac_wavefunction_device_note(
    self, self->device.table->alloc(self->device.self, n_bytes, &room->memory));
  if (self->status == LAC_STATUS_OK)
    room->n_bytes = n_bytes;
  self->n_grown++;
  return room->memory;
}

static void *
send(LacWavefunctionDevice *self, LacDeviceRoom *room, const void *host, gsize n_bytes)
{
  lac_wavefunction_device_make_room(self, room, n_bytes);
  if (self->status == LAC_STATUS_OK)
    lac_wavefunction_device_note(
      self, self->device.table->upload(self->device.self, room->memory, host, n_bytes));
  return room->memory;
}

/* Does nothing if @host is NULL. */
static void
fetch(LacWavefunctionDevice *self, const LacDeviceRoom *room, void *host, gsize n_bytes)
{
  if (host && self->status == LAC_STATUS_OK)
    lac_wavefunction_device_note(
      self, self->device.table->download(self->device.self, host, room->memory, n_bytes));
}

LacWavefunctionDevice *
lac_wavefunction_device_new(const LacDevice        *device,
                            const LacElectronShape *shape,
                            LacType                 type,
                            GError                **error)
{
  LacWavefunctionDevice *self = g_new0(LacWavefunctionDevice, 1);

  self->device = *device;
  self->kernels = device->table->electrons;
  self->shape = shape;
  self->type = type;
  send(self, &self->nuclei, shape->nuclei, shape->n_nuclei * sizeof *shape->nuclei);
  lac_wavefunction_device_make_room(self, &self->theta, shape->n_params * sizeof(double));
  lac_wavefunction_device_make_room(self, &self->weights, shape->n_params * lac_type_size(type));
  if (self->status == LAC_STATUS_OK)
    return self;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE,
              "backend = %s: psi does not fit into device memory: %s; use backend = cpu",
              device->table->name, lac_status_text(self->status));
  lac_wavefunction_device_free(self);
  return NULL;
}

void
lac_wavefunction_device_free(LacWavefunctionDevice *self)
{
  if (!self)
    return;
  LacDeviceRoom *rooms[] = {&self->nuclei,  &self->theta,    &self->weights, &self->positions,
                            &self->work,    &self->log_abs,  &self->sign,    &self->gradient,
                            &self->kinetic, &self->accepted, &self->o,       &self->left,
                            &self->right,   &self->gram,     &self->orbitals};

  for (gsize i = 0; i < G_N_ELEMENTS(rooms); i++)
    lac_wavefunction_device_release(self, rooms[i]);
  g_free(self);
}

LacStatus
lac_wavefunction_device_get_status(const LacWavefunctionDevice *self)
{
  return self->status;
}

/* ---- work ---- */

LacElectronBatch
lac_wavefunction_device_batch(const LacWavefunctionDevice *self, gsize n_walkers)
{
  return (LacElectronBatch){.type = self->type,
                            .shape = self->shape,
                            .n = n_walkers,
                            .nuclei = self->nuclei.memory,
                            .theta = self->theta.memory,
                            .weights = self->weights.memory,
                            .positions = self->positions.memory,
                            .work = self->work.memory};
}

void
lac_wavefunction_device_take_theta(LacWavefunctionDevice *self, const double *theta)
{
  const LacElectronBatch batch = lac_wavefunction_device_batch(self, 0);

  send(self, &self->theta, theta, self->shape->n_params * sizeof *theta);
  if (self->status == LAC_STATUS_OK)
    lac_wavefunction_device_note(self, self->kernels->pack(self->device.self, &batch));
}

/* Sends the positions and provides a sufficiently large work area. */
static LacElectronBatch
prepare(LacWavefunctionDevice *self, LacElectronTaskKind kind, const double *positions, gsize n)
{
  LacElectronBatch batch = lac_wavefunction_device_batch(self, n);

  batch.positions =
    send(self, &self->positions, positions, 3 * n * self->shape->n_electrons * sizeof *positions);
  batch.work = lac_wavefunction_device_make_room(
    self, &self->work, self->kernels->work_bytes(self->device.self, &batch, kind));
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

void
lac_wavefunction_device_local(LacWavefunctionDevice *self,
                              const double          *positions,
                              gsize                  n,
                              const LacLocal        *out)
{
  const gsize               coordinates = 3 * self->shape->n_electrons;
  const gboolean            local = out->gradient || out->kinetic;
  const LacElectronTaskKind kind = local ? LAC_ELECTRON_LOCAL : LAC_ELECTRON_VALUE;
  const LacElectronBatch    batch = prepare(self, kind, positions, n);
  const gsize               n_bytes = n * sizeof(double);
  LacElectronAnswer         answer = {0};

  if (out->log_abs)
    answer.log_abs = lac_wavefunction_device_make_room(self, &self->log_abs, n_bytes);
  if (out->sign)
    answer.sign = lac_wavefunction_device_make_room(self, &self->sign, n);
  if (out->gradient)
    answer.gradient =
      lac_wavefunction_device_make_room(self, &self->gradient, n_bytes * coordinates);
  if (out->kinetic)
    answer.kinetic = lac_wavefunction_device_make_room(self, &self->kinetic, n_bytes);
  if (self->status == LAC_STATUS_OK)
    lac_wavefunction_device_note(self,
                                 local ? self->kernels->local(self->device.self, &batch, &answer)
                                       : self->kernels->value(self->device.self, &batch, &answer));
  fetch(self, &self->log_abs, out->log_abs, n_bytes);
  fetch(self, &self->sign, out->sign, n);
  fetch(self, &self->gradient, out->gradient, n_bytes * coordinates);
  fetch(self, &self->kinetic, out->kinetic, n_bytes);
  if (self->status != LAC_STATUS_OK)
    say_nothing(out, n, coordinates);
}

void
lac_wavefunction_device_move(LacWavefunctionDevice *self, const LacElectronMoves *moves, gsize n)
{
  const gsize n_bytes = n * sizeof(double), n_positions = 3 * self->shape->n_electrons * n_bytes;
  const LacElectronTaskKind kind = moves->gradient ? LAC_ELECTRON_LOCAL : LAC_ELECTRON_VALUE;
  const LacElectronBatch    batch = prepare(self, kind, moves->positions, n);
  LacElectronMoves          there = *moves;

  there.positions = self->positions.memory;
  there.log_abs = send(self, &self->log_abs, moves->log_abs, n_bytes);
  if (moves->gradient)
    there.gradient = send(self, &self->gradient, moves->gradient, n_positions);
  there.accepted =
    lac_wavefunction_device_make_room(self, &self->accepted, n * sizeof *there.accepted);
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

  tape.o = lac_wavefunction_device_make_room(self, &self->o,
                                             n * self->shape->n_params * lac_type_size(self->type));
  if (phi_bar)
    tape.phi_bar = send(self, &self->orbitals, phi_bar, orbital_bytes(self, n));
  if (out->log_abs)
    tape.log_abs = lac_wavefunction_device_make_room(self, &self->log_abs, n * sizeof(double));
  if (out->sign)
    tape.sign = lac_wavefunction_device_make_room(self, &self->sign, n);
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
  LacElectronContraction args = {.o = self->o.memory, .work = self->gram.memory};

  if (left)
    args.left = send(self, &self->left, left, n_left * sizeof *left);
  args.right = lac_wavefunction_device_make_room(self, &self->right, n_right * sizeof *right);
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
  const gsize n = self->n_taped * self->n_taped;

  lac_wavefunction_device_make_room(self, &self->gram, n * lac_type_size(self->type));
  contract(self, self->kernels->gram, NULL, 0, k, n);
}

gboolean
lac_wavefunction_device_solve(LacWavefunctionDevice *self, double damping, double *right)
{
  const gsize            n = self->n_taped;
  const LacElectronBatch batch = lac_wavefunction_device_batch(self, n);
  LacElectronContraction gram = {.o = self->o.memory};
  LacElectronSolve       args = {.n = n, .damping = damping};
  LacStatus              status;

  gram.work =
    lac_wavefunction_device_make_room(self, &self->gram, n * n * lac_type_size(self->type));
  gram.right = args.gram =
    lac_wavefunction_device_make_room(self, &self->right, n * n * sizeof(double));
  args.right = send(self, &self->left, right, n * sizeof *right);
  args.work = lac_wavefunction_device_make_room(self, &self->work,
                                                self->kernels->solve_bytes(self->device.self, n));
  if (self->status == LAC_STATUS_OK)
    lac_wavefunction_device_note(self, self->kernels->gram(self->device.self, &batch, &gram));
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
lac_wavefunction_device_orbitals(LacWavefunctionDevice *self,
                                 const double          *positions,
                                 gsize                  n,
                                 double                *phi)
{
  const LacElectronBatch    batch = prepare(self, LAC_ELECTRON_VALUE, positions, n);
  const LacElectronOrbitals out = {
    lac_wavefunction_device_make_room(self, &self->orbitals, orbital_bytes(self, n))};

  if (self->status == LAC_STATUS_OK)
    lac_wavefunction_device_note(self, self->kernels->orbitals(self->device.self, &batch, &out));
  fetch(self, &self->orbitals, phi, orbital_bytes(self, n));
  if (self->status != LAC_STATUS_OK)
    fill_nan(phi, orbital_bytes(self, n) / sizeof *phi);
}
