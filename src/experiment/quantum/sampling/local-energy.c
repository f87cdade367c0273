/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Potential energies, and clipping for the gradient. */
#include "experiment/quantum/sampling/local-energy.h"

#include "backend/electron-energy.h"

#include <math.h>
#include <string.h>

void
lac_local_energy_potential(const LacMolecule *molecule,
                           const double      *positions,
                           double            *attraction,
                           double            *repulsion)
{
  double *nuclei = g_newa(double, 3 * molecule->n_nuclei);
  double *charges = g_newa(double, molecule->n_nuclei);

  for (guint a = 0; a < molecule->n_nuclei; a++) {
    memcpy(nuclei + 3 * a, molecule->nuclei[a].position, sizeof molecule->nuclei[a].position);
    charges[a] = (double) molecule->nuclei[a].charge;
  }
  lac_potential(nuclei, charges, molecule->n_nuclei, positions,
                lac_molecule_get_n_electrons(molecule), attraction, repulsion);
}

/* Returns the component of @gradient away from @from. */
static double
slope_away(const double at[3], const double from[3], const double gradient[3])
{
  return ((at[0] - from[0]) * gradient[0] + (at[1] - from[1]) * gradient[1] +
          (at[2] - from[2]) * gradient[2]) /
         lac_between(at, from);
}

void
lac_local_energy_smooth(const LacMolecule *molecule,
                        const double      *positions,
                        const double      *gradient,
                        double            *attraction,
                        double            *repulsion)
{
  const gsize n = lac_molecule_get_n_electrons(molecule);
  double      to_nuclei = 0, among = 0;

  for (gsize i = 0; i < n; i++) {
    const double *here = positions + 3 * i, *slope = gradient + 3 * i;

    for (guint a = 0; a < molecule->n_nuclei; a++)
      to_nuclei +=
        (double) molecule->nuclei[a].charge * slope_away(here, molecule->nuclei[a].position, slope);
    for (gsize j = 0; j < i; j++) {
      const double *there = positions + 3 * j, *slope_there = gradient + 3 * j;

      among -= (slope_away(here, there, slope) + slope_away(there, here, slope_there)) / 2;
    }
  }
  *attraction = to_nuclei;
  *repulsion = among;
}

static void
swap(double *a, double *b)
{
  const double held = *a;

  *a = *b;
  *b = held;
}

/* Moves the @k-th smallest to index k, smaller ones before it. Hoare (1961), algorithm 65. */
double
lac_local_energy_nth(double *values, gsize n, gsize k)
{
  gssize first = 0, last = (gssize) n - 1;

  while (first < last) {
    const double pivot = values[(first + last) / 2];
    gssize       i = first, j = last;

    while (i <= j) {
      while (values[i] < pivot)
        i++;
      while (values[j] > pivot)
        j--;
      if (i <= j)
        swap(&values[i++], &values[j--]);
    }
    if ((gssize) k <= j)
      last = j;
    else if ((gssize) k >= i)
      first = i;
    else
      break;
  }
  return values[k];
}

double
lac_local_energy_median(double *values, gsize n)
{
  const double upper = lac_local_energy_nth(values, n, n / 2);
  double       lower;

  if (n % 2)
    return upper;
  lower = values[0];
  for (gsize i = 1; i < n / 2; i++)
    lower = MAX(lower, values[i]);
  return (lower + upper) / 2;
}

LacEnergyBatch
lac_local_energy_clip(const double *energies,
                      gsize         n,
                      double        width,
                      double       *clipped,
                      double       *scratch)
{
  LacEnergyBatch batch = {.mean = NAN, .variance = NAN, .median = NAN, .deviation = NAN};
  double         sum = 0, squares = 0, deviations = 0, centre = 0;

  memset(clipped, 0, n * sizeof *clipped);
  for (gsize b = 0; b < n; b++)
    if (isfinite(energies[b]))
      scratch[batch.n_good++] = energies[b];
  if (!batch.n_good)
    return batch;
  batch.median = lac_local_energy_median(scratch, batch.n_good);
  for (gsize b = 0; b < n; b++)
    if (isfinite(energies[b])) {
      const double above = energies[b] - batch.median;

      sum += above;
      squares += above * above;
      deviations += fabs(above);
    }
  batch.mean = batch.median + sum / (double) batch.n_good;
  batch.deviation = deviations / (double) batch.n_good;
  batch.variance =
    MAX(0, squares - sum * sum / (double) batch.n_good) / (double) MAX(1, batch.n_good - 1);
  for (gsize b = 0; b < n; b++)
    if (isfinite(energies[b])) {
      const double bound = width * batch.deviation, above = energies[b] - batch.median;

      clipped[b] = CLAMP(above, -bound, bound);
      batch.n_clipped += fabs(above) > bound;
      centre += clipped[b] / (double) batch.n_good;
    }
  for (gsize b = 0; b < n; b++)
    if (isfinite(energies[b]))
      clipped[b] -= centre;
  return batch;
}
