/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two-dimensional Navier-Stokes in vorticity on [0, 2 pi]^2, periodic, pseudo-spectral, for a batch of members:
 *   w_t + u w_x + v w_y = nu lap w - mu w - k cos(k y),   the curl of the force (sin(k y), 0).
 * 2/3 rule, integrating-factor Runge-Kutta of order 4. The mean velocity is 0.
 * Source: Canuto, Hussaini, Quarteroni, Zang (2007), Spectral Methods, 3.3. */
#pragma once

#include "backend/registry.h"
#include "base/pool.h"
#include "base/rng.h"
#include "perf/recorder/perf.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  LacDevice device;
  LacPool  *pool; /* borrowed; members are distributed over its threads */
  LacType   type;
  gsize     n; /* grid points per side; even */
  gsize     n_members;
  gsize
         n_together; /* members in one call of a kernel; 0: one on a processor, enough to fill another device */
  double viscosity; /* nu = 1 / Re */
  gboolean
    own_viscosities; /* members may differ: allocates memory for lac_vorticity_set_viscosities() */
  double   drag;     /* mu */
  gsize    forcing;  /* k; 0: no force */
  double   time_step;
  LacPerf *perf; /* borrowed; NULL: nothing is recorded */
  LacLane *lane; /* lane of the calling thread */
} LacVorticitySettings;

typedef struct _LacVorticitySolver LacVorticitySolver;

/* Returns: %NULL with %LAC_ERROR_DEVICE. All members start at rest. */
LacVorticitySolver *lac_vorticity_new(const LacVorticitySettings *settings, GError **error);
void                lac_vorticity_free(LacVorticitySolver *solver);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacVorticitySolver, lac_vorticity_free)

/* Sets the number of members for the calls below, at most settings.n_members, which is the default. */
gboolean lac_vorticity_set_n_members(LacVorticitySolver *solver, gsize n_members, GError **error);

/* Sets the viscosity of each member, [n_members] spaced @stride elements apart; requires settings.own_viscosities.
 * Does not allocate, other than a device that records steps; free if nothing has changed. */
gboolean lac_vorticity_set_viscosities(LacVorticitySolver *solver,
                                       const double       *viscosities,
                                       gsize               stride,
                                       GError            **error);

/* @velocity: [n_members][2][n][n], row = y. The state becomes its dealiased curl: divergence, mean and wavenumbers
 * beyond the 2/3 rule are removed. */
gboolean lac_vorticity_set(LacVorticitySolver *solver, const double *velocity, GError **error);

/* @velocity: (out): [n_members][2][n][n]. */
gboolean lac_vorticity_get(LacVorticitySolver *solver, double *velocity, GError **error);

/* Draws a random field per member, with wavenumbers near 4 and vorticity RMS @rms. */
gboolean
lac_vorticity_randomise(LacVorticitySolver *solver, LacRng *rng, double rms, GError **error);

/* Advances every member by @n_steps. Does not allocate. Bitwise equal for any number of threads. */
gboolean lac_vorticity_advance(LacVorticitySolver *solver, gsize n_steps, GError **error);

/* Pushes one aggregate record per operation for the advance() calls since this function was last called; the first of
 * them began at @start_ns. */
void lac_vorticity_emit_timing(LacVorticitySolver *solver, gint64 start_ns, gint64 step);

/* Return the allocated device memory, and the floating-point operations per step and member (5 N log2 N per
 * transform). */
gsize  lac_vorticity_get_bytes(const LacVorticitySolver *solver);
double lac_vorticity_get_flops(const LacVorticitySolver *solver);

G_END_DECLS
