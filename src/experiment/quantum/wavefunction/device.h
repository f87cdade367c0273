/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A wavefunction whose walkers are worked on by a device: what it keeps there, and the calls of the wavefunction that go there.
 * Once something has gone wrong every answer is no number, and lac_wavefunction_get_trouble() says what it was. */
#pragma once

#include "backend/electrons.h"
#include "experiment/quantum/wavefunction/wavefunction.h"

G_BEGIN_DECLS

typedef struct _LacWavefunctionDevice LacWavefunctionDevice;

/* @shape: its caller's, for good. @kernels: not NULL. Returns: %NULL with a sentence where the device has no room. */
LacWavefunctionDevice *lac_wavefunction_device_new(const LacDevice        *device,
                                                   const LacElectronShape *shape,
                                                   LacType                 type,
                                                   GError                **error);
void                   lac_wavefunction_device_free(LacWavefunctionDevice *self);

/* What went wrong first; ok: nothing. */
LacStatus lac_wavefunction_device_get_status(const LacWavefunctionDevice *self);

/* @theta: [P] from now on. */
void lac_wavefunction_device_take_theta(LacWavefunctionDevice *self, const double *theta);

/* As lac_wavefunction_local(); where neither gradient nor kinetic is asked for, by the value alone. */
void lac_wavefunction_device_local(LacWavefunctionDevice *self,
                                   const double          *positions,
                                   gsize                  n_walkers,
                                   const LacLocal        *out);

/* As lac_wavefunction_tape() and those after it; here O itself is kept, as long as there is no other tape.
 * @phi_bar: (nullable) [n][K][N][N]: of these derivatives of the orbitals in place of those of log |psi|. */
void lac_wavefunction_device_tape(LacWavefunctionDevice *self,
                                  const double          *positions,
                                  gsize                  n_walkers,
                                  const double          *phi_bar,
                                  const LacLocal        *out);
/* @seed: NULL: ones */
void lac_wavefunction_device_gradient(LacWavefunctionDevice *self,
                                      const double          *seed,
                                      double                *theta_bar);
void lac_wavefunction_device_apply(LacWavefunctionDevice *self, const double *v, double *y);
void lac_wavefunction_device_gram(LacWavefunctionDevice *self, double *k);
/* As lac_wavefunction_solve(). */
gboolean lac_wavefunction_device_solve(LacWavefunctionDevice *self, double damping, double *right);
void     lac_wavefunction_device_orbitals(LacWavefunctionDevice *self,
                                          const double          *positions,
                                          gsize                  n_walkers,
                                          double                *phi);

/* As lac_wavefunction_move(). */
void lac_wavefunction_device_move(LacWavefunctionDevice  *self,
                                  const LacElectronMoves *moves,
                                  gsize                   n_walkers);

G_END_DECLS
