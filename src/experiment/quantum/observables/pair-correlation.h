/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distances of electron pairs of like and unlike spin. Bohr. One thread. */
#pragma once

#include "base/packing.h"
#include "field/molecule.h"

G_BEGIN_DECLS

typedef enum { LAC_PAIR_LIKE, LAC_PAIR_UNLIKE, LAC_N_PAIR_KINDS } LacPairKind;

typedef struct _LacPairCorrelation LacPairCorrelation;

/* Creates @n_bins shells of equal width up to the distance @reach. */
LacPairCorrelation      *
lac_pair_correlation_new(const LacMolecule *molecule, double reach, gsize n_bins);
void lac_pair_correlation_free(LacPairCorrelation *pairs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPairCorrelation, lac_pair_correlation_free)

/* Counts the pairs of the walkers. @positions: [@n_walkers][N][3]. The result is bitwise independent of how walkers
 * are split among calls. */
void lac_pair_correlation_add(LacPairCorrelation *pairs, const double *positions, gsize n_walkers);

/* Scales all counts so far by @share; 0 clears them. */
void lac_pair_correlation_fade(LacPairCorrelation *pairs, double share);

/* Returns the mean number of pairs per walker that are farther apart than the outermost shell. */
double lac_pair_correlation_get_outside(const LacPairCorrelation *pairs, LacPairKind kind);

/* Fills the density of the second electron of a pair at each distance from the first, 1/bohr^3, normalised to one
 * pair in infinite space; 0 if there is no such pair. @values: [n_bins]; @errors: (nullable) [n_bins]: standard
 * errors computed as if all samples were independent. */
void lac_pair_correlation_fill(const LacPairCorrelation *pairs,
                               LacPairKind               kind,
                               double                   *values,
                               double                   *errors);

/* Packs the complete state. */
void lac_pair_correlation_pack(gpointer pairs, LacPacking *packing);

G_END_DECLS
