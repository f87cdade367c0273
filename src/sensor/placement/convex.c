/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convex relaxation: every candidate has a weight between 0 and 1, found by Newton's method with a logarithmic
 * barrier. The first round uses the points with the largest norms; points with a large gradient join a second round.
 * The largest weights become sensors, refined by the exchange algorithm. By concavity the relaxation gives an upper
 * bound over all designs of all points. */
#include "backend/dense.h"
#include "sensor/information.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CANDIDATES = 600, MAX_ROUNDS = 3, MAX_NEWTON = 30 };

#define GAP 1e-3 /* tolerance of the log-determinant: bound minus value of the relaxation */

typedef struct {
  const LacPlacementProblem *problem;
  LacInformation             information; /* at the weights */
  gsize                      n, n_sensors;
  gsize                     *points;  /* [n] */
  double                    *shares;  /* [n] */
  double                    *rows;    /* [n * components][n_modes]: root^-1 phi / eta */
  double                    *hessian; /* [n][n] */
  double                    *right;   /* [n][2] */
  double                     barrier;
} Relaxation;

typedef struct {
  double score;
  gsize  point;
} Ranked;

static int
compare(gconstpointer a, gconstpointer b)
{
  const Ranked *x = a, *y = b;

  if (x->score != y->score)
    return x->score < y->score ? 1 : -1;
  return x->point < y->point ? -1 : 1;
}

static double
log_det_at(Relaxation *relaxation, const double *shares)
{
  LacInformation *information = &relaxation->information;

  lac_information_clear(information);
  lac_information_init(information, relaxation->problem, relaxation->problem->deviations);
  for (gsize i = 0; i < relaxation->n; i++)
    lac_information_add(information, relaxation->points[i], shares[i]);
  return lac_information_log_det(information);
}

static double
objective(Relaxation *relaxation, const double *shares)
{
  double value = log_det_at(relaxation, shares);

  for (gsize i = 0; i < relaxation->n; i++) {
    if (!(shares[i] > 0 && shares[i] < 1))
      return -(double) INFINITY;
    value += relaxation->barrier * (log(shares[i]) + log1p(-shares[i]));
  }
  return value;
}

/* Applies the inverse root of A to the rows of all candidates. Returns: %FALSE if A is not positive definite. */
static gboolean
solve_rows(Relaxation *relaxation)
{
  const LacPlacementProblem *problem = relaxation->problem;
  const gsize                r = problem->n_modes, nc = problem->n_components;
  const double               scale = 1 / sqrt(relaxation->information.variance);
  g_autofree double         *root = g_new(double, r *r);

  if (!lac_information_factor(&relaxation->information, root))
    return FALSE;
  for (gsize i = 0; i < relaxation->n * nc; i++) {
    double *row = relaxation->rows + i * r;

    for (gsize k = 0; k < r; k++) {
      double sum =
        scale * problem->modes[(k * nc + i % nc) * problem->n_points + relaxation->points[i / nc]];

      for (gsize j = 0; j < k; j++)
        sum -= root[k * r + j] * row[j];
      row[k] = sum / root[k * r + k];
    }
  }
  return TRUE;
}

/* Computes the negative Hessian and the gradient: H_ij = sum over components of (z_ia . z_jb)^2, g_i = sum of
 * |z_ia|^2. */
