/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private state of an iteration. */
#pragma once

#include "backend/device-log.h"
#include "backend/readback.h"
#include "backend/recorded-step.h"
#include "experiment/quantum/methods/iteration.h"
#include "experiment/quantum/wavefunction/device-private.h"
#include "experiment/quantum/wavefunction/wavefunction-private.h"

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

/* Parts of an iteration. SPRING's linear solve and a step in host memory cannot be captured as a graph; the parts before
 * and after them can. Adam needs only the first. */
typedef enum {
  LAC_ITERATION_BEFORE,
  LAC_ITERATION_BETWEEN,
  LAC_ITERATION_AFTER,
  LAC_ITERATION_PARTS
} LacIterationPart;

/* Spans of an iteration; the last three are within LAC_ITERATION_IMPROVE. */
typedef enum {
  LAC_ITERATION_NO_SPAN,
  LAC_ITERATION_MOVE,
  LAC_ITERATION_ENERGY,
  LAC_ITERATION_IMPROVE,
  LAC_ITERATION_GRAM,
  LAC_ITERATION_SOLVE,
  LAC_ITERATION_PULL,
  LAC_ITERATION_N_SPANS
} LacIterationSpan;

typedef struct {
  LacPerf         *perf; /* (nullable): NULL: nothing is recorded */
  LacLane         *lane; /* (nullable): NULL: the device computes beside the host */
  guint32          names[LAC_ITERATION_N_SPANS];
  guint32          of_device[LAC_ITERATION_N_SPANS]; /* names in the times of the device */
  guint32          psi_of_device[LAC_WAVEFUNCTION_N_OPERATIONS];
  LacIterationSpan span;         /* that is entered */
  LacIterationSpan outer, inner; /* which are open */
  LacSpan          open[2];      /* those two */
} LacIterationSpans;

/* Host memory of a step there. */
typedef struct {
  double *theta;     /* [P] */
  double *memory;    /* [n_memory] */
  double *clipped;   /* [n_walkers] */
  double *positions; /* [n_coordinates] */
} LacIterationHost;

struct _LacIteration {
  LacIterationSettings   settings;
  LacWavefunctionDevice *on;
  LacIterationLayout     at;
  gsize n_params, n_coordinates; /* number of parameters; number of coordinates of all walkers */
  LacDeviceRoom     room;
  double           *numbers; /* device memory within @room, addressed by the offsets of @at */
  LacRecordedStep  *steps[LAC_ITERATION_PARTS]; /* NULL: not yet run, or no such part */
  LacRecordedStep  *running;                    /* (nullable) */
  guint64           n_grown;                    /* value of on->n_grown when @steps were recorded */
  LacReadback      *readback; /* (nullable): NULL where device memory is the host's */
  LacPending        sent[LAC_ITERATION_MOST_OPEN];
  guint64           n_asked;
  LacIterationHost  host;
  LacMethodTunables tunables; /* of the current iteration */
  LacIterationSpans spans;
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

/* Copies @n numbers to device memory; does nothing after a failure, which is kept. */
static inline void
lac_iteration_send(LacIteration *self, gpointer to, const double *from, gsize n)
{
  const LacDevice *device = &self->on->device;

  if (self->on->status == LAC_STATUS_OK)
    self->on->status = lac_device_upload(*device, to, from, n * sizeof *from);
}

/* The same, from device memory. */
static inline void
lac_iteration_fetch(LacIteration *self, gconstpointer from, double *to, gsize n)
{
  const LacDevice *device = &self->on->device;

  if (self->on->status == LAC_STATUS_OK)
    self->on->status = lac_device_download(*device, to, from, n * sizeof *to);
}

/* Ends open spans and begins @span, unless it is open. */
void lac_iteration_enter_span(LacIteration *self, LacIterationSpan span);
/* Names the span in the times of the device. */
void lac_iteration_mark(LacIteration *self);

/* Launches the kernels of one part of an iteration. */
LacStatus lac_iteration_call(LacIteration *self, LacIterationPart part);
gboolean  lac_iteration_has_part(const LacIteration *self, LacIterationPart part);

G_END_DECLS
