/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private state and helpers of the wavefunction. */
#pragma once

#include "base/memory-part.h"
#include "experiment/quantum/wavefunction/device.h"
#include "experiment/quantum/wavefunction/kernels/kernels.h"

G_BEGIN_DECLS

typedef enum {
  LAC_WAVEFUNCTION_VALUE,
  LAC_WAVEFUNCTION_LOCAL,
  LAC_WAVEFUNCTION_MOVE,
  LAC_WAVEFUNCTION_TAPE,
  LAC_WAVEFUNCTION_GRADIENT,
  LAC_WAVEFUNCTION_APPLY,
  LAC_WAVEFUNCTION_GRAM,
  LAC_WAVEFUNCTION_SOLVE,
  LAC_WAVEFUNCTION_FACTORS,
  LAC_WAVEFUNCTION_ORBITALS,
  LAC_WAVEFUNCTION_N_OPERATIONS
} LacWavefunctionOperation;

struct _LacWavefunction {
  LacMemoryClaim            claim, tape_claim;
  LacMolecule              *molecule;
  LacAnsatz                 ansatz;
  guint                     without; /* LacWavefunctionWithout */
  LacPool                  *pool;    /* (nullable), borrowed: NULL: the calling thread only */
  guint                     n_workers;
  const LacElectronKernels *kernels;
  LacElectronShape          shape;
  LacElectronPlan           plan;
  double (*nuclei)[3];
  LacParameterBlock blocks[LAC_ELECTRON_MAX_BLOCKS];
  gsize             n_blocks;

  double  *theta;   /* [P]: the parameters packed in @weights */
  void    *weights; /* packed theta; @vector: the packed vector that O is applied to */
  void    *vector;
  gboolean is_packed,
    turned;            /* weights are packed for the forward pass; also for the backward pass */
  gboolean is_sent;    /* theta is on the device */
  char    *work;       /* [n_workers], work_bytes apart */
  gsize    work_bytes; /* a multiple of 64 */
  char    *tape;       /* [n_groups], tape_bytes apart */
  gsize    tape_bytes;
  gsize    tape_room; /* capacity, in groups */
  gsize    n_taped;   /* number of walkers on the tape */

  LacWavefunctionDevice *device; /* (nullable): NULL: CPU */
  const char            *device_name;
  gboolean derivatives_here; /* compute parameter derivatives on the CPU even if @device is set */

  LacPerf *perf; /* borrowed, nullable */
  LacLane *lane;
  guint32  names[LAC_WAVEFUNCTION_N_OPERATIONS];
};

/* Returns zeroed, 64-byte aligned memory. */
void *lac_wavefunction_alloc(gsize n_bytes);

/* Calls @func for items 0 ... n-1 on the pool. */
void lac_wavefunction_run(LacWavefunction *self, gsize n, LacPoolFunc func, gpointer user_data);

/* Pack @theta for the CPU (take) and copy it to the device (send), unless it is there already. */
void lac_wavefunction_take_theta(LacWavefunction *self, const double *theta);
void lac_wavefunction_send_theta(LacWavefunction *self, const double *theta);

/* Marks theta on the device as changed. */
void lac_wavefunction_forget_theta(LacWavefunction *self);

/* Packs the theta of lac_wavefunction_take_theta() for the backward pass. */
void lac_wavefunction_turn_theta(LacWavefunction *self);

void *lac_wavefunction_get_work(LacWavefunction *self, guint worker);

/* Begins the span of one operation; its flops count all walkers. */
LacSpan lac_wavefunction_begin(LacWavefunction *self, LacWavefunctionOperation operation);
void    lac_wavefunction_end(LacWavefunction *self, LacSpan span, double flops);

static inline gsize
lac_wavefunction_n_groups(const LacWavefunction *self, gsize n_walkers)
{
  return (n_walkers + self->kernels->n_lanes - 1) / self->kernels->n_lanes;
}

G_END_DECLS
