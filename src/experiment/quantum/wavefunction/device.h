/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A wavefunction evaluated on a device: its device memory and the device variants of the wavefunction's functions.
 * After an error every result is NaN, and lac_wavefunction_device_get_status() returns the error. */
#pragma once

#include "backend/electrons.h"
#include "experiment/quantum/wavefunction/wavefunction.h"

G_BEGIN_DECLS

typedef struct _LacWavefunctionDevice LacWavefunctionDevice;

/* @shape: borrowed for the lifetime of the object; @kernels: not NULL. Returns: %NULL with an error if the device is
 * out of memory. */
LacWavefunctionDevice *lac_wavefunction_device_new(const LacDevice        *device,
                                                   const LacElectronShape *shape,
                                                   LacType                 type,
                                                   GError                **error);
void                   lac_wavefunction_device_free(LacWavefunctionDevice *self);

/* Returns the first error, or ok. */
LacStatus lac_wavefunction_device_get_status(const LacWavefunctionDevice *self);

/* Copies @theta, [P], to the device. */
void lac_wavefunction_device_take_theta(LacWavefunctionDevice *self, const double *theta);

/* Device variant of lac_wavefunction_local(); computes only the value if neither gradient nor kinetic is requested. */
void lac_wavefunction_device_local(LacWavefunctionDevice *self,
                                   const double          *positions,
                                   gsize                  n_walkers,
                                   const LacLocal        *out);

/* Device variants of lac_wavefunction_tape() and the functions after it. The device stores O itself, until the next
 * tape. @phi_bar: (nullable) [n][K][N][N]: derivatives with respect to the orbitals; NULL: those of log |psi|. */
void lac_wavefunction_device_tape(LacWavefunctionDevice *self,
                                  const double          *positions,
                                  gsize                  n_walkers,
                                  const double          *phi_bar,
                                  const LacLocal        *out);
/* @seed: (nullable): weight of each walker; NULL: all ones */
void lac_wavefunction_device_gradient(LacWavefunctionDevice *self,
                                      const double          *seed,
                                      double                *theta_bar);
void lac_wavefunction_device_apply(LacWavefunctionDevice *self, const double *v, double *y);
void lac_wavefunction_device_gram(LacWavefunctionDevice *self, double *k);
/* Device variant of lac_wavefunction_solve(). */
gboolean lac_wavefunction_device_solve(LacWavefunctionDevice *self, double damping, double *right);
void     lac_wavefunction_device_orbitals(LacWavefunctionDevice *self,
                                          const double          *positions,
                                          gsize                  n_walkers,
                                          double                *phi);

/* Device variant of lac_wavefunction_move(). */
void lac_wavefunction_device_move(LacWavefunctionDevice  *self,
                                  const LacElectronMoves *moves,
                                  gsize                   n_walkers);

G_END_DECLS