static void
derive(Relaxation *relaxation)
{
  const gsize        nc = relaxation->problem->n_components, r = relaxation->problem->n_modes;
  const gsize        n = relaxation->n, n_rows = n * nc;
  g_autofree double *products = g_new(double, n_rows *n_rows);

  lac_dense_gemm(FALSE, TRUE, n_rows, n_rows, r, 1, relaxation->rows, r, relaxation->rows, r, 0,
                 products, n_rows);
  for (gsize i = 0; i < n; i++) {
    const double share = relaxation->shares[i], barrier = relaxation->barrier;
    double       gradient = barrier / share - barrier / (1 - share);

    for (gsize j = 0; j < n; j++) {
      double sum = 0;

      for (gsize a = 0; a < nc; a++)
        for (gsize b = 0; b < nc; b++) {
          const double product = products[(i * nc + a) * n_rows + j * nc + b];

          sum += product * product;
        }
      relaxation->hessian[i * n + j] = sum;
    }
    relaxation->hessian[i * n + i] += barrier / (share * share);
    relaxation->hessian[i * n + i] += barrier / ((1 - share) * (1 - share));
    for (gsize a = 0; a < nc; a++)
      gradient += products[(i * nc + a) * n_rows + i * nc + a];
    relaxation->right[2 * i] = gradient;
    relaxation->right[2 * i + 1] = 1;
  }
}

/* Performs one Newton step with a constant sum of weights. Returns: %FALSE when converged. */
static gboolean
step(Relaxation *relaxation)
{
  const gsize        n = relaxation->n;
  g_autofree double *trial = g_new(double, n);
  const double       before = objective(relaxation, relaxation->shares);
  double             sum[2] = {0}, slope = 0;

  if (!solve_rows(relaxation))
    return FALSE;
  derive(relaxation);
  for (gsize i = 0; i < n; i++)
    trial[i] = relaxation->right[2 * i];
  if (!lac_dense_cholesky_solve(relaxation->hessian, n, relaxation->right, 2))
    return FALSE;
  for (gsize i = 0; i < 2 * n; i++)
    sum[i % 2] += relaxation->right[i];
  for (gsize i = 0; i < n; i++) {
    relaxation->right[i] =
      relaxation->right[2 * i] - sum[0] / sum[1] * relaxation->right[2 * i + 1];
    slope += relaxation->right[i] * trial[i];
  }
  if (slope < 1e-6 * (double) n * relaxation->barrier)
    return FALSE;
  for (double length = 1; length > 1e-8; length /= 2) {
    for (gsize i = 0; i < n; i++)
      trial[i] = relaxation->shares[i] + length * relaxation->right[i];
    if (objective(relaxation, trial) > before + 0.1 * length * slope) {
      memcpy(relaxation->shares, trial, n * sizeof *trial);
      return TRUE;
    }
  }
  return FALSE;
}

/* f(beta') <= f(beta) + grad f . (beta' - beta) for every design beta' of the open points. @gradient: (out): [n_points] */
static double
find_bound(Relaxation *relaxation, const LacCandidates *candidates, double *gradient, double *value)
{
  const gsize        n = candidates->problem->n_points;
  g_autofree Ranked *ranked = g_new(Ranked, n);
  double             bound = *value = log_det_at(relaxation, relaxation->shares);
  gsize              n_ranked = 0;

  lac_information_gains(&relaxation->information, LAC_CRITERION_GRADIENT, gradient);
  for (gsize i = 0; i < relaxation->n; i++)
    bound -= relaxation->shares[i] * gradient[relaxation->points[i]];
  for (gsize i = 0; i < n; i++)
    if (candidates->open[i])
      ranked[n_ranked++] = (Ranked){gradient[i], i};
  qsort(ranked, n_ranked, sizeof *ranked, compare);
  for (gsize k = 0; k < relaxation->n_sensors; k++)
    bound += ranked[k].score;
  return bound;
}

/* Selects the points with the largest scores, with equal weights. */
static void
begin_round(Relaxation *relaxation, const LacCandidates *candidates, const double *scores)
{
  const gsize        n = candidates->problem->n_points;
  g_autofree Ranked *ranked = g_new(Ranked, n);
  gsize              n_ranked = 0;

  for (gsize i = 0; i < n; i++)
    if (candidates->open[i])
      ranked[n_ranked++] = (Ranked){scores[i], i};
  qsort(ranked, n_ranked, sizeof *ranked, compare);
  for (gsize i = 0; i < relaxation->n; i++) {
    relaxation->points[i] = ranked[i].point;
    relaxation->shares[i] = (double) relaxation->n_sensors / (double) relaxation->n;
  }
}

