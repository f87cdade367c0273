/* SPDX-License-Identifier: GPL-3.0-or-later */
/* E-optimal: greedy steps of the smallest eigenvalue, that of the least certain direction. Eigenvalues of A with a
 * point added are counted by inertia in the eigenbasis of A, so that one count decides most points. */
#include "backend/dense.h"
#include "sensor/information.h"
#include "sensor/share.h"

#include <glib/gi18n-lib.h>

#include <float.h>
#include <math.h>
#include <string.h>

#define MAX_COMPONENTS LAC_PLACEMENT_MAX_COMPONENTS

typedef struct {
  const LacCandidates *candidates;
  gsize                n_modes, n_components;
  double               variance;
  gsize         n_skipped; /* number of unobservable directions: the smallest eigenvalues, all 0 */
  const double *basis;     /* [n_modes][n_modes]: eigenvectors of A in rows */
  const double *values;    /* [n_modes]: its eigenvalues, smallest first */
  double       *best;      /* [blocks]: score of the block's best point */
  gsize        *places;    /* [blocks]; n_points if there is none */
} Search;

/* Counts the negative eigenvalues of a symmetric matrix [n][n], destroyed: by Sylvester's law, the negative pivots of
 * its elimination. */
static gsize
count_negative(double *a, gsize n)
{
  gsize count = 0;

  for (gsize k = 0; k < n; k++) {
    count += a[k * n + k] < 0;
    for (gsize i = k + 1; i < n; i++)
      for (gsize j = k + 1; j < n; j++)
        a[i * n + j] -= a[i * n + k] * a[k * n + j] / a[k * n + k];
  }
  return count;
}

/* Counts the eigenvalues of A + Y Y^t / eta^2 below @limit: those of A minus the negative ones of 1 + Y^t (A -
 * limit)^-1 Y / eta^2. y: [components][n_modes] in the eigenbasis. */
static gsize
count_below(const Search *search, const double *y, double limit)
{
  const gsize r = search->n_modes, n = search->n_components;
  double      small[MAX_COMPONENTS * MAX_COMPONENTS] = {0}, inverse;
  gsize       below = 0;

  for (gsize a = 0; a < n; a++)
    small[a * n + a] = 1;
  for (gsize k = 0; k < r; k++) {
    double gap = search->values[k] - limit;

    if (fabs(gap) < DBL_EPSILON * DBL_EPSILON * limit || gap == 0)
      gap = -MAX(DBL_EPSILON * DBL_EPSILON * limit, DBL_MIN);
    below += gap < 0;
    inverse = 1 / (gap * search->variance);
    for (gsize a = 0; a < n; a++)
      for (gsize b = 0; b < n; b++)
        small[a * n + b] += y[a * r + k] * y[b * r + k] * inverse;
  }
  return below - count_negative(small, n);
}

