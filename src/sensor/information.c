/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gains of all points, using the triangular root of A and a few points at a time, and the exchange algorithm. */
#include "sensor/information.h"

#include "sensor/share.h"

#include <math.h>
#include <string.h>

#define MAX_COMPONENTS LAC_PLACEMENT_MAX_COMPONENTS
#define FLAT           1e-8
#define WIDTH \
  64 /* points per block, so that a block stays in the cache during the triangular solve */

/* a: [n][n]; the lower triangle becomes the Cholesky factor. Returns: FALSE if it is not positive definite. */
static gboolean
cholesky(double *a, gsize n)
{
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j <= i; j++) {
      double sum = a[i * n + j];

      for (gsize k = 0; k < j; k++)
        sum -= a[i * n + k] * a[j * n + k];
      if (i == j && !(sum > 0))
        return FALSE;
      a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
    }
  return TRUE;
}

/* Returns the largest sum of squares of a point's rows, with weighted modes. */
static double
find_largest(const LacPlacementProblem *problem, const double *weights)
{
  const gsize        n = problem->n_points;
  g_autofree double *sums = g_new0(double, MAX(n, 1));
  double             largest = 0;

  for (gsize r = 0; r < problem->n_modes; r++) {
    const double weight = weights ? weights[r] * weights[r] : 1;

    for (gsize c = 0; c < problem->n_components; c++) {
      const double *mode = problem->modes + (r * problem->n_components + c) * n;

#pragma omp simd
      for (gsize i = 0; i < n; i++)
        sums[i] += weight * mode[i] * mode[i];
    }
  }
  for (gsize i = 0; i < n; i++)
    largest = MAX(largest, sums[i]);
  return largest > 0 ? largest : 1;
}

void
lac_information_init(LacInformation            *information,
                     const LacPlacementProblem *problem,
                     const double              *deviations)
{
  const gsize  r = problem->n_modes;
  const double largest = find_largest(problem, deviations), noise = problem->noise;

  g_assert(problem->n_components <= MAX_COMPONENTS);
  *information = (LacInformation){problem, g_new0(double, MAX(r * r, 1)), 1};
  if (deviations)
    information->variance = MAX(noise * noise, 1e-12 * largest);
  for (gsize i = 0; i < r; i++)
    information->matrix[i * r + i] =
      deviations ? 1 / (deviations[i] * deviations[i]) : FLAT * largest;
}

void
lac_information_clear(LacInformation *information)
{
  g_clear_pointer(&information->matrix, g_free);
}

void
lac_information_add(LacInformation *information, gsize point, double share)
{
  const LacPlacementProblem *problem = information->problem;
  const gsize                r = problem->n_modes, n = problem->n_points;
  const gsize                stride = problem->n_components * n;

  for (gsize c = 0; c < problem->n_components; c++) {
    const double *row = problem->modes + c * n + point;

    for (gsize i = 0; i < r; i++)
      for (gsize j = 0; j < r; j++)
        information->matrix[i * r + j] +=
          share * row[i * stride] * row[j * stride] / information->variance;
  }
}

gboolean
lac_information_factor(const LacInformation *information, double *root)
{
  const gsize r = information->problem->n_modes;

  memcpy(root, information->matrix, r * r * sizeof *root);
  return cholesky(root, r);
}

double
lac_information_log_det(const LacInformation *information)
{
  const gsize        r = information->problem->n_modes;
  g_autofree double *root = g_new(double, MAX(r * r, 1));
  double             sum = 0;

  if (!lac_information_factor(information, root))
    return -(double) INFINITY;
  for (gsize i = 0; i < r; i++)
    sum += 2 * log(root[i * r + i]);
  return sum;
}

typedef struct {
  const LacInformation *information;
  LacCriterion          criterion;
  const double         *root; /* [n_modes][n_modes] */
  double               *gains;
} Gains;

/* z: [n_modes][WIDTH] is replaced by root^-1 z. */
static void
solve_down(const double *root, gsize r, double *z)
{
  for (gsize i = 0; i < r; i++) {
    double *zi = z + i * WIDTH;

    for (gsize j = 0; j < i; j++) {
      const double  factor = root[i * r + j];
      const double *zj = z + j * WIDTH;

#pragma omp simd
      for (gsize p = 0; p < WIDTH; p++)
        zi[p] -= factor * zj[p];
    }
    for (gsize p = 0; p < WIDTH; p++)
      zi[p] /= root[i * r + i];
  }
}

