/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Local energy of a walker: the Coulomb potential, to be added to the kinetic energy of psi; and the clipping of
 * energies for the gradient. Hartree and bohr. Any thread. */
#pragma once

#include "field/molecule.h"

#include <glib.h>

G_BEGIN_DECLS

/* Computes the potential of one walker at @positions, [n_electrons][3]: -sum Z/r over electrons and nuclei, and sum
 * 1/r over pairs of electrons. */
void lac_local_energy_potential(const LacMolecule *molecule,
                                const double      *positions,
                                double            *attraction,
                                double            *repulsion);

/* Computes smooth estimators of the same two terms from the gradient of log |psi|, [N][3]: 1 / r is half the
 * Laplacian of r, and the mean of 1 / r over psi^2 is minus the mean slope of log |psi| along r. The estimators have
 * the same means as the terms for any psi and are bounded where particles meet; for an exact exponential psi they
 * are constant.
 * Source: R. Assaraf and M. Caffarel, Phys. Rev. Lett. 83, 4682 (1999). */
void lac_local_energy_smooth(const LacMolecule *molecule,
                             const double      *positions,
                             const double      *gradient,
                             double            *attraction,
                             double            *repulsion);

/* Statistics of a batch of energies. Walkers with a non-finite energy do not count. */
typedef struct {
  gsize  n_good;
  double mean, variance; /* without clipping */
  double median;
  double deviation; /* mean distance of the energies from the median */
  gsize  n_clipped;
} LacEnergyBatch;

/* Fills @clipped, [n]: energies clipped to within @width mean distances of the median, then centred by subtracting
 * their mean; 0 for walkers without an energy. @scratch: [n]. Source: Spencer et al. (2020), arXiv 2011.07125. */
LacEnergyBatch lac_local_energy_clip(const double *energies,
                                     gsize         n,
                                     double        width,
                                     double       *clipped,
                                     double       *scratch);

/* Returns the median of @values, [n], n > 0; for even n the mean of the two middle values. Reorders @values. */
double lac_local_energy_median(double *values, gsize n);

/* Returns the @k-th smallest of @values, [n], counted from 0. Reorders @values. */
double lac_local_energy_nth(double *values, gsize n, gsize k);

G_END_DECLS
