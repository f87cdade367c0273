/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histograms with exponential forgetting, and their axes. */
#include "experiment/quantum/observables/distributions.h"

#include "experiment/quantum/observables/density.h"
#include "experiment/quantum/sampling/local-energy.h"

#include <math.h>
#include <string.h>

/* Half-width of the energy axis in hartree for a nucleus of charge 1, which covers a trained psi; it scales with the
 * charge squared, like the kinetic energy near a nucleus, and adds over nuclei as variances do. */
#define ENERGY_REACH 0.5

/* Range of pair distances compared with the exact cusp, in bohr, divided by the highest charge. */
#define CUSP_REACH 0.75

#define DRAWN 2.0 /* drawn range, in units of the compared one */

#define OUTER_SHELLS 1.0 /* bohr beyond the picture's margin that are counted */

enum { USUAL, OUTLIERS, N_PARTS };

struct _LacDistributions {
  LacDistributionSettings settings;
  guint                   n_elements, elements[LAC_N_ELEMENTS];
  guint                   n_nuclei;
  guint                  *charges; /* [n_nuclei] */
  LacRadialDensity      **radial;  /* [n_nuclei] */
  double                  counts[N_PARTS * LAC_DISTRIBUTION_ENERGIES], weight;
  double                 *clipped, *scratch; /* [n_walkers] */
};

LacDistributionSettings
lac_distribution_settings(const LacMolecule *molecule, double middle, double clip, double margin)
{
  double squares = 0, half;

  for (guint a = 0; a < molecule->n_nuclei; a++)
    squares += pow(molecule->nuclei[a].charge, 4);
  half = ENERGY_REACH * sqrt(squares);
  return (LacDistributionSettings){
    .reach = margin + OUTER_SHELLS, .low = middle - half, .high = middle + half, .clip = clip};
}

guint
lac_distribution_elements(const LacMolecule *molecule, guint elements[LAC_N_ELEMENTS])
{
  guint n = 0;

  for (guint a = 0; a < molecule->n_nuclei; a++) {
    guint i = 0;

    while (i < n && elements[i] != molecule->nuclei[a].charge)
      i++;
    if (i == n)
      elements[n++] = molecule->nuclei[a].charge;
  }
  return n;
}

LacDistributions *
lac_distributions_new(const LacMolecule             *molecule,
                      const LacDistributionSettings *settings,
                      gsize                          n_walkers)
{
  LacDistributions *distributions = g_new0(LacDistributions, 1);
  const gsize       n_electrons = lac_molecule_get_n_electrons(molecule);

  distributions->settings = *settings;
  distributions->n_elements = lac_distribution_elements(molecule, distributions->elements);
  distributions->n_nuclei = molecule->n_nuclei;
  distributions->charges = g_new0(guint, molecule->n_nuclei);
  distributions->radial = g_new0(LacRadialDensity *, molecule->n_nuclei);
  for (guint a = 0; a < molecule->n_nuclei; a++) {
    distributions->charges[a] = molecule->nuclei[a].charge;
    distributions->radial[a] = lac_radial_density_new(n_electrons, molecule->nuclei[a].position,
                                                      settings->reach, LAC_DISTRIBUTION_RADII);
  }
  distributions->clipped = g_new0(double, n_walkers);
  distributions->scratch = g_new0(double, n_walkers);
  return distributions;
}

void
lac_distributions_free(LacDistributions *distributions)
{
  if (!distributions)
    return;
  for (guint a = 0; a < distributions->n_nuclei; a++)
    lac_radial_density_free(distributions->radial[a]);
  g_free(distributions->radial);
  g_free(distributions->charges);
  g_free(distributions->clipped);
  g_free(distributions->scratch);
  g_free(distributions);
}

void
lac_distributions_fade(LacDistributions *distributions, double share)
{
  for (guint a = 0; a < distributions->n_nuclei; a++)
    lac_radial_density_fade(distributions->radial[a], share);
  distributions->weight *= share;
  for (gsize i = 0; i < G_N_ELEMENTS(distributions->counts); i++)
    distributions->counts[i] *= share;
}

void
lac_distributions_look(LacDistributions *distributions, const double *positions, gsize n)
{
  for (guint a = 0; a < distributions->n_nuclei; a++)
    lac_radial_density_add(distributions->radial[a], positions, n);
}

