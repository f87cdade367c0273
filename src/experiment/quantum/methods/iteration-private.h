/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private state of an iteration on a device. */
#pragma once

#include "backend/readback.h"
#include "experiment/quantum/methods/iteration.h"
#include "experiment/quantum/wavefunction/device-private.h"

G_BEGIN_DECLS

/* Offsets into the device memory of an iteration, in doubles. */
typedef struct {
  gsize theta_before, theta_sum, memory,
    memory_before;                             /* state of the optimisation, besides theta */
  gsize walkers, positions, log_abs, gradient; /* gradient: for Langevin moves only; 0: none */
  gsize reported, energies, shown;             /* data read back, contiguous */
  gsize clipped, sorted, right, charges, tunables, numbers, length, info;
  gsize step, part; /* [P] */
  gsize n;
} LacIterationLayout;

/* Parts of an iteration. SPRING's linear solve cannot be captured as a graph; the parts before and after it can. Adam
 * needs only the first. */
typedef enum {
  LAC_ITERATION_BEFORE,
  LAC_ITERATION_SOLVE,
  LAC_ITERATION_AFTER,
  LAC_ITERATION_PARTS
} LacIterationPart;

struct _LacIteration {
  LacIterationSettings   settings;
  LacWavefunctionDevice *on;
  LacIterationLayout     at;
  gsize n_params, n_coordinates; /* number of parameters; number of coordinates of all walkers */
  LacDeviceRoom room;
  double       *numbers;      /* device memory within @room, addressed by the offsets of @at */
  gboolean is_warm, is_plain; /* is_warm: has run once; is_plain: cannot be captured as a graph */
  void    *recordings
    [LAC_ITERATION_PARTS]; /* captured graph of each part; NULL: the part is launched kernel by kernel */
  guint64      n_grown; /* value of on->n_grown when @recordings were captured */
  LacReadback *readback;
  LacPending   sent[LAC_ITERATION_MOST_OPEN];
  guint64      n_asked;
};

/* Returns a batch of all walkers at their current positions. */
static inline LacElectronBatch
lac_iteration_batch(const LacIteration *self)
{
  LacElectronBatch batch = lac_wavefunction_device_batch(self->on, self->settings.n_walkers);

  batch.positions = self->numbers + self->at.positions;
  return batch;
}

/* Returns the number of walkers whose derivatives are held in memory at once. */
static inline gsize
lac_iteration_at_once(const LacIteration *self)
{
  const gsize n = self->settings.n_walkers;

  return self->settings.at_once > 0 ? MIN(self->settings.at_once, n) : n;
}

static inline gboolean
lac_iteration_drifts(const LacIteration *self)
{
  return self->settings.moves.proposal == LAC_PROPOSAL_LANGEVIN;
}

/* Launches the kernels of one part of an iteration. */
LacStatus lac_iteration_call(LacIteration *self, LacIterationPart part);
gboolean  lac_iteration_has_part(const LacIteration *self, LacIterationPart part);

G_END_DECLS