/* Replaces z by root^-t z. */
static void
solve_up(const double *root, gsize r, double *z)
{
  for (gsize i = r; i-- > 0;) {
    double *zi = z + i * WIDTH;

    for (gsize j = i + 1; j < r; j++) {
      const double  factor = root[j * r + i];
      const double *zj = z + j * WIDTH;

#pragma omp simd
      for (gsize p = 0; p < WIDTH; p++)
        zi[p] -= factor * zj[p];
    }
    for (gsize p = 0; p < WIDTH; p++)
      zi[p] /= root[i * r + i];
  }
}

/* Computes products[a][b][p] of the columns of components a and b of z: [components][r][WIDTH] */
static void
multiply(const double *z, gsize r, gsize n_components, double *products)
{
  for (gsize a = 0; a < n_components; a++)
    for (gsize b = 0; b <= a; b++) {
      double *product = products + (a * n_components + b) * WIDTH;

      memset(product, 0, WIDTH * sizeof *product);
      for (gsize i = 0; i < r; i++) {
        const double *za = z + (a * r + i) * WIDTH, *zb = z + (b * r + i) * WIDTH;

#pragma omp simd
        for (gsize p = 0; p < WIDTH; p++)
          product[p] += za[p] * zb[p];
      }
      if (a != b)
        memcpy(products + (b * n_components + a) * WIDTH, product, WIDTH * sizeof *product);
    }
}

/* Returns trace of (eta^2 + G)^-1 H, or log det(1 + G / eta^2), for point @p; g, h: [components][components][WIDTH]. */
static double
gain_of(const Gains *gains, const double *g, const double *h, gsize p)
{
  const double variance = gains->information->variance;
  const gsize  n = gains->information->problem->n_components;
  double       small[MAX_COMPONENTS * MAX_COMPONENTS], column[MAX_COMPONENTS], sum = 0;

  for (gsize i = 0; i < n * n; i++)
    small[i] = g[i * WIDTH + p];
  if (gains->criterion == LAC_CRITERION_GRADIENT) {
    for (gsize a = 0; a < n; a++)
      sum += small[a * n + a] / variance;
    return sum;
  }
  for (gsize a = 0; a < n; a++)
    small[a * n + a] += variance;
  if (!cholesky(small, n))
    return (double) NAN;
  if (gains->criterion == LAC_CRITERION_LOG_DET) {
    for (gsize a = 0; a < n; a++)
      sum += log(small[a * n + a] * small[a * n + a] / variance);
    return sum;
  }
  for (gsize b = 0; b < n; b++) { /* column b of the inverse times H */
    for (gsize a = 0; a < n; a++) {
      column[a] = h[(a * n + b) * WIDTH + p];
      for (gsize k = 0; k < a; k++)
        column[a] -= small[a * n + k] * column[k];
      column[a] /= small[a * n + a];
    }
    for (gsize a = n; a-- > b;) {
      for (gsize k = a + 1; k < n; k++)
        column[a] -= small[k * n + a] * column[k];
      column[a] /= small[a * n + a];
    }
    sum += column[b];
  }
  return sum;
}

static void
gain_block(gsize block, guint worker, gpointer user_data)
{
  const Gains               *gains = user_data;
  const LacPlacementProblem *problem = gains->information->problem;
  const gsize        r = problem->n_modes, nc = problem->n_components, n = problem->n_points;
  g_autofree double *z = g_new(double, nc *MAX(r, 1) * WIDTH);
  g_autofree double *g = g_new(double, nc *nc *WIDTH), *h = g_new(double, nc *nc *WIDTH);

  (void) worker;
  for (gsize begin = block * LAC_SHARE_BLOCK; begin < lac_share_end(block, n); begin += WIDTH) {
    const gsize width = MIN(WIDTH, n - begin);

    memset(z, 0, nc * r * WIDTH * sizeof *z);
    for (gsize c = 0; c < nc; c++) {
      for (gsize i = 0; i < r; i++)
        memcpy(z + (c * r + i) * WIDTH, problem->modes + (i * nc + c) * n + begin,
               width * sizeof *z);
      solve_down(gains->root, r, z + c * r * WIDTH);
    }
    multiply(z, r, nc, g);
    if (gains->criterion == LAC_CRITERION_TRACE) {
      for (gsize c = 0; c < nc; c++)
        solve_up(gains->root, r, z + c * r * WIDTH);
      multiply(z, r, nc, h);
    }
    for (gsize p = 0; p < width; p++)
      gains->gains[begin + p] = gain_of(gains, g, h, p);
  }
}