void
lac_distributions_add_energies(LacDistributions *distributions, const double *energies, gsize n)
{
  const LacDistributionSettings *settings = &distributions->settings;
  const LacEnergyBatch           batch = lac_local_energy_clip(
              energies, n, settings->clip, distributions->clipped, distributions->scratch);
  const double width = (settings->high - settings->low) / LAC_DISTRIBUTION_ENERGIES;

  for (gsize b = 0; b < n; b++) {
    const gboolean is_outlier = fabs(energies[b] - batch.median) > settings->clip * batch.deviation;
    double        *counts =
      distributions->counts + (is_outlier ? OUTLIERS : USUAL) * LAC_DISTRIBUTION_ENERGIES;

    if (isfinite(energies[b]))
      counts[(gsize) CLAMP((energies[b] - settings->low) / width, 0,
                           LAC_DISTRIBUTION_ENERGIES - 0.5)]++;
  }
  distributions->weight += (double) batch.n_good;
}

/* Fills the mean over the nuclei of @charge; for errors, the error of that mean. */
static void
fill_element(const LacDistributions *distributions, guint charge, float *values, float *errors)
{
  double n = 0, sums[2][LAC_DISTRIBUTION_RADII] = {{0}}, one[LAC_DISTRIBUTION_RADII],
         its[LAC_DISTRIBUTION_RADII];

  for (guint a = 0; a < distributions->n_nuclei; a++) {
    if (distributions->charges[a] != charge)
      continue;
    lac_radial_density_fill(distributions->radial[a], one, its);
    for (gsize i = 0; i < LAC_DISTRIBUTION_RADII; i++) {
      sums[0][i] += one[i];
      sums[1][i] += its[i] * its[i];
    }
    n++;
  }
  for (gsize i = 0; i < LAC_DISTRIBUTION_RADII; i++) {
    values[i] = (float) (sums[0][i] / n);
    errors[i] = (float) (sqrt(sums[1][i]) / n);
  }
}

/* Sets the axis to the bin centres between two edges. */
static void
set_axis(LacPlane *plane, double low, double high)
{
  const double half = (high - low) / (2 * (double) plane->nx);

  plane->x_min = low + half;
  plane->x_max = high - half;
  plane->y_min = 0;
  plane->y_max = (double) (plane->ny - 1);
}

void
lac_distributions_fill_radial(const LacDistributions *distributions, LacPlane *plane)
{
  for (guint e = 0; e < distributions->n_elements; e++)
    fill_element(distributions, distributions->elements[e],
                 plane->data + e * LAC_DISTRIBUTION_RADII,
                 plane->data + (distributions->n_elements + e) * LAC_DISTRIBUTION_RADII);
  set_axis(plane, 0, distributions->settings.reach);
}

void
lac_distributions_fill_energies(const LacDistributions *distributions, LacPlane *plane)
{
  const LacDistributionSettings *settings = &distributions->settings;
  const double width = (settings->high - settings->low) / LAC_DISTRIBUTION_ENERGIES;
  const double scale = distributions->weight > 0 ? 1 / (distributions->weight * width) : 0;

  for (gsize i = 0; i < G_N_ELEMENTS(distributions->counts); i++)
    plane->data[i] =
      distributions->counts[i] > 0 ? (float) (scale * distributions->counts[i]) : NAN;
  set_axis(plane, settings->low, settings->high);
}

/* ---- pairs ---- */

enum { MERGED = LAC_PAIR_BINS / LAC_DISTRIBUTION_DISTANCES };
G_STATIC_ASSERT(MERGED *LAC_DISTRIBUTION_DISTANCES == LAC_PAIR_BINS);

/* Returns the volume of shell @i of width 1, divided by 4 pi / 3. */
static double
shell(gsize i)
{
  const double r = (double) i;

  return 3 * r * (r + 1) + 1;
}

/* Merges neighbouring shells. */
static void
merge(const double *values, const double *errors, float *merged, float *merged_errors)
{
  for (gsize i = 0; i < LAC_DISTRIBUTION_DISTANCES; i++) {
    double volume = 0, value = 0, square = 0;

    for (gsize k = i * MERGED; k < (i + 1) * MERGED; k++) {
      volume += shell(k);
      value += shell(k) * values[k];
      square += shell(k) * shell(k) * errors[k] * errors[k];
    }
    merged[i] = (float) (value / volume);
    merged_errors[i] = (float) (sqrt(square) / volume);
  }
}

