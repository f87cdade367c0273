/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cusp where two electrons of unlike spin meet, from the slope of log |psi| along the line between them. Bohr. One thread. */
#pragma once

#include "experiment/quantum/observables/observables.h"

G_BEGIN_DECLS

typedef struct _LacPairCusp LacPairCusp;

/* @range: pairs that are nearer count, twice to sixteen times as far ones where those are too few; @n_steps: batches at most. */
LacPairCusp *lac_pair_cusp_new(const LacMolecule *molecule, double range, gsize n_steps);
void         lac_pair_cusp_free(LacPairCusp *cusp);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPairCusp, lac_pair_cusp_free)

/* One batch: @positions and @gradients of log |psi|, [@n_walkers][N][3]. What is no number does not count. Does not allocate. */
void lac_pair_cusp_add(LacPairCusp  *cusp,
                       const double *positions,
                       const double *gradients,
                       gsize         n_walkers);

/* Kato's cusp: d log h / dr at r = 0 where h is the density of pairs of unlike spin at the distance r, averaged over directions; 1
 * for an exact psi. At every distance it is the mean of (grad_i - grad_j) log |psi| along r_i - r_j; a parabola through it,
 * weighted by 1 / r, is followed to r = 0. The error by blocking. Returns: NaN where hardly any pair came within the widest range.
 * Source: T. Kato, Commun. Pure Appl. Math. 10, 151 (1957). */
LacObserved lac_pair_cusp_find(LacPairCusp *cusp);

/* All of it as one row of numbers. */
gsize lac_pair_cusp_get_state_length(const LacPairCusp *cusp);
void  lac_pair_cusp_save(const LacPairCusp *cusp, double *state);
void  lac_pair_cusp_load(LacPairCusp *cusp, const double *state);

G_END_DECLS
