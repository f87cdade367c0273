/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a wavefunction keeps on a device, for the files that ask the device for kernels. */
#pragma once

#include "experiment/quantum/wavefunction/device.h"

G_BEGIN_DECLS

/* A piece of the device's memory that grows. */
typedef struct {
  void *memory;
  gsize n_bytes;
} LacDeviceRoom;

struct _LacWavefunctionDevice {
  LacDevice                 device;
  const LacDeviceElectrons *kernels;
  const LacElectronShape   *shape;
  LacType                   type;
  LacStatus                 status; /* what went wrong first */
  LacDeviceRoom             nuclei, theta, weights, positions, work;
  LacDeviceRoom             log_abs, sign, gradient, kinetic, accepted;
  LacDeviceRoom             o, left, right, gram, orbitals;
  gsize                     n_taped; /* walkers whose rows O has */
  guint64                   n_grown; /* times that a piece has grown, and so moved */
};

/* Keeps what went wrong first. */
void lac_wavefunction_device_note(LacWavefunctionDevice *self, LacStatus status);

/* At least @n_bytes; what was there is lost where it grows. */
void *
lac_wavefunction_device_make_room(LacWavefunctionDevice *self, LacDeviceRoom *room, gsize n_bytes);
void lac_wavefunction_device_release(LacWavefunctionDevice *self, LacDeviceRoom *room);

/* @n_walkers at the positions and with the work area that there are. */
LacElectronBatch lac_wavefunction_device_batch(const LacWavefunctionDevice *self, gsize n_walkers);

G_END_DECLS
