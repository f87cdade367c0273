/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the vorticity solver share. */
#pragma once

#include "base/clock.h"
#include "solver/spectral/vorticity.h"

/* The operations of a step, as they are timed. */
typedef enum {
  LAC_VORTICITY_DERIVE,
  LAC_VORTICITY_INVERSE,
  LAC_VORTICITY_ADVECT,
  LAC_VORTICITY_FORWARD,
  LAC_VORTICITY_STAGE,
  LAC_VORTICITY_N_OPERATIONS
} LacVorticityOperation;

/* What one worker computes with; members share nothing but constants. Device memory but for the staging. */
typedef struct {
  guint8   *fields;      /* [4][n][nxh] complex */
  guint8   *physical;    /* [4][n][n] */
  guint8   *product;     /* [n][n] */
  guint8   *product_hat; /* [n][nxh] complex */
  guint8   *sum, *next;  /* [n][nxh] complex */
  gpointer  staging;     /* host, as large as physical or fields */
  double   *spectrum;    /* host, [2][n][nxh] complex in double */
  LacStatus status;
  gboolean  timed;                             /* the step that is going on */
  guint64   mark;                              /* ticks when the last operation ended */
  guint64   ticks[LAC_VORTICITY_N_OPERATIONS]; /* of the steps that were timed */
  guint64   n_steps, step_ticks;               /* of all steps */
  guint64   apart[8]; /* keeps the counters of two workers on different cache lines */
} LacVorticityWorker;

struct _LacVorticitySolver {
  LacVorticitySettings settings;
  gsize                nxh;     /* n / 2 + 1 */
  gsize                element; /* bytes */
  guint8              *memory;  /* device: everything below */
  gsize                n_bytes;
  guint8              *state;              /* [n_members][n][nxh] complex */
  guint8              *decay, *decay_half; /* [1, or n_members of their own][n][nxh] */
  guint8              *mask;               /* [n][nxh] */
  guint8              *forcing;            /* [n][nxh] complex */
  guint                n_workers;
  LacVorticityWorker  *workers;
  gsize                n_members;    /* in use */
  double              *viscosities;  /* of each member's decay; NULL: all share the settings' */
  gsize                decay_stride; /* bytes from member to member; 0: all share the first */
  gboolean             timed;
  gsize                timed_every; /* steps */
  guint32              names[LAC_VORTICITY_N_OPERATIONS];
  /* arguments of the job over members that is under way */
  gsize         n_steps;
  const double *velocity_in, *viscosities_in;
  gsize         stride;
  double       *velocity_out;
};

/* Bytes of [n][nxh] complex and of [n][n] real. */
static inline gsize
lac_vorticity_spectrum_bytes(const LacVorticitySolver *solver)
{
  return 2 * solver->settings.n * solver->nxh * solver->element;
}

static inline gsize
lac_vorticity_plane_bytes(const LacVorticitySolver *solver)
{
  return solver->settings.n * solver->settings.n * solver->element;
}

/* Signed wavenumber of row @y. */
static inline double
lac_vorticity_wavenumber(gsize y, gsize n)
{
  return 2 * y <= n ? (double) y : (double) y - (double) n;
}

/* Whether the 2/3 rule keeps the wavenumber. */
gboolean lac_vorticity_is_kept(const LacVorticitySolver *solver, gsize x, gsize y);

/* Host doubles to the solver's type through a worker's staging. */
LacStatus lac_vorticity_put(LacVorticitySolver *solver,
                            LacVorticityWorker *worker,
                            gpointer            device,
                            const double       *values,
                            gsize               n);

/* Transforms of one plane. */
LacStatus lac_vorticity_forward(LacVorticitySolver *solver, gpointer plane, gpointer spectrum);
LacStatus lac_vorticity_inverse(LacVorticitySolver *solver, gpointer plane, gpointer spectrum);

/* The decay factors of one viscosity, to entry @slot. */
LacStatus lac_vorticity_put_decay(LacVorticitySolver *solver,
                                  LacVorticityWorker *worker,
                                  double              viscosity,
                                  gsize               slot);

void lac_vorticity_init_timing(LacVorticitySolver *solver);

/* Whether step @i of all steps of the job under way is timed. */
gboolean lac_vorticity_is_timed(const LacVorticitySolver *solver, gsize i);

/* Books the time since the worker's last mark under @operation. */
static inline void
lac_vorticity_lap(LacVorticityWorker *worker, LacVorticityOperation operation)
{
  if (worker->timed) {
    const guint64 now = lac_clock_ticks();

    worker->ticks[operation] += now - worker->mark;
    worker->mark = now;
  }
}

/* Runs @func over all members; the first status that is not OK becomes the error. */
gboolean lac_vorticity_over_members(LacVorticitySolver *solver, LacPoolFunc func, GError **error);
