/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sizes of a wavefunction and where its numbers lie: in theta, in the packed weights, in a work area and on the tape. */
#pragma once

#include "backend/electrons.h"
#include "experiment/quantum/wavefunction/wavefunction.h"

G_BEGIN_DECLS

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