static void
relax(Relaxation *relaxation)
{
  for (relaxation->barrier = 1; 2 * (double) relaxation->n * relaxation->barrier > GAP / 2;
       relaxation->barrier /= 10)
    for (int i = 0; i < MAX_NEWTON && step(relaxation); i++)
      ;
}

/* @shares: (out): [n_points]. Returns: the smallest bound of all rounds. */
static double
relax_all(Relaxation *relaxation, const LacCandidates *candidates, double *shares)
{
  const gsize        n = candidates->problem->n_points;
  g_autofree double *gradient = g_new(double, n);
  double             least = (double) INFINITY, value;

  log_det_at(relaxation, relaxation->shares); /* with weights 0: the initial value */
  lac_information_gains(&relaxation->information, LAC_CRITERION_GRADIENT, gradient);
  for (int round = 0; round < MAX_ROUNDS; round++) {
    begin_round(relaxation, candidates, gradient);
    relax(relaxation);
    least = MIN(least, find_bound(relaxation, candidates, gradient, &value));
    memset(shares, 0, n * sizeof *shares);
    for (gsize i = 0; i < relaxation->n; i++)
      shares[relaxation->points[i]] = relaxation->shares[i];
    if (least - value < GAP)
      break;
    for (gsize i = 0; i < relaxation->n; i++) /* points with a weight stay */
      gradient[relaxation->points[i]] += shares[relaxation->points[i]];
  }
  return least;
}

static double
bound_and_shares(const LacCandidates *candidates, double *shares)
{
  const LacPlacementProblem *problem = candidates->problem;
  Relaxation                 relaxation = {.problem = problem, .n_sensors = candidates->n_sensors};
  double                     bound;

  relaxation.n = MIN(candidates->n_open, MAX(MAX_CANDIDATES, 4 * candidates->n_sensors));
  relaxation.points = g_new0(gsize, relaxation.n);
  relaxation.shares = g_new0(double, relaxation.n);
  relaxation.rows = g_new(double, relaxation.n * problem->n_components * problem->n_modes);
  relaxation.hessian = g_new(double, relaxation.n *relaxation.n);
  relaxation.right = g_new(double, 2 * relaxation.n);
  bound = relax_all(&relaxation, candidates, shares);
  lac_information_clear(&relaxation.information);
  g_free(relaxation.points);
  g_free(relaxation.shares);
  g_free(relaxation.rows);
  g_free(relaxation.hessian);
  g_free(relaxation.right);
  return bound;
}

static gboolean
choose(const LacPlacementProblem *problem,
       LacRng                    *rng,
       gsize                     *places,
       gsize                      n_sensors,
       GError                   **error)
{
  g_auto(LacCandidates) candidates = {0};
  g_autofree double    *shares = g_new0(double, MAX(problem->n_points, 1));
  double                bound = (double) NAN;

  (void) rng;
  if (!lac_candidates_init(&candidates, problem, places, n_sensors, error))
    return FALSE;
  if (n_sensors > 0 && n_sensors < candidates.n_open && problem->n_modes > 0)
    bound = bound_and_shares(&candidates, shares);
  while (candidates.n_taken < n_sensors) {
    const gsize best = lac_candidates_find_best(&candidates, shares);

    if (!lac_candidates_take(&candidates, best, error))
      return FALSE;
  }
  lac_placement_exchange(problem, places, n_sensors);
  if (problem->upper_bound)
    *problem->upper_bound =
      isnan(bound) ? lac_placement_log_det(problem, places, n_sensors) : bound;
  return TRUE;
}

const LacPlacementMethod lac_placement_method_convex = {
  .name = "convex",
  .title = N_("Convex relaxation with upper bound"),
  .formula = "max log det(A_0 + Σ β_i Φ_iᵀΦ_i/η²) over 0 ≤ β ≤ 1, Σ β = K; rounded, then exchanged",
  .source = "Joshi and Boyd (2009), doi:10.1109/TSP.2008.2007095",
  .choose = choose,
};
