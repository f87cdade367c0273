/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histograms of distances, and a parabola through the logarithm near zero. */
#include "experiment/quantum/pair-correlation.h"

#include <math.h>
#include <string.h>

/* Shells that a parabola is laid through, at least. */
#define LEAST_SHELLS 5

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

/* Mean distance of points spread evenly over a shell. */
static double
shell_mean(const LacPairCorrelation *pairs, gsize bin)
{
  double width = pairs->reach / (double) pairs->n_bins, a = (double) bin, b = a + 1;

  return 0.75 * width * (b * b * b * b - a * a * a * a) / (b * b * b - a * a * a);
}

/* Gauss's elimination of a symmetric 3 x 3 system with two right sides, well conditioned by its scaling. */
static gboolean
solve(double matrix[3][5])
{
  for (guint k = 0; k < 3; k++) {
    if (!(fabs(matrix[k][k]) > 1e-12))
      return FALSE;
    for (guint i = 0; i < 3; i++) {
      double factor = matrix[i][k] / matrix[k][k];

      for (guint j = 0; j < 5 && i != k; j++)
        matrix[i][j] -= factor * matrix[k][j];
    }
  }
  for (guint k = 0; k < 3; k++)
    for (guint j = 3; j < 5; j++)
      matrix[k][j] /= matrix[k][k];
  return TRUE;
}

/* Returns: how many shells within @range have seen a pair; @matrix: the normal equations over the counts, @weights in all. */
static gsize
fill_equations(const LacPairCorrelation *pairs, double range, double matrix[3][5], double *weights)
{
  gsize n_points = 0;

  memset(matrix, 0, 15 * sizeof(double));
  *weights = 0;
  for (gsize i = 0; i < pairs->n_bins; i++) {
    double count = pairs->counts[LAC_PAIR_UNLIKE * pairs->n_bins + i];
    double r = shell_mean(pairs, i) / range, powers[3] = {1, r, r * r};

    if (r > 1 || !(count > 0))
      continue;
    n_points++;
    *weights += count;
    for (guint k = 0; k < 3; k++) {
      for (guint l = 0; l < 3; l++)
        matrix[k][l] += count * powers[k] * powers[l];
      matrix[k][3] += count * powers[k] * log(count / shell_volume(pairs, i));
    }
  }
  for (guint k = 0; k < 3; k++)
    for (guint l = 0; l < 4; l++)
      matrix[k][l] /= *weights;
  matrix[1][4] = 1; /* the variance of the slope: the diagonal of the inverse, over the weights */
  return n_points;
}

double
lac_pair_correlation_find_cusp(const LacPairCorrelation *pairs, double range, double *error)
{
  double matrix[3][5], weights;

  *error = (double) NAN;
  while (fill_equations(pairs, range, matrix, &weights) < LEAST_SHELLS) {
    if (range > pairs->reach)
      return (double) NAN;
    range *= 1.5;
  }
  if (!solve(matrix))
    return (double) NAN;
  *error = sqrt(matrix[1][4] / weights) / range;
  return matrix[1][3] / range;
}

gsize
lac_pair_correlation_get_state_length(const LacPairCorrelation *pairs)
{
  return N_SUMS + LAC_N_PAIR_KINDS * pairs->n_bins;
}

void
lac_pair_correlation_save(const LacPairCorrelation *pairs, double *state)
{
  memcpy(state, pairs->sums, sizeof pairs->sums);
  memcpy(state + N_SUMS, pairs->counts, LAC_N_PAIR_KINDS * pairs->n_bins * sizeof *state);
}

void
lac_pair_correlation_load(LacPairCorrelation *pairs, const double *state)
{
  memcpy(pairs->sums, state, sizeof pairs->sums);
  memcpy(pairs->counts, state + N_SUMS, LAC_N_PAIR_KINDS * pairs->n_bins * sizeof *state);
}
