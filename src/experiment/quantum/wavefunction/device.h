/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A wavefunction on a device: its memory there, and the functions of the wavefunction with arrays in host memory. After an
 * error every result is NaN. */
#pragma once

#include "backend/electrons.h"
#include "experiment/quantum/wavefunction/wavefunction.h"

G_BEGIN_DECLS

typedef struct _LacWavefunctionDevice LacWavefunctionDevice;

typedef struct {
  const LacDevice        *device; /* (nullable), with kernels for walkers; NULL: the CPU */
  const LacElectronShape *shape;  /* borrowed for the lifetime of the object */
  LacType                 type;
  LacPool                *pool; /* (nullable), borrowed */
  guint                   without;
} LacWavefunctionDeviceSettings;

/* Returns: %NULL with an error if the device is out of memory. */
LacWavefunctionDevice *lac_wavefunction_device_new(const LacWavefunctionDeviceSettings *settings,
                                                   GError                             **error);
void                   lac_wavefunction_device_free(LacWavefunctionDevice *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacWavefunctionDevice, lac_wavefunction_device_free)

const LacDeviceElectrons *lac_wavefunction_device_get_kernels(const LacWavefunctionDevice *self);
gsize                     lac_wavefunction_device_get_n_taped(const LacWavefunctionDevice *self);

/* Returns: FALSE with an error if a call failed. */
gboolean lac_wavefunction_device_check(const LacWavefunctionDevice *self, GError **error);

/* Returns the bytes on the CPU; with walkers, their tape included. @batch: as for LacDeviceElectrons.bytes() */
guint64 lac_wavefunction_device_estimate(const LacElectronBatch *batch);

/* Copies @theta, [P], to the device, unless it is there. */
void lac_wavefunction_device_take_theta(LacWavefunctionDevice *self, const double *theta);

/* Makes the next lac_wavefunction_device_take_theta() copy whatever it is given. */
void lac_wavefunction_device_forget_theta(LacWavefunctionDevice *self);

void lac_wavefunction_device_value(LacWavefunctionDevice *self,
                                   const double          *positions,
                                   gsize                  n_walkers,
                                   const LacLocal        *out);
void lac_wavefunction_device_local(LacWavefunctionDevice *self,
                                   const double          *positions,
                                   gsize                  n_walkers,
                                   const LacLocal        *out);

/* The tape, and contractions with it until the next one. @phi_bar: (nullable) [n][K][N][N]: derivatives with respect to the
 * orbitals; NULL: those of log |psi|. */
void lac_wavefunction_device_tape(LacWavefunctionDevice *self,
                                  const double          *positions,
                                  gsize                  n_walkers,
                                  const double          *phi_bar,
                                  const LacLocal        *out);
/* @seed: (nullable): weight of each walker; NULL: all ones */
void     lac_wavefunction_device_gradient(LacWavefunctionDevice *self,
                                          const double          *seed,
                                          double                *theta_bar);
void     lac_wavefunction_device_apply(LacWavefunctionDevice *self, const double *v, double *y);
void     lac_wavefunction_device_gram(LacWavefunctionDevice *self, double *k);
gboolean lac_wavefunction_device_solve(LacWavefunctionDevice *self, double damping, double *right);
/* @factors: with arrays in host memory */
void lac_wavefunction_device_factors(LacWavefunctionDevice    *self,
                                     const LacElectronFactors *factors);
void lac_wavefunction_device_orbitals(LacWavefunctionDevice *self,
                                      const double          *positions,
                                      gsize                  n_walkers,
                                      double                *phi);

void lac_wavefunction_device_move(LacWavefunctionDevice  *self,
                                  const LacElectronMoves *moves,
                                  gsize                   n_walkers);

G_END_DECLS
