/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the wavefunction share. */
#pragma once

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
  LacMolecule              *molecule;
  LacAnsatz                 ansatz;
  LacPool                  *pool; /* borrowed; NULL: the caller alone */
  guint                     n_workers;
  const LacElectronKernels *kernels;
  LacElectronShape          shape;
  LacElectronPlan           plan;
  double (*nuclei)[3];
  LacParameterBlock blocks[LAC_ELECTRON_MAX_BLOCKS];
  gsize             n_blocks;

  double  *theta;   /* [P]: what is packed */
  void    *weights; /* packed; of theta, and of a vector that O is applied to */
  void    *vector;
  gboolean is_packed, turned; /* the weights, and for the way back too */
  gboolean is_sent;           /* theta is on the device */
  char    *work;              /* [n_workers], work_bytes apart */
  gsize    work_bytes;        /* a multiple of 64 */
  char    *tape;              /* [n_groups], tape_bytes apart */
  gsize    tape_bytes;
  gsize    tape_room; /* groups there is room for */
  gsize    n_taped;   /* walkers on the tape */

  LacWavefunctionDevice *device; /* NULL: the processor */
  const char            *device_name;
  gboolean               derivatives_here; /* those by parameters, though there is a device */

  LacPerf *perf; /* borrowed, nullable */
  LacLane *lane;
  guint32  names[LAC_WAVEFUNCTION_N_OPERATIONS];
};

/* 64-byte aligned and zero. */
void *lac_wavefunction_alloc(gsize n_bytes);

/* Calls @func for items 0 ... n-1 on the pool. */
void lac_wavefunction_run(LacWavefunction *self, gsize n, LacPoolFunc func, gpointer user_data);

/* Packs @theta for the processor, or sends it to the device, where that has not been done. */
void lac_wavefunction_take_theta(LacWavefunction *self, const double *theta);
void lac_wavefunction_send_theta(LacWavefunction *self, const double *theta);

/* What is on the device was changed there. */
void lac_wavefunction_forget_theta(LacWavefunction *self);

/* Packs for the way back what lac_wavefunction_take_theta() took. */
void lac_wavefunction_turn_theta(LacWavefunction *self);

void *lac_wavefunction_get_work(LacWavefunction *self, guint worker);

/* A span of one operation; flops counts all walkers. */
LacSpan lac_wavefunction_begin(LacWavefunction *self, LacWavefunctionOperation operation);
void    lac_wavefunction_end(LacWavefunction *self, LacSpan span, double flops);

static inline gsize
lac_wavefunction_n_groups(const LacWavefunction *self, gsize n_walkers)
{
  return (n_walkers + self->kernels->n_lanes - 1) / self->kernels->n_lanes;
}

G_END_DECLS
