/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A whole iteration of an optimisation on a device: moves, energies, clipped gradient, the step of the optimiser and psi anew at the
 * walkers, recorded once and replayed. What it says of itself comes back later, and nothing waits until then. One thread. */
#pragma once

#include "experiment/quantum/methods/energy-method.h"

G_BEGIN_DECLS

/* Iterations that may have been asked for and not been told. */
#define LAC_ITERATION_MOST_OPEN 8

typedef struct {
  LacWavefunction *wave;      /* on a device */
  gsize            n_walkers; /* all of them */
  gsize            at_once;   /* whose derivatives are held at once, of adam; 0: all */
  LacElectronMoves moves;     /* of an iteration; its arrays are not read */
  double           gain;     /* of the width of the moves, towards the acceptance that mixes best */
  double           clip;     /* mean distances from the median */
  double           most_bad; /* walkers without an energy; with more the last step is taken back */
  gsize            n_memory; /* of the method's state */
  LacDeviceUpdate  update;
} LacIterationSettings;

typedef struct _LacIteration LacIteration;

/* Returns: NULL with a sentence where the device has no room. */
LacIteration *lac_iteration_new(const LacIterationSettings *settings, GError **error);
void          lac_iteration_free(LacIteration *iteration);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacIteration, lac_iteration_free)

/* What an optimisation goes on from, in memory of the host. */
typedef struct {
  double *theta, *theta_before, *theta_sum; /* [P] */
  double *memory, *memory_before;           /* [n_memory]: as the method's save() writes it */
  double *walkers;                          /* as lac_sampler_save() writes them */
} LacIterationState;

/* From here on the device goes on by itself; what was on its way is forgotten. */
void lac_iteration_enter(LacIteration *iteration, const LacIterationState *state, double restored);
/* How far it is; waits. It may go on after that. */
void lac_iteration_leave(LacIteration *iteration, const LacIterationState *state);

/* Asks for an iteration; fewer than LAC_ITERATION_MOST_OPEN are open. @summed: theta joins theta_sum afterwards. Does not wait; takes
 * and records nothing from the third one on. */
void
lac_iteration_enqueue(LacIteration *iteration, const LacMethodTunables *tunables, gboolean summed);

/* What the oldest open iteration says of itself; the arrays are good until the next one is asked for. */
typedef struct {
  double        reported[LAC_N_REPORTED];
  const double *energies;  /* [n_walkers] */
  const double *positions; /* [n_walkers][N][3]: before walkers without an energy begin anew */
} LacIterationReport;

/* Waits where it is not there yet. Returns: FALSE where the device has failed: lac_wavefunction_check_device() says how. */
gboolean lac_iteration_collect(LacIteration *iteration, LacIterationReport *report);
/* Whether it need not wait. */
gboolean lac_iteration_is_here(const LacIteration *iteration);

/* Bytes that a device holds at most for @settings: psi, walkers and the areas of its kernels; and @by_itself, where it takes whole
 * iterations, the derivatives of the walkers and for SPRING their Gram matrix. The wave may be of the processor. */
guint64 lac_iteration_estimate(const LacIterationSettings *settings, gboolean by_itself);

G_END_DECLS
