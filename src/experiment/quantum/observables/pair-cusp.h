/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Electron-electron cusp for unlike spins, from the slope of log |psi| along the line between the electrons. Bohr.
 * One thread. */
#pragma once

#include "base/packing.h"
#include "experiment/quantum/observables/observables.h"

G_BEGIN_DECLS

typedef struct _LacPairCusp LacPairCusp;

/* @range: maximum distance of the pairs used; if there are too few, it is widened by a factor of 2 to 16. @n_steps:
 * maximum number of batches. */
LacPairCusp *lac_pair_cusp_new(const LacMolecule *molecule, double range, gsize n_steps);
void         lac_pair_cusp_free(LacPairCusp *cusp);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPairCusp, lac_pair_cusp_free)

/* Adds one batch: @positions and @gradients of log |psi|, [@n_walkers][N][3]. Non-finite values do not count. Does
 * not allocate. */
void lac_pair_cusp_add(LacPairCusp  *cusp,
                       const double *positions,
                       const double *gradients,
                       gsize         n_walkers);

/* Estimates Kato's cusp: d log h / dr at r = 0, where h is the density of pairs of unlike spin at distance r,
 * averaged over directions; 1 for an exact psi. At each distance, d log h / dr is the mean of (grad_i - grad_j) log
 * |psi| along r_i - r_j; a parabola fitted with weights 1 / r extrapolates it to r = 0. The error comes from
 * blocking. Returns: NaN if too few pairs came within the widest range.
 * Source: T. Kato, Commun. Pure Appl. Math. 10, 151 (1957). */
LacObserved lac_pair_cusp_find(LacPairCusp *cusp);

/* Packs the complete state. */
void lac_pair_cusp_pack(gpointer cusp, LacPacking *packing);

G_END_DECLS
