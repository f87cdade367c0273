/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two-dimensional Navier-Stokes in vorticity on [0, 2 pi]^2, periodic, pseudo-spectral, for a batch of members:
 *   w_t + u w_x + v w_y = nu lap w - mu w - k cos(k y),   the curl of the force (sin(k y), 0).
 * 2/3 rule, integrating-factor Runge-Kutta of order 4. Velocity carries no mean.
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
  LacPool  *pool; /* borrowed; members are dealt to its threads */
  LacType   type;
  gsize     n; /* grid points a side; even */
  gsize     n_members;
  double    viscosity;       /* nu = 1 / Re */
  gboolean  own_viscosities; /* members may differ: memory for lac_vorticity_set_viscosities() */
  double    drag;            /* mu */
  gsize     forcing;         /* k; 0: no force */
  double    time_step;
  LacPerf  *perf; /* borrowed; NULL: nothing is recorded */
  LacLane  *lane; /* of the calling thread */
} LacVorticitySettings;

typedef struct _LacVorticitySolver LacVorticitySolver;

/* Returns: %NULL with %LAC_ERROR_DEVICE set. Every member starts at rest. */
LacVorticitySolver *lac_vorticity_new(const LacVorticitySettings *settings, GError **error);
void                lac_vorticity_free(LacVorticitySolver *solver);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacVorticitySolver, lac_vorticity_free)

/* How many members the calls below concern, at most settings.n_members; that many until it is set. */
void lac_vorticity_set_n_members(LacVorticitySolver *solver, gsize n_members);

/* Each member's own viscosity, [n_members] with @stride numbers from one to the next, from now on; the settings must
 * have announced it. Does not allocate; costs nothing where nothing changed. */
gboolean lac_vorticity_set_viscosities(LacVorticitySolver *solver,
                                       const double       *viscosities,
                                       gsize               stride,
                                       GError            **error);

/* Velocities of all members, @velocity: [n_members][2][n][n], row = y; their curl, dealiased, becomes the state: what has
 * a divergence, a mean or a wavenumber beyond the 2/3 rule is dropped. */
gboolean lac_vorticity_set(LacVorticitySolver *solver, const double *velocity, GError **error);

/* Of all members, [n_members][2][n][n]. */
gboolean lac_vorticity_get(LacVorticitySolver *solver, double *velocity, GError **error);

/* A random field of wavenumbers near 4 with vorticity rms @rms, for every member its own. */
gboolean
lac_vorticity_randomise(LacVorticitySolver *solver, LacRng *rng, double rms, GError **error);

/* Advances every member by @n_steps. Does not allocate. The same bits for any number of threads. */
gboolean lac_vorticity_advance(LacVorticitySolver *solver, gsize n_steps, GError **error);

/* Hands the recorder one aggregate an operation: what advance() did since the last call, which began at @start_ns. */
void lac_vorticity_emit_timing(LacVorticitySolver *solver, gint64 start_ns, gint64 step);

/* Device memory held, and floating-point operations of one step of one member (5 N log2 N a transform). */
gsize  lac_vorticity_get_bytes(const LacVorticitySolver *solver);
double lac_vorticity_get_flops(const LacVorticitySolver *solver);

G_END_DECLS
