/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least-squares sums per batch; the residuals of the batches from the common parabola give the error of its value at
 * zero. */
#include "experiment/quantum/observables/pair-cusp.h"

#include "experiment/quantum/observables/blocking.h"

#include <math.h>
#include <string.h>

/* Coefficients of a parabola. */
enum { ORDER = 3 };

/* Series: weighted sums of t^0 to t^4 with t = r / range, then of slope times t^0 to t^2. */
enum { POWERS = 0, SLOPES = 2 * ORDER - 1, N_SERIES = SLOPES + ORDER };

/* Each range is twice the one before; the narrowest with enough pairs is used. */
enum { N_RANGES = 5, LEAST_PAIRS = 32 };

struct _LacPairCusp {
  gsize   n_up, n_electrons, n_steps, n_batches;
  gsize   n_pairs[N_RANGES];
  double  range;   /* narrowest range */
  double *series;  /* [N_RANGES][N_SERIES][n_steps] */
  double *scratch; /* [n_steps] */
};

LacPairCusp *
lac_pair_cusp_new(const LacMolecule *molecule, double range, gsize n_steps)
{
  LacPairCusp *cusp = g_new0(LacPairCusp, 1);

  g_assert(range > 0);
  cusp->n_up = molecule->n_up;
  cusp->n_electrons = lac_molecule_get_n_electrons(molecule);
  cusp->n_steps = n_steps;
  cusp->range = range;
  cusp->series = g_new0(double, N_RANGES *N_SERIES *n_steps);
  cusp->scratch = g_new0(double, n_steps);
  return cusp;
}

void
lac_pair_cusp_free(LacPairCusp *cusp)
{
  if (cusp == NULL)
    return;
  g_free(cusp->series);
  g_free(cusp->scratch);
  g_free(cusp);
}

static double *
series_at(const LacPairCusp *cusp, gsize range, gsize series)
{
  return cusp->series + (range * N_SERIES + series) * cusp->n_steps;
}

/* Adds a pair at the distance @t, in units of the range. */
static void
add_to_range(LacPairCusp *cusp, gsize range, double t, double slope)
{
  double power = 1 / t; /* weight: near pairs are few, and their slopes have less variance */

  cusp->n_pairs[range]++;
  for (gsize k = 0; k < SLOPES; k++, power *= t) {
    series_at(cusp, range, POWERS + k)[cusp->n_batches] += power;
    if (k < ORDER)
      series_at(cusp, range, SLOPES + k)[cusp->n_batches] += power * slope;
  }
}

/* Adds two electrons of a walker. */
static void
add_pair(LacPairCusp  *cusp,
         const double *position_i,
         const double *position_j,
         const double *gradient_i,
         const double *gradient_j)
{
  double square = 0, slope = 0, t;

  for (guint k = 0; k < 3; k++) {
    const double offset = position_i[k] - position_j[k];

    square += offset * offset;
    slope += offset * (gradient_i[k] - gradient_j[k]);
  }
  slope /= sqrt(square);
  t = sqrt(square) / cusp->range;
  if (!(t > 0) || !isfinite(slope))
    return;
  for (gsize range = 0; range < N_RANGES; range++, t /= 2)
    if (t < 1)
      add_to_range(cusp, range, t, slope);
}

void
lac_pair_cusp_add(LacPairCusp  *cusp,
                  const double *positions,
                  const double *gradients,
                  gsize         n_walkers)
{
  g_return_if_fail(cusp->n_batches < cusp->n_steps);
  for (gsize s = 0; s < N_RANGES * N_SERIES; s++)
    cusp->series[s * cusp->n_steps + cusp->n_batches] = 0;
  for (gsize b = 0; b < n_walkers; b++) {
    const double *walker = positions + 3 * b * cusp->n_electrons;
    const double *slopes = gradients + 3 * b * cusp->n_electrons;

    for (gsize i = 0; i < cusp->n_up; i++)
      for (gsize j = cusp->n_up; j < cusp->n_electrons; j++)
        add_pair(cusp, walker + 3 * i, walker + 3 * j, slopes + 3 * i, slopes + 3 * j);
  }
  cusp->n_batches++;
}

static double
sum_of(const LacPairCusp *cusp, gsize range, gsize series)
{
  const double *values = series_at(cusp, range, series);
  double        sum = 0;

  for (gsize t = 0; t < cusp->n_batches; t++)
    sum += values[t];
  return sum;
}

/* Solves the normal equations with two right-hand sides by Gaussian elimination; as a Gram matrix it has positive
 * pivots.
 * Returns: FALSE: all pairs had the same distance. */
static gboolean
solve(double matrix[ORDER][ORDER + 2])
{
  for (gsize k = 0; k < ORDER; k++) {
    if (!(matrix[k][k] > 1e-12))
      return FALSE;
    for (gsize i = 0; i < ORDER; i++) {
      const double factor = matrix[i][k] / matrix[k][k];

      for (gsize j = 0; j < ORDER + 2 && i != k; j++)
        matrix[i][j] -= factor * matrix[k][j];
    }
  }
  for (gsize k = 0; k < ORDER; k++)
    for (gsize j = ORDER; j < ORDER + 2; j++)
      matrix[k][j] /= matrix[k][k];
  return TRUE;
}

/* Fills the scratch with each batch's residual from the parabola, projected onto the value at r = 0, times the number
 * of batches. */
static void
fill_residuals(LacPairCusp *cusp, gsize range, double weights, double matrix[ORDER][ORDER + 2])
{
  for (gsize t = 0; t < cusp->n_batches; t++) {
    cusp->scratch[t] = 0;
    for (gsize k = 0; k < ORDER; k++) {
      double residual = series_at(cusp, range, SLOPES + k)[t];

      for (gsize l = 0; l < ORDER; l++)
        residual -= series_at(cusp, range, POWERS + k + l)[t] * matrix[l][ORDER];
      cusp->scratch[t] += matrix[k][ORDER + 1] * residual / weights * (double) cusp->n_batches;
    }
  }
}

LacObserved
lac_pair_cusp_find(LacPairCusp *cusp)
{
  gsize       range = 0;
  double      matrix[ORDER][ORDER + 2], weights;
  LacBlocking blocking;

  while (range < N_RANGES && cusp->n_pairs[range] < LEAST_PAIRS)
    range++;
  if (range == N_RANGES)
    return (LacObserved){NAN, NAN};
  weights = sum_of(cusp, range, POWERS);
  for (gsize k = 0; k < ORDER; k++) {
    for (gsize l = 0; l < ORDER; l++)
      matrix[k][l] = sum_of(cusp, range, POWERS + k + l) / weights;
    matrix[k][ORDER] = sum_of(cusp, range, SLOPES + k) / weights;
    matrix[k][ORDER + 1] =
      k == 0; /* first column of the inverse: projection onto the value at r = 0 */
  }
  if (!solve(matrix))
    return (LacObserved){NAN, NAN};
  fill_residuals(cusp, range, weights, matrix);
  lac_blocking_find(cusp->scratch, cusp->n_batches, &blocking);
  return (LacObserved){matrix[0][ORDER], blocking.error};
}

void
lac_pair_cusp_pack(gpointer data, LacPacking *packing)
{
  LacPairCusp *cusp = data;

  lac_packing_index(packing, &cusp->n_batches);
  for (gsize range = 0; range < N_RANGES; range++)
    lac_packing_index(packing, &cusp->n_pairs[range]);
  lac_packing_values(packing, cusp->series, N_RANGES * N_SERIES * cusp->n_steps);
}
