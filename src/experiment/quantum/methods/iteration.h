/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A whole optimisation iteration on the device of the wavefunction: moves, energies, clipped gradient, optimiser step and
 * psi at the walkers. Where the device can, it is captured once and replayed, and its report is read back asynchronously.
 * One thread. */
#pragma once

#include "experiment/quantum/methods/energy-method.h"

G_BEGIN_DECLS

/* Maximum number of iterations in flight. */
#define LAC_ITERATION_MOST_OPEN 8

typedef struct {
  LacWavefunction *wave;
  gsize            n_walkers; /* all walkers */
  gsize
    at_once; /* number of walkers whose derivatives are held in memory at once, for Adam; 0: all */
  LacElectronMoves moves; /* moves per iteration; the arrays of the struct are not read */
  double           gain;  /* gain with which the move width is adapted to the target acceptance */
  double           clip;  /* clipping width, in units of the mean distance from the median */
  double
    most_bad; /* maximum number of walkers without an energy; beyond it the last step is undone */
  gsize                  n_memory; /* length of the method's state */
  LacUpdate              update;
  const LacEnergyMethod *method; /* this and the member below: LAC_UPDATE_HOST only, else NULL */
  gpointer               method_self;
} LacIterationSettings;

typedef struct _LacIteration LacIteration;

/* Returns: NULL with an error if the device is out of memory. */
LacIteration *lac_iteration_new(const LacIterationSettings *settings, GError **error);
void          lac_iteration_free(LacIteration *iteration);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacIteration, lac_iteration_free)

/* Records a span for each part of an iteration from here on, with its floating-point operations, where the iteration is
 * computed within the call. @perf, @lane: (nullable), borrowed; NULL: nothing is recorded. */
void lac_iteration_record(LacIteration *iteration, LacPerf *perf, LacLane *lane);

/* State that an optimisation resumes from, in host memory. */
typedef struct {
  double *theta, *theta_before, *theta_sum; /* [P] */
  double *memory, *memory_before;           /* [n_memory]: in the format of the method's save() */
  double *walkers;                          /* as lac_sampler_pack() packs them */
} LacIterationState;

/* Copies @state to the device, which continues from it; pending iterations are discarded. */
void lac_iteration_enter(LacIteration *iteration, const LacIterationState *state, double restored);
/* Reads the current state back; waits. The iteration may continue afterwards. */
void lac_iteration_leave(LacIteration *iteration, const LacIterationState *state);

/* Report of an iteration; the arrays are valid until LAC_ITERATION_MOST_OPEN further ones are enqueued. */
typedef struct {
  double        reported[LAC_N_REPORTED];
  const double *energies;  /* [n_walkers] */
  const double *positions; /* [n_walkers][N][3]: before walkers without an energy are reseeded */
} LacIterationReport;

/* Enqueues an iteration; fewer than LAC_ITERATION_MOST_OPEN may be pending. @summed: adds theta to theta_sum afterwards.
 * Waits only for a step in host memory; from the third call on, it allocates and captures nothing. Returns: its
 * LacIterationReport, pending. A failure of the device is kept for lac_wavefunction_check_device(). */
LacPending
lac_iteration_enqueue(LacIteration *iteration, const LacMethodTunables *tunables, gboolean summed);

/* Returns TRUE on a device that computes beside the host; else an iteration is finished when it has been enqueued. */
gboolean lac_iteration_is_asynchronous(const LacIteration *iteration);

/* Returns an upper bound on the device memory needed for @settings: psi, walkers and the work areas of the kernels.
 * With @by_itself the bound includes what whole iterations on the device need: the walkers' derivatives and SPRING's
 * Gram matrix, unless their step is in host memory. The wavefunction itself may be on the CPU. */
guint64 lac_iteration_estimate(const LacIterationSettings *settings, gboolean by_itself);

G_END_DECLS
