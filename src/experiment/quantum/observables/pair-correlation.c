/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histograms of pair distances. */
#include "experiment/quantum/observables/pair-correlation.h"

#include <math.h>
#include <string.h>

enum { WALKERS, OUTSIDE_LIKE, OUTSIDE_UNLIKE, N_SUMS };

struct _LacPairCorrelation {
  gsize   n_up, n_electrons, n_bins;
  double  reach;
  double  sums[N_SUMS];
  double *counts; /* [LAC_N_PAIR_KINDS][n_bins] */
};

LacPairCorrelation *
lac_pair_correlation_new(const LacMolecule *molecule, double reach, gsize n_bins)
{
  LacPairCorrelation *pairs = g_new0(LacPairCorrelation, 1);

  g_assert(n_bins > 0 && reach > 0);
  pairs->n_up = molecule->n_up;
  pairs->n_electrons = lac_molecule_get_n_electrons(molecule);
  pairs->n_bins = n_bins;
  pairs->reach = reach;
  pairs->counts = g_new0(double, LAC_N_PAIR_KINDS *n_bins);
  return pairs;
}

void
lac_pair_correlation_free(LacPairCorrelation *pairs)
{
  if (pairs == NULL)
    return;
  g_free(pairs->counts);
  g_free(pairs);
}

static void
add_pair(LacPairCorrelation *pairs, const double *a, const double *b, LacPairKind kind)
{
  double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  double place = sqrt(x * x + y * y + z * z) / pairs->reach * (double) pairs->n_bins;

  if (place < (double) pairs->n_bins)
    pairs->counts[kind * pairs->n_bins + (gsize) place]++;
  else
    pairs->sums[OUTSIDE_LIKE + kind]++;
}

void
lac_pair_correlation_add(LacPairCorrelation *pairs, const double *positions, gsize n_walkers)
{
  for (gsize b = 0; b < n_walkers; b++) {
    const double *walker = positions + 3 * b * pairs->n_electrons;

    for (gsize i = 0; i < pairs->n_electrons; i++)
      for (gsize j = 0; j < i; j++)
        add_pair(pairs, walker + 3 * i, walker + 3 * j,
                 (i < pairs->n_up) == (j < pairs->n_up) ? LAC_PAIR_LIKE : LAC_PAIR_UNLIKE);
  }
  pairs->sums[WALKERS] += (double) n_walkers;
}

void
lac_pair_correlation_fade(LacPairCorrelation *pairs, double share)
{
  for (guint i = 0; i < N_SUMS; i++)
    pairs->sums[i] *= share;
  for (gsize i = 0; i < LAC_N_PAIR_KINDS * pairs->n_bins; i++)
    pairs->counts[i] *= share;
}

double
lac_pair_correlation_get_outside(const LacPairCorrelation *pairs, LacPairKind kind)
{
  return pairs->sums[WALKERS] > 0 ? pairs->sums[OUTSIDE_LIKE + kind] / pairs->sums[WALKERS] : 0;
}

static double
count_pairs(const LacPairCorrelation *pairs, LacPairKind kind)
{
  double up = (double) pairs->n_up, down = (double) (pairs->n_electrons - pairs->n_up);

  return kind == LAC_PAIR_UNLIKE ? up * down : (up * (up - 1) + down * (down - 1)) / 2;
}

static double
shell_volume(const LacPairCorrelation *pairs, gsize bin)
{
  double width = pairs->reach / (double) pairs->n_bins, i = (double) bin;

  return 4 * G_PI / 3 * width * width * width * (3 * i * (i + 1) + 1);
}

void
lac_pair_correlation_fill(const LacPairCorrelation *pairs,
                          LacPairKind               kind,
                          double                   *values,
                          double                   *errors)
{
  double total = count_pairs(pairs, kind) * pairs->sums[WALKERS];

  for (gsize i = 0; i < pairs->n_bins; i++) {
    double count = pairs->counts[kind * pairs->n_bins + i];
    double scale = total > 0 ? 1 / (total * shell_volume(pairs, i)) : 0;

    values[i] = scale * count;
    if (errors != NULL)
      errors[i] = scale * sqrt(count);
  }
}

void
lac_pair_correlation_pack(gpointer data, LacPacking *packing)
{
  LacPairCorrelation *pairs = data;

  lac_packing_values(packing, pairs->sums, N_SUMS);
  lac_packing_values(packing, pairs->counts, LAC_N_PAIR_KINDS * pairs->n_bins);
}
