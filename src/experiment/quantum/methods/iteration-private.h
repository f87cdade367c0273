/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of an iteration on a device share. */
#pragma once

#include "experiment/quantum/methods/iteration.h"
#include "experiment/quantum/wavefunction/device-private.h"

G_BEGIN_DECLS

/* Where the numbers of an iteration lie, in doubles. */
typedef struct {
  gsize theta_before, theta_sum, memory, memory_before; /* what is gone on from, with theta */
  gsize walkers, positions, log_abs, gradient; /* gradient: of Langevin moves; 0: there is none */
  gsize reported, energies, shown;             /* what is sent, one after the other */
  gsize clipped, sorted, right, charges, tunables, numbers, length, info;
  gsize step, part; /* [P] */
  gsize n;
} LacIterationLayout;

/* The solution of SPRING's equation cannot be recorded, what comes before and after it can; Adam's iteration is the first part. */
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
  gsize                  n_params, n_coordinates; /* n_coordinates: of all walkers */
  LacDeviceRoom          room;
  double                *numbers;                         /* the room's */
  gboolean               is_warm, is_plain;               /* it has run; it cannot be recorded */
  void                  *recordings[LAC_ITERATION_PARTS]; /* NULL: of a part that is called */
  guint64                n_grown; /* of the wavefunction's memory, when it was recorded */
  void                  *stagings[LAC_ITERATION_MOST_OPEN];
  guint64                tickets[LAC_ITERATION_MOST_OPEN];
  guint64                n_asked, n_reported;
};

/* All walkers where they are. */
static inline LacElectronBatch
lac_iteration_batch(const LacIteration *self)
{
  LacElectronBatch batch = lac_wavefunction_device_batch(self->on, self->settings.n_walkers);

  batch.positions = self->numbers + self->at.positions;
  return batch;
}

/* Walkers whose derivatives are held at once. */
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

/* Asks for the kernels of one part of an iteration, one after the other. */
LacStatus lac_iteration_call(LacIteration *self, LacIterationPart part);
gboolean  lac_iteration_has_part(const LacIteration *self, LacIterationPart part);

G_END_DECLS
