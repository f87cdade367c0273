/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals shared by the parts of the vorticity solver. */
#pragma once

#include "backend/recorded-step.h"
#include "base/clock.h"
#include "base/memory-part.h"
#include "solver/spectral/vorticity.h"

/* Timed operations of a step. */
typedef enum {
  LAC_VORTICITY_DERIVE,
  LAC_VORTICITY_INVERSE,
  LAC_VORTICITY_ADVECT,
  LAC_VORTICITY_FORWARD,
  LAC_VORTICITY_STAGE,
  LAC_VORTICITY_N_OPERATIONS
} LacVorticityOperation;

/* Work arrays of one worker, for the members it computes together; they share only constants. Device memory except for
 * the last two. */
typedef struct {
  guint8   *fields;      /* [n_together][4][n][nxh] complex */
  guint8   *physical;    /* [n_together][4][n][n] */
  guint8   *product;     /* [n_together][n][n] */
  guint8   *product_hat; /* [n_together][n][nxh] complex */
  guint8   *sum, *next;  /* [n_together][n][nxh] complex */
  gpointer  staging;     /* host, [n_together][2][n][nxh] complex */
  double   *spectrum;    /* host, [n][nxh] complex in double */
  LacStatus status;
  gboolean  timed;                             /* the current step is timed */
  guint64   mark;                              /* ticks at the end of the last operation */
  guint64   ticks[LAC_VORTICITY_N_OPERATIONS]; /* over the timed steps */
  guint64   n_steps, step_ticks;               /* over all steps */
  guint64   apart[8]; /* padding: separates the counters of two workers by a cache line */
} LacVorticityWorker;

struct _LacVorticitySolver {
  LacVorticitySettings settings;
  gsize                nxh;     /* n / 2 + 1 */
  gsize                element; /* bytes */
  LacMemoryClaim       claim;
  guint8              *memory; /* device: everything below */
  gsize                n_bytes;
  guint8              *state;              /* [n_members][n][nxh] complex */
  guint8              *decay, *decay_half; /* [1, or n_members if they differ][n][nxh] */
  guint8              *mask;               /* [n][nxh] */
  guint8              *kx, *ky;            /* [n][nxh] */
  guint8              *forcing;            /* [n][nxh] complex */
  guint                n_workers;
  LacVorticityWorker  *workers;
  gsize                n_members; /* number in use */
  gsize            n_together;    /* of a group, which a worker computes; the last may be smaller */
  LacRecordedStep *step;          /* of all members; NULL where workers are threads */
  double
    *viscosities; /* viscosity of each member's decay factors; NULL: that of the settings for all */
  gsize    decay_stride; /* bytes between members; 0: all share the first entry */
  gboolean timed;
  gsize    timed_every; /* interval in steps */
  guint32  names[LAC_VORTICITY_N_OPERATIONS];
  /* arguments of the current job over groups */
  gsize         n_steps;
  const double *velocity_in, *viscosities_in;
  gsize         stride;
  double       *velocity_out;
};

/* Return the size in bytes of [n][nxh] complex and of [n][n] real arrays. */
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

/* Returns the signed wavenumber of row @y. */
static inline double
lac_vorticity_wavenumber(gsize y, gsize n)
{
  return 2 * y <= n ? (double) y : (double) y - (double) n;
}

/* Returns TRUE when the 2/3 rule retains the wavenumber. */
gboolean lac_vorticity_is_kept(const LacVorticitySolver *solver, gsize x, gsize y);

/* Copies @n host doubles to device memory in the solver's type, converting in the worker's staging buffer. */
LacStatus lac_vorticity_put(LacVorticitySolver *solver,
                            LacVorticityWorker *worker,
                            gpointer            device,
                            const double       *values,
                            gsize               n);

/* Members from `first` on. */
typedef struct {
  gsize first, n;
} LacVorticityGroup;

LacVorticityGroup lac_vorticity_get_group(const LacVorticitySolver *solver, gsize group);

/* Transform @n_planes planes. */
LacStatus lac_vorticity_forward(LacVorticitySolver *solver,
                                gsize               n_planes,
                                gpointer            planes,
                                gpointer            spectra);
LacStatus lac_vorticity_inverse(LacVorticitySolver *solver,
                                gsize               n_planes,
                                gpointer            planes,
                                gpointer            spectra);
LacStatus lac_vorticity_inverse_unscaled(LacVorticitySolver *solver,
                                         gsize               n_planes,
                                         gpointer            planes,
                                         gpointer            spectra);
/* Prepares the transforms of the present number of members. */
LacStatus lac_vorticity_prepare_transforms(LacVorticitySolver *solver);

/* Writes the decay factors for one viscosity to entry @slot. */
LacStatus lac_vorticity_put_decay(LacVorticitySolver *solver,
                                  LacVorticityWorker *worker,
                                  double              viscosity,
                                  gsize               slot);

void lac_vorticity_init_timing(LacVorticitySolver *solver);

/* Returns TRUE when step @i of the current job's steps is timed. */
gboolean lac_vorticity_is_timed(const LacVorticitySolver *solver, gsize i);

/* Names the kernels that follow, of @n members, in the times of a device. */
void lac_vorticity_mark(LacVorticitySolver *solver, LacVorticityOperation operation, gsize n);

/* Enclose an operation on @n members. */
static inline void
lac_vorticity_begin(LacVorticitySolver *solver, LacVorticityOperation operation, gsize n)
{
  if (solver->step)
    lac_vorticity_mark(solver, operation, n);
}

/* Adds the time since the worker's last mark to @operation. */
static inline void
lac_vorticity_end(LacVorticityWorker *worker, LacVorticityOperation operation)
{
  if (worker->timed) {
    const guint64 now = lac_clock_ticks();

    worker->ticks[operation] += now - worker->mark;
    worker->mark = now;
  }
}

/* Runs @func over all groups of members; the first failing status becomes the error. */
gboolean lac_vorticity_over_groups(LacVorticitySolver *solver, LacPoolFunc func, GError **error);