/* Finds the smallest relevant eigenvalue between @low, which it reaches, and the bound given by the norms. */
static double
find_value(const Search *search, const double *y, double low)
{
  const gsize r = search->n_modes, above = search->n_skipped + search->n_components;
  double      high = search->values[MIN(above, r - 1)];

  if (above >= r)
    for (gsize i = 0; i < search->n_components * r; i++)
      high += y[i] * y[i] / search->variance;
  while (high - low > DBL_EPSILON * high) {
    const double middle = low + (high - low) / 2;

    if (middle <= low || middle >= high)
      break;
    if (count_below(search, y, middle) <= search->n_skipped)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void
rotate(const Search *search, gsize point, double *y)
{
  const LacPlacementProblem *problem = search->candidates->problem;
  const gsize                r = search->n_modes, n = search->n_components;
  const gsize                stride = n * problem->n_points;

  memset(y, 0, n * r * sizeof *y);
  for (gsize a = 0; a < n; a++)
    for (gsize i = 0; i < r; i++) {
      const double phi = problem->modes[i * stride + a * problem->n_points + point];

      for (gsize k = 0; k < r; k++)
        y[a * r + k] += search->basis[k * r + i] * phi;
    }
}

static void
search_block(gsize block, guint worker, gpointer user_data)
{
  const Search              *search = user_data;
  const LacPlacementProblem *problem = search->candidates->problem;
  g_autofree double         *y = g_new(double, search->n_components * search->n_modes);
  double                     best = -(double) INFINITY;
  gsize                      place = problem->n_points;

  (void) worker;
  for (gsize i = block * LAC_SHARE_BLOCK; i < lac_share_end(block, problem->n_points); i++) {
    const double cost = problem->cost ? problem->cost[i] : 0;
    const double least = search->values[search->n_skipped];
    double       limit = least, score;

    if (!search->candidates->open[i])
      continue;
    if (place < problem->n_points)
      limit = best + cost + LAC_CANDIDATES_EQUAL * fabs(best + cost);
    rotate(search, i, y);
    if (limit > least && count_below(search, y, limit) > search->n_skipped)
      continue;
    score = find_value(search, y, MAX(least, limit)) - cost;
    if (score > best) {
      best = score;
      place = i;
    }
  }
  search->best[block] = best;
  search->places[block] = place;
}

/* Returns: the best point; n_points if none is comparable. */
static gsize
find_best(Search *search, gsize n_blocks)
{
  const LacPlacementProblem *problem = search->candidates->problem;
  gsize                      best = problem->n_points;
  double                     most = -(double) INFINITY;

  lac_share_blocks(problem->pool, problem->n_points, search_block, search);
  for (gsize block = 0; block < n_blocks; block++)
    if (search->places[block] < problem->n_points &&
        lac_candidates_is_better(search->best[block], most)) {
      most = search->best[block];
      best = search->places[block];
    }
  return best;
}

static gboolean
find_eigenbasis(const LacInformation *information, double *basis, double *values)
{
  const gsize r = information->problem->n_modes;

  memcpy(basis, information->matrix, r * r * sizeof *basis);
  if (!lac_dense_eigh(basis, r, values))
    return FALSE;
  for (gsize i = 0, j = r - 1; i < j; i++, j--)
    for (gsize k = 0; k <= r; k++) {
      double *a = k < r ? basis + i * r + k : values + i,
             *b = k < r ? basis + j * r + k : values + j;
      const double t = *a;

      *a = *b;
      *b = t;
    }
  for (gsize i = 0; i < r; i++)
    values[i] = MAX(values[i], 0);
  return TRUE;
}

static gboolean
choose_all(LacCandidates *candidates, LacInformation *information, GError **error)
{
  const LacPlacementProblem *problem = candidates->problem;
  const gsize        r = problem->n_modes, n_blocks = problem->n_points / LAC_SHARE_BLOCK + 1;
  g_autofree double *basis = g_new(double, MAX(r * r, 1)), *values = g_new(double, MAX(r, 1));
  g_autofree double *best = g_new(double, n_blocks);
  g_autofree gsize  *places = g_new(gsize, n_blocks);
  Search             search = {
                candidates, r, problem->n_components, information->variance, 0, basis, values, best, places};

  while (candidates->n_taken < candidates->n_sensors) {
    const gsize n_seen = (candidates->n_taken + 1) * problem->n_components;
    gsize       point = problem->n_points;

    search.n_skipped = problem->deviations || n_seen >= r ? 0 : r - n_seen;
    for (gsize k = 0; k < n_blocks; k++)
      places[k] = problem->n_points;
    if (find_eigenbasis(information, basis, values))
      point = find_best(&search, n_blocks);
    if (!lac_candidates_take(candidates, point, error))
      return FALSE;
    lac_information_add(information, point, 1);
  }
  return TRUE;
}

static gboolean
choose(const LacPlacementProblem *problem,
       LacRng                    *rng,
       gsize                     *places,
       gsize                      n_sensors,
       GError                   **error)
{
  const gsize            r = problem->n_modes;
  g_auto(LacCandidates)  candidates = {0};
  g_auto(LacInformation) information = {0};

  (void) rng;
  if (!lac_candidates_init(&candidates, problem, places, n_sensors, error))
    return FALSE;
  if (r == 0)
    return lac_greedy_choose(&candidates, NULL, LAC_CRITERION_LOG_DET, error);
  lac_information_init(&information, problem, problem->deviations);
  if (!problem->deviations)
    memset(information.matrix, 0, r * r * sizeof *information.matrix);
  return choose_all(&candidates, &information, error);
}

/* Returns: the eigenvalue that one sensor adds at most. */
static double
largest_gain(const LacPlacementProblem *problem)
{
  g_auto(LacInformation) information = {0};

  lac_information_init(&information, problem, problem->deviations);
  return lac_placement_largest_norm2(problem) / information.variance;
}

const LacPlacementMethod lac_placement_method_e_optimal = {
  .name = "e-optimal",
  .title = N_("E-optimal (smallest eigenvalue), greedy"),
  .formula = "γ = argmax λ_min(A + Φ_iᵀΦ_i/η²) − cost_i, A = S⁻² + Σ Φ_iᵀΦ_i/η²; without S the "
             "smallest eigenvalue that the "
             "sensors can make positive",
  .source = "Nakai et al. (2021), doi:10.1109/ACCESS.2021.3067712",
  .choose = choose,
  .largest_gain = largest_gain,
};