/* Fits log h = a + r + c r^2 by least squares weighted with the counts, (value / error)^2: the slope at contact is
 * Kato's. */
static void
fill_cusp(const double *values, const double *errors, double reach, float *curve)
{
  double sums[5] = {0}, a, c, determinant; /* sums of 1, r^2, r^4; of y, r^2 y */

  for (gsize i = 0; i < LAC_PAIR_BINS; i++) {
    const double r = ((double) i + 0.5) * LAC_PAIR_REACH / LAC_PAIR_BINS, square = r * r;
    double       weight, y;

    if (r > reach || !(values[i] > 0))
      continue;
    weight = (values[i] / errors[i]) * (values[i] / errors[i]);
    y = log(values[i]) - r;
    sums[0] += weight;
    sums[1] += weight * square;
    sums[2] += weight * square * square;
    sums[3] += weight * y;
    sums[4] += weight * square * y;
  }
  determinant = sums[0] * sums[2] - sums[1] * sums[1];
  a = (sums[3] * sums[2] - sums[4] * sums[1]) / determinant;
  c = (sums[0] * sums[4] - sums[1] * sums[3]) / determinant;
  for (gsize i = 0; i < LAC_DISTRIBUTION_DISTANCES; i++) {
    const double r = ((double) i + 0.5) * LAC_PAIR_REACH / LAC_DISTRIBUTION_DISTANCES;

    curve[i] = r <= DRAWN * reach && determinant > 0 ? (float) exp(a + r + c * r * r) : NAN;
  }
}

static gboolean
has_pairs(const LacMolecule *molecule, LacPairKind kind)
{
  return kind == LAC_PAIR_UNLIKE ? molecule->n_up > 0 && molecule->n_down > 0
                                 : molecule->n_up > 1 || molecule->n_down > 1;
}

gsize
lac_distribution_pair_rows(const LacMolecule *molecule)
{
  return 2 * (gsize) has_pairs(molecule, LAC_PAIR_UNLIKE) + has_pairs(molecule, LAC_PAIR_LIKE);
}

void
lac_distribution_fill_pairs(const LacPairCorrelation *pairs,
                            const LacMolecule        *molecule,
                            LacPlane                 *plane)
{
  const gsize n_rows = lac_distribution_pair_rows(molecule);
  float      *row = plane->data, *error_row = plane->data + n_rows * LAC_DISTRIBUTION_DISTANCES;
  double      values[LAC_PAIR_BINS], errors[LAC_PAIR_BINS];
  guint       highest = 1;

  if (has_pairs(molecule, LAC_PAIR_LIKE)) {
    lac_pair_correlation_fill(pairs, LAC_PAIR_LIKE, values, errors);
    merge(values, errors, row, error_row);
    row += LAC_DISTRIBUTION_DISTANCES;
    error_row += LAC_DISTRIBUTION_DISTANCES;
  }
  if (has_pairs(molecule, LAC_PAIR_UNLIKE)) {
    for (guint a = 0; a < molecule->n_nuclei; a++)
      highest = MAX(highest, molecule->nuclei[a].charge);
    lac_pair_correlation_fill(pairs, LAC_PAIR_UNLIKE, values, errors);
    merge(values, errors, row, error_row);
    fill_cusp(values, errors, CUSP_REACH / highest, row + LAC_DISTRIBUTION_DISTANCES);
    memset(error_row + LAC_DISTRIBUTION_DISTANCES, 0,
           LAC_DISTRIBUTION_DISTANCES * sizeof *error_row);
  }
  set_axis(plane, 0, LAC_PAIR_REACH);
}

/* ---- checkpoints ---- */

void
lac_distributions_pack(gpointer data, LacPacking *packing)
{
  LacDistributions *distributions = data;

  lac_packing_values(packing, &distributions->weight, 1);
  lac_packing_values(packing, distributions->counts, G_N_ELEMENTS(distributions->counts));
  for (guint a = 0; a < distributions->n_nuclei; a++)
    lac_radial_density_pack(distributions->radial[a], packing);
}
