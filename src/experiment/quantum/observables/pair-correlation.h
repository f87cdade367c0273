/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How electrons keep apart: the distances of pairs of like and of unlike spin. Bohr. One thread. */
#pragma once

#include "field/molecule.h"

G_BEGIN_DECLS

typedef enum { LAC_PAIR_LIKE, LAC_PAIR_UNLIKE, LAC_N_PAIR_KINDS } LacPairKind;

typedef struct _LacPairCorrelation LacPairCorrelation;

/* @n_bins shells of equal width out to the distance @reach. */
LacPairCorrelation      *
lac_pair_correlation_new(const LacMolecule *molecule, double reach, gsize n_bins);
void lac_pair_correlation_free(LacPairCorrelation *pairs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPairCorrelation, lac_pair_correlation_free)

/* @positions: [@n_walkers][N][3]. The same to the bit however walkers are shared out among calls. */
void lac_pair_correlation_add(LacPairCorrelation *pairs, const double *positions, gsize n_walkers);

/* What was counted before counts @share as much from now on; 0: it is forgotten. */
void lac_pair_correlation_fade(LacPairCorrelation *pairs, double share);

/* Pairs of a walker that lay further apart than the reach. */
double lac_pair_correlation_get_outside(const LacPairCorrelation *pairs, LacPairKind kind);

/* The density of the other electron of a pair at each distance, 1/bohr^3, one pair in all of space; 0 where there is no such pair.
 * @values: [n_bins]; nullable @errors, as if all samples were independent. */
void lac_pair_correlation_fill(const LacPairCorrelation *pairs,
                               LacPairKind               kind,
                               double                   *values,
                               double                   *errors);

/* All of it as one row of numbers. */
gsize lac_pair_correlation_get_state_length(const LacPairCorrelation *pairs);
void  lac_pair_correlation_save(const LacPairCorrelation *pairs, double *state);
void  lac_pair_correlation_load(LacPairCorrelation *pairs, const double *state);

G_END_DECLS
