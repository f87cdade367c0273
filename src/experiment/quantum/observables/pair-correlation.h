/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distances of electron pairs of like and unlike spin. Bohr. One thread. */
#pragma once

#include "field/molecule.h"

G_BEGIN_DECLS

typedef enum { LAC_PAIR_LIKE, LAC_PAIR_UNLIKE, LAC_N_PAIR_KINDS } LacPairKind;

typedef struct _LacPairCorrelation LacPairCorrelation;

/* Creates @n_bins shells of equal width up to the distance @reach. */
LacPairCorrelation      *
lac_pair_correlation_new(const LacMolecule *molecule, double reach, gsize n_bins);
void lac_pair_correlation_free(LacPairCorrelation *pairs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPairCorrelation, lac_pair_correlation_free)

/* @positions: [@n_walkers][N][3]. The result is bitwise independent of how walkers are split among calls. */
void lac_pair_correlation_add(LacPairCorrelation *pairs, const double *positions, gsize n_walkers);

/* Scales everything counted so far by @share; 0: clears it. */
void lac_pair_correlation_fade(LacPairCorrelation *pairs, double share);

/* Returns the pairs per walker farther apart than the reach. */
double lac_pair_correlation_get_outside(const LacPairCorrelation *pairs, LacPairKind kind);

/* Fills the density of the other electron of a pair against distance, 1/bohr^3, for one pair in infinite space; 0
 * without such a pair.
 * @values: [n_bins]; nullable @errors, as if all samples were independent. */
void lac_pair_correlation_fill(const LacPairCorrelation *pairs,
                               LacPairKind               kind,
                               double                   *values,
                               double                   *errors);

/* Saves and loads the complete state as one array of doubles. */
gsize lac_pair_correlation_get_state_length(const LacPairCorrelation *pairs);
void  lac_pair_correlation_save(const LacPairCorrelation *pairs, double *state);
void  lac_pair_correlation_load(LacPairCorrelation *pairs, const double *state);

G_END_DECLS
