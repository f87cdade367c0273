/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private state and helpers of the wavefunction. */
#pragma once

#include "experiment/quantum/wavefunction/device.h"

G_BEGIN_DECLS

typedef enum {
  LAC_WAVEFUNCTION_VALUE,
  LAC_WAVEFUNCTION_LOCAL,
  LAC_WAVEFUNCTION_MOVE,
  LAC_WAVEFUNCTION_TAPE,
  LAC_WAVEFUNCTION_GRADIENT,
  LAC_WAVEFUNCTION_APPLY,
  LAC_WAVEFUNCTION_SOLVE,
  LAC_WAVEFUNCTION_GRAM,
  LAC_WAVEFUNCTION_FACTORS,
  LAC_WAVEFUNCTION_ORBITALS,
  LAC_WAVEFUNCTION_N_OPERATIONS
} LacWavefunctionOperation;

struct _LacWavefunction {
  LacMolecule        *molecule;
  LacAnsatz           ansatz;
  LacType             type;
  LacPool            *pool;    /* (nullable), borrowed: NULL: the calling thread only */
  guint               without; /* LacElectronWithout */
  LacElectronShape    shape;
  LacWavefunctionCost cost;
  double (*nuclei)[3];
  LacParameterBlock blocks[LAC_ELECTRON_MAX_BLOCKS];
  gsize             n_blocks;

  LacWavefunctionDevice *walkers, *derivatives; /* where they are computed; mostly the same */

  LacPerf *perf; /* borrowed, nullable */
  LacLane *lane;
  guint32  names[LAC_WAVEFUNCTION_N_OPERATIONS];
};

/* Marks the parameters on the device as changed. */
void lac_wavefunction_forget_theta(LacWavefunction *self);

LacWavefunctionCost lac_wavefunction_count(const LacElectronShape *shape);

/* Returns the floating-point operations of one operation on @n walkers; not for the Kronecker factors. Moves are counted as
 * values, or as local energies where they drift. */
double lac_wavefunction_find_flops(const LacWavefunction   *self,
                                   LacWavefunctionOperation operation,
                                   double                   n);

/* Begins the span of one operation; its flops count all walkers. */
LacSpan lac_wavefunction_begin(LacWavefunction *self, LacWavefunctionOperation operation);
void    lac_wavefunction_end(LacWavefunction *self, LacSpan span, double flops);

G_END_DECLS
