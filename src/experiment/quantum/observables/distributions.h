/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running distributions over the walk: distances of electrons from the nuclei of each element, and local energies.
 * Bohr and hartree. One thread. */
#pragma once

#include "base/packing.h"
#include "experiment/quantum/observables/pair-correlation.h"
#include "field/frame.h"
#include "field/molecule.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double reach;     /* maximum distance from a nucleus, bohr */
  double low, high; /* outer edges of the energy axis, hartree */
  double
    clip; /* outlier threshold: distance of a walker's energy from the median, in units of the mean distance from the median */
} LacDistributionSettings;

/* Returns axes and clipping for a molecule. @middle: the reference energy, or the energy of the initial psi. */
LacDistributionSettings
lac_distribution_settings(const LacMolecule *molecule, double middle, double clip, double margin);

typedef struct _LacDistributions LacDistributions;

LacDistributions *lac_distributions_new(const LacMolecule             *molecule,
                                        const LacDistributionSettings *settings,
                                        gsize                          n_walkers);
void              lac_distributions_free(LacDistributions *distributions);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDistributions, lac_distributions_free)

/* Scales all counts so far by @share. */
void lac_distributions_fade(LacDistributions *distributions, double share);
/* Counts the electrons of the walkers. @positions: [@n][N][3] */
void lac_distributions_look(LacDistributions *distributions, const double *positions, gsize n);
/* Counts local energies. @energies: [n], n at most the number of walkers of lac_distributions_new(); non-finite
 * values do not count. */
void
lac_distributions_add_energies(LacDistributions *distributions, const double *energies, gsize n);

enum {
  LAC_DISTRIBUTION_RADII = 80,
  LAC_DISTRIBUTION_ENERGIES = 120,
  LAC_DISTRIBUTION_DISTANCES = 120
};

/* Lists the charges of the elements, without repetition, in the order of the nuclei. Returns: their number. */
guint lac_distribution_elements(const LacMolecule *molecule, guint elements[LAC_N_ELEMENTS]);

/* Fills one row per element with D(r) = 4 pi r^2 rho(r), electrons per bohr, averaged over its nuclei; then as many
 * rows with the standard errors, computed as if all samples were independent. [2 n_elements][LAC_DISTRIBUTION_RADII] */
void lac_distributions_fill_radial(const LacDistributions *distributions, LacPlane *plane);

/* Fills two rows: the distribution of the energies without outliers, 1/Ha, and that of the outliers alone. Values
 * beyond the axis count in its end bins. [2][LAC_DISTRIBUTION_ENERGIES] */
void lac_distributions_fill_energies(const LacDistributions *distributions, LacPlane *plane);

/* Shells of pair distances: maximum distance in bohr, and number of shells. */
#define LAC_PAIR_REACH 6.0
#define LAC_PAIR_BINS  240

/* Returns the number of value rows: one for pairs of like spin, if there are any; two for pairs of unlike spin, the
 * second with the exact cusp near contact. 0 for a single electron. */
gsize lac_distribution_pair_rows(const LacMolecule *molecule);

/* Fills the pair densities, 1/bohr^3, normalised to one pair; then as many rows with the standard errors, computed
 * as if all samples were independent. @pairs: with LAC_PAIR_BINS shells. [2 n_rows][LAC_DISTRIBUTION_DISTANCES] */
void lac_distribution_fill_pairs(const LacPairCorrelation *pairs,
                                 const LacMolecule        *molecule,
                                 LacPlane                 *plane);

/* Packs the complete state. */
void lac_distributions_pack(gpointer distributions, LacPacking *packing);

G_END_DECLS
