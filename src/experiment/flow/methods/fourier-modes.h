/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modes of an initial state in a periodic domain that the training part need not contain: all sines and cosines of the
 * 2/3 rule, with the training part's energy per shell of wavenumbers as their prior, averaged over directions and
 * phases. A velocity is split into its waves across and along the wave vector: those of an incompressible flow are
 * across alone. Source: Daley (1991), Atmospheric Data Analysis, 3.3 (homogeneous, isotropic covariances). */
#pragma once

#include "base/rng.h"
#include "experiment/flow/case.h"
#include "sensor/pod.h"

G_BEGIN_DECLS

/* Everything is borrowed. */
typedef struct {
  const double *snapshots; /* [n_snapshots][stride], of which [n_fields][ny][nx] are used */
  gsize         n_snapshots, stride, nx, ny;
  guint         n_fields;
  guint         fixed;        /* bit i: field i has no modes, and its mean is 0 */
  double        length[2];    /* periods */
  gboolean      has_velocity; /* fields 0 and 1 are the velocity along x and y */
  gsize         n_modes;      /* the largest deviations; 0: all above 1e-6 of the largest */
} LacFourierModes;

/* Returns: (transfer full): the mean of the snapshots, the orthonormal modes by falling deviation and these deviations;
 * the truncation is not filled in. %NULL with an error if the snapshots do not fluctuate. */
LacPod *lac_fourier_modes_new(const LacFourierModes *settings, GError **error);

/* Returns TRUE when the domain is periodic along every axis. */
gboolean lac_fourier_modes_apply(const LacCase *subject);

/* Makes the modes of the solver's fields from the training part of @grid. @fixed, @n_modes: as above. */
LacPod *lac_fourier_modes_new_for(const LacCase  *subject,
                                  const LacTruth *grid,
                                  guint           fixed,
                                  gsize           n_modes,
                                  GError        **error);

/* @state: (out): [n]: the mean and a normal variate times the deviation of every mode. */
void lac_fourier_modes_draw(const LacPod *pod, LacRng *rng, double *state);

G_END_DECLS
