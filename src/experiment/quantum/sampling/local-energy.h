/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The energy of a walker: bare Coulomb potential beside the kinetic part of psi; and what of it goes into the gradient.
 * Hartree and bohr. Any thread. */
#pragma once

#include "field/molecule.h"

#include <glib.h>

G_BEGIN_DECLS

/* Of one walker at @positions, [n_electrons][3]: -sum Z/r to the nuclei (negative), and sum 1/r between electrons. */
void lac_local_energy_potential(const LacMolecule *molecule,
                                const double      *positions,
                                double            *attraction,
                                double            *repulsion);

/* The same two by the gradient of log |psi|, [N][3]: 1 / r is half the Laplacian of r, and over psi^2 the mean of that is minus the mean of
 * the slope of log |psi| along r. Of the same mean for any psi, bounded where particles meet; of an exact exponential
 * psi it is a constant. Source: R. Assaraf and M. Caffarel, Phys. Rev. Lett. 83, 4682 (1999). */
void lac_local_energy_smooth(const LacMolecule *molecule,
                             const double      *positions,
                             const double      *gradient,
                             double            *attraction,
                             double            *repulsion);

/* What a batch of energies says. Walkers whose energy is no number do not count. */
typedef struct {
  gsize  n_good;
  double mean, variance; /* as they are, nothing cut off */
  double median;
  double deviation; /* mean distance from the median */
  gsize  n_clipped;
} LacEnergyBatch;

/* Fills @clipped, [n], with energies that are cut off @width mean distances from the median, less their mean; 0 for walkers
 * without an energy. @scratch: [n]. Source: Spencer et al. (2020), arXiv 2011.07125. */
LacEnergyBatch lac_local_energy_clip(const double *energies,
                                     gsize         n,
                                     double        width,
                                     double       *clipped,
                                     double       *scratch);

/* The middle one of @values, [n], n > 0, of an even number the mean of the two; their order is lost. */
double lac_local_energy_median(double *values, gsize n);

/* The @k-th smallest of @values, [n], counted from 0; their order is lost. */
double lac_local_energy_nth(double *values, gsize n, gsize k);

G_END_DECLS