void
lac_information_gains(const LacInformation *information, LacCriterion criterion, double *gains)
{
  const LacPlacementProblem *problem = information->problem;
  const gsize                r = problem->n_modes;
  g_autofree double         *root = g_new(double, MAX(r * r, 1));
  Gains                      all = {information, criterion, root, gains};

  if (lac_information_factor(information, root))
    lac_share_blocks(problem->pool, problem->n_points, gain_block, &all);
  else
    for (gsize i = 0; i < problem->n_points; i++)
      gains[i] = (double) NAN;
}

double
lac_information_largest_gain(const LacPlacementProblem *problem,
                             const double              *deviations,
                             LacCriterion               criterion)
{
  g_autofree double     *gains = g_new(double, MAX(problem->n_points, 1));
  g_auto(LacInformation) information = {0};
  double                 largest = 0;

  lac_information_init(&information, problem, deviations);
  lac_information_gains(&information, criterion, gains);
  for (gsize i = 0; i < problem->n_points; i++)
    largest = MAX(largest, gains[i]);
  return largest;
}

gboolean
lac_greedy_choose(LacCandidates *candidates,
                  const double  *deviations,
                  LacCriterion   criterion,
                  GError       **error)
{
  const LacPlacementProblem *problem = candidates->problem;
  g_autofree double         *gains = NULL;
  g_auto(LacInformation)     information = {0};

  if (candidates->n_taken == candidates->n_sensors)
    return TRUE;
  gains = g_new(double, MAX(problem->n_points, 1));
  lac_information_init(&information, problem, deviations);
  for (gsize k = 0; k < candidates->n_taken; k++)
    lac_information_add(&information, candidates->places[k], 1);
  while (candidates->n_taken < candidates->n_sensors) {
    gsize best;

    lac_information_gains(&information, criterion, gains);
    if (problem->cost)
      for (gsize i = 0; i < problem->n_points; i++)
        gains[i] -= problem->cost[i];
    best = lac_candidates_find_best(candidates, gains);
    if (!lac_candidates_take(candidates, best, error))
      return FALSE;
    lac_information_add(&information, best, 1);
  }
  return TRUE;
}

double
lac_placement_log_det(const LacPlacementProblem *problem, const gsize *places, gsize n_sensors)
{
  g_auto(LacInformation) information = {0};

  lac_information_init(&information, problem, problem->deviations);
  for (gsize k = 0; k < n_sensors; k++)
    lac_information_add(&information, places[k], 1);
  return lac_information_log_det(&information);
}

/* ---- the exchange polish: each sensor in turn is lifted and put where the others gain most by it ---- */

#define MAX_SWEEPS 20
#define LEAST      1e-10 /* of the log-determinant: smaller gains do not justify a move */

/* Returns: the best position for sensor @k with the others fixed; n_points if there is none. */
static gsize
find_better(const LacPlacementProblem *problem, const gsize *places, gsize n_sensors, gsize k)
{
  g_autofree double     *gains = g_new(double, problem->n_points);
  g_auto(LacInformation) information = {0};
  g_auto(LacCandidates)  candidates = {0};
  gsize                  better = problem->n_points;

  if (!lac_candidates_init(&candidates, problem, NULL, 0, NULL))
    return better;
  lac_information_init(&information, problem, problem->deviations);
  for (gsize l = 0; l < n_sensors; l++)
    if (l != k) {
      lac_information_add(&information, places[l], 1);
      lac_candidates_close(&candidates, places[l]);
    }
  lac_information_gains(&information, LAC_CRITERION_LOG_DET, gains);
  return lac_candidates_find_best(&candidates, gains);
}

double
lac_placement_exchange(const LacPlacementProblem *problem, gsize *places, gsize n_sensors)
{
  double   log_det = lac_placement_log_det(problem, places, n_sensors);
  gboolean moved = TRUE;

  for (int sweep = 0; sweep < MAX_SWEEPS && moved; sweep++) {
    moved = FALSE;
    for (gsize k = 0; k < n_sensors; k++) {
      const gsize before = places[k], better = find_better(problem, places, n_sensors, k);
      double      after;

      if (better == problem->n_points || better == before)
        continue;
      places[k] = better;
      after = lac_placement_log_det(problem, places, n_sensors);
      if (after > log_det + LEAST) {
        log_det = after;
        moved = TRUE;
      } else {
        places[k] = before;
      }
    }
  }
  return log_det;
}
