/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves over a walk that goes on: how far electrons are from the nuclei of each element, and how the local energies spread. Bohr and
 * hartree. One thread. */
#pragma once

#include "experiment/quantum/observables/pair-correlation.h"
#include "field/frame.h"
#include "field/molecule.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double reach;     /* bohr: of the distances from nuclei */
  double low, high; /* hartree: edges of the outermost bins of energies */
  double
    clip; /* a walker whose energy is more mean deviations than this off the median is an outlier */
} LacDistributionSettings;

/* What a molecule's walkers are looked at with; @middle: the energy that is known, or where a first psi stands. */
LacDistributionSettings
lac_distribution_settings(const LacMolecule *molecule, double middle, double clip, double margin);

typedef struct _LacDistributions LacDistributions;

LacDistributions *lac_distributions_new(const LacMolecule             *molecule,
                                        const LacDistributionSettings *settings,
                                        gsize                          n_walkers);
void              lac_distributions_free(LacDistributions *distributions);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDistributions, lac_distributions_free)

/* What was seen before counts @share as much from now on. */
void lac_distributions_fade(LacDistributions *distributions, double share);
/* @positions: [@n][N][3] */
void lac_distributions_look(LacDistributions *distributions, const double *positions, gsize n);
/* @energies: [n], at most the walkers of lac_distributions_new(); what is no number does not count. */
void
lac_distributions_add_energies(LacDistributions *distributions, const double *energies, gsize n);

enum {
  LAC_DISTRIBUTION_RADII = 80,
  LAC_DISTRIBUTION_ENERGIES = 120,
  LAC_DISTRIBUTION_DISTANCES = 120
};

/* Around which elements: charges without repetition, in the order of the nuclei. Returns: how many. */
guint lac_distribution_elements(const LacMolecule *molecule, guint elements[LAC_N_ELEMENTS]);

/* A row an element: D(r) = 4 pi r^2 rho(r), electrons a bohr, mean over its nuclei; then their errors, as if all samples were
 * independent. [2 n_elements][LAC_DISTRIBUTION_RADII] */
void lac_distributions_fill_radial(const LacDistributions *distributions, LacPlane *plane);

/* Two rows: the share of the walkers an energy, 1/Ha, without the outliers, and of the outliers; those beyond the axis stand at its
 * ends. [2][LAC_DISTRIBUTION_ENERGIES] */
void lac_distributions_fill_energies(const LacDistributions *distributions, LacPlane *plane);

/* Shells of the distances of pairs, bohr. */
#define LAC_PAIR_REACH 6.0
#define LAC_PAIR_BINS  240

/* Rows of values: of pairs of like spin and of unlike spin, where there are such; then of unlike spin near contact with the exact
 * cusp. 0: there is one electron alone. */
gsize lac_distribution_pair_rows(const LacMolecule *molecule);

/* 1/bohr^3 for one pair; then their errors, as if all samples were independent. @pairs: of LAC_PAIR_BINS shells;
 * [2 n_rows][LAC_DISTRIBUTION_DISTANCES] */
void lac_distribution_fill_pairs(const LacPairCorrelation *pairs,
                                 const LacMolecule        *molecule,
                                 LacPlane                 *plane);

gsize lac_distributions_get_state_length(const LacDistributions *distributions);
void  lac_distributions_save(const LacDistributions *distributions, double *state);
void  lac_distributions_load(LacDistributions *distributions, const double *state);

G_END_DECLS
