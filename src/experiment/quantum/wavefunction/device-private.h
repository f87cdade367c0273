/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device memory of a wavefunction, shared by the files that launch device kernels. */
#pragma once

#include "base/memory-part.h"
#include "experiment/quantum/wavefunction/device.h"

G_BEGIN_DECLS

/* A growable buffer in device memory. */
typedef struct {
  void          *memory;
  gsize          n_bytes;
  LacMemoryClaim claim;
} LacDeviceRoom;

struct _LacWavefunctionDevice {
  LacDevice                 device;
  gboolean                  owns_device;
  const LacDeviceElectrons *kernels;
  const LacElectronShape   *shape;
  LacType                   type;
  LacPool                  *pool;
  guint                     n_threads, without;
  LacStatus                 status;    /* first error, or ok */
  double                   *known;     /* [P]: the parameters on the device */
  const double             *at_nuclei; /* [A][3], on the device */
  LacDeviceRoom             nuclei, theta, weights, positions, work;
  LacDeviceRoom             log_abs, sign, gradient, kinetic, accepted;
  LacDeviceRoom             o, gram, left, right, factor, orbitals;
  gsize                     n_most[LAC_ELECTRON_N_AREAS]; /* walkers that an area has held */
  gsize                     n_taped;                      /* number of walkers that O holds */
  guint64                   n_grown; /* number of times a buffer has grown and therefore moved */
};

/* Records @status unless an earlier error is recorded. */
void lac_wavefunction_device_note(LacWavefunctionDevice *self, LacStatus status);

/* Returns at least @n_bytes of device memory; the contents are lost when the buffer grows. */
void *
lac_wavefunction_device_make_room(LacWavefunctionDevice *self, LacDeviceRoom *room, gsize n_bytes);
void lac_wavefunction_device_release(LacWavefunctionDevice *self, LacDeviceRoom *room);

/* Returns a batch of @n_walkers at their current positions, with the current work area. */
LacElectronBatch lac_wavefunction_device_batch(const LacWavefunctionDevice *self, gsize n_walkers);

G_END_DECLS
