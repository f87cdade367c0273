/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sizes of a wavefunction and where its numbers lie: in theta, in the packed weights, in a work area and on the tape. */
#pragma once

#include "experiment/quantum/wavefunction.h"

G_BEGIN_DECLS

enum { LAC_N_SPINS = 2 };

/* What theta is made of. `inputs`: of h_j, the means of h, the means of pairs, in this order. */
typedef struct {
  gsize n_electrons, n_nuclei, n_layers, n_determinants;
  gsize n_channels; /* spins that have electrons */
  gsize first[LAC_N_SPINS], n[LAC_N_SPINS];
  gsize n_orbitals[LAC_N_SPINS], n_columns[LAC_N_SPINS]; /* n_columns: K n_orbitals */
  gsize most_columns; /* the larger of the n_columns: the stride of a row of orbitals */
  gsize one[LAC_ANSATZ_MAX_LAYERS + 1], pair[LAC_ANSATZ_MAX_LAYERS + 1]; /* widths before layer l */
  gsize layer[LAC_ANSATZ_MAX_LAYERS], pairs[LAC_ANSATZ_MAX_LAYERS];      /* offsets in theta */
  gsize orbital[LAC_N_SPINS], amplitude[LAC_N_SPINS], decay[LAC_N_SPINS];
  gsize alpha; /* of the Jastrow factor: parallel, antiparallel */
  gsize n_params;
  LacAnsatz ansatz;
  const double (*nuclei)[3];
} LacElectronShape;

/* The caller owns @nuclei: [n_nuclei][3]. */
void lac_electron_shape_init(LacElectronShape  *shape,
                             const LacMolecule *molecule,
                             const LacAnsatz   *ansatz,
                             const double (*nuclei)[3]);

gsize lac_electron_shape_get_n_inputs(const LacElectronShape *shape, gsize layer);
gsize lac_electron_shape_spin_of(const LacElectronShape *shape, gsize electron);

/* At most LAC_ELECTRON_MAX_BLOCKS. Returns: how many. */
#define LAC_ELECTRON_MAX_BLOCKS (2 * LAC_ANSATZ_MAX_LAYERS + 3 * LAC_N_SPINS + 1)
gsize lac_electron_shape_get_blocks(const LacElectronShape *shape, LacParameterBlock *blocks);

G_END_DECLS
