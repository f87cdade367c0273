/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gappy POD: the map from values to coefficients is made once for each set of missing values. */
#include "sensor/gappy.h"

#include "backend/dense.h"
#include "base/error.h"
#include "sensor/gappy-map.h"
#include "sensor/share.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MAX_MAPS \
  32 /* sets of missing values remembered; one more and all but the complete one are forgotten */

typedef struct {
  double *map;  /* [n_modes][n_values] */
  double *root; /* [n_modes][n_modes]: covariance = root^t root; NULL until asked for */
} Solution;

struct _LacGappy {
  LacGappyDesign design;
  Solution      *complete;
  GHashTable    *partial; /* GBytes of `present` to Solution */
  guint8        *present; /* [n_values] */
  double        *fluctuations;
  double        *coefficients;
};

static void
solution_free(gpointer data)
{
  Solution *solution = data;

  g_free(solution->map);
  g_free(solution->root);
  g_free(solution);
}

static Solution *
solve(const LacGappy *gappy)
{
  const gsize n = gappy->design.n_values * gappy->design.pod->n_modes;
  Solution   *solution = g_new0(Solution, 1);

  solution->map = g_new0(double, MAX(n, 1));
  if (lac_gappy_make_map(&gappy->design, gappy->present, solution->map))
    return solution;
  solution_free(solution);
  return NULL;
}

LacGappy *
lac_gappy_new_with(const LacGappySettings *settings, GError **error)
{
  g_autoptr(LacGappy) gappy = g_new0(LacGappy, 1);
  const gsize         m = settings->n_values;

  if (!lac_gappy_design_init(&gappy->design, settings, error))
    return NULL;
  gappy->present = g_new(guint8, MAX(m, 1));
  memset(gappy->present, TRUE, m);
  gappy->fluctuations = g_new0(double, MAX(m, 1));
  gappy->coefficients = g_new0(double, MAX(settings->pod->n_modes, 1));
  gappy->partial = g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
                                         (GDestroyNotify) g_bytes_unref, solution_free);
  gappy->complete = solve(gappy);
  if (gappy->complete)
    return g_steal_pointer(&gappy);
  g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED,
              "the sensors cannot tell the modes apart; move or add sensors");
  return NULL;
}

LacGappy *
lac_gappy_new(const LacPod *pod, const gsize *rows, gsize n_values, double noise)
{
  const LacGappySettings settings = {
    .pod = pod,
    .rows = rows,
    .n_values = n_values,
    .noise = noise,
    .method = LAC_GAPPY_BAYES,
  };

  return lac_gappy_new_with(&settings, NULL);
}

void
lac_gappy_free(LacGappy *gappy)
{
  if (!gappy)
    return;
  lac_gappy_design_clear(&gappy->design);
  g_clear_pointer(&gappy->complete, solution_free);
  g_clear_pointer(&gappy->partial, g_hash_table_unref);
  g_free(gappy->present);
  g_free(gappy->fluctuations);
  g_free(gappy->coefficients);
  g_free(gappy);
}

/* Should the rest not be solvable, missing values count as seen at their mean. */
static Solution *
get_partial(LacGappy *gappy)
{
  g_autoptr(GBytes) key = g_bytes_new(gappy->present, gappy->design.n_values);
  Solution         *solution = g_hash_table_lookup(gappy->partial, key);

  if (solution)
    return solution;
  solution = solve(gappy);
  if (!solution)
    return gappy->complete;
  if (g_hash_table_size(gappy->partial) == MAX_MAPS)
    g_hash_table_remove_all(gappy->partial);
  g_hash_table_insert(gappy->partial, g_steal_pointer(&key), solution);
  return solution;
}

/* Fills `present` and `fluctuations`, 0 where a value is missing. */
static Solution *
read_values(LacGappy *gappy, const double *values)
{
  gboolean complete = TRUE;

  for (gsize k = 0; k < gappy->design.n_values; k++) {
    gappy->present[k] = !values || isfinite(values[k]);
    gappy->fluctuations[k] = values && gappy->present[k] ? values[k] - gappy->design.means[k] : 0;
    complete &= gappy->present[k];
  }
  return complete ? gappy->complete : get_partial(gappy);
}

void
lac_gappy_get_coefficients(LacGappy *gappy, const double *values, double *coefficients)
{
  const gsize     m = gappy->design.n_values;
  const Solution *solution = read_values(gappy, values);

  for (gsize i = 0; i < gappy->design.pod->n_modes; i++) {
    double a = 0;

    for (gsize k = 0; k < m; k++)
      a += solution->map[i * m + k] * gappy->fluctuations[k];
    coefficients[i] = a;
  }
}

void
lac_gappy_reconstruct(LacGappy *gappy, const double *values, double *field)
{
  const LacPod *pod = gappy->design.pod;

  lac_gappy_get_coefficients(gappy, values, gappy->coefficients);
  memcpy(field, pod->mean, pod->n * sizeof *field);
  for (gsize i = 0; i < pod->n_modes; i++) {
    const double *mode = pod->modes + i * pod->n;
    const double  a = gappy->coefficients[i];

#pragma omp simd
    for (gsize j = 0; j < pod->n; j++)
      field[j] += a * mode[j];
  }
}

/* Rows of the root: eigenvectors, each times the deviation along it. */
static void
make_root(const LacGappy *gappy, Solution *solution)
{
  const gsize        r = gappy->design.pod->n_modes;
  g_autofree double *variances = g_new0(double, MAX(r, 1));

  solution->root = g_new0(double, MAX(r * r, 1));
  lac_gappy_find_covariance(&gappy->design, solution->map, solution->root);
  if (r == 0 || !lac_dense_eigh(solution->root, r, variances))
    return;
  for (gsize i = 0; i < r; i++)
    for (gsize j = 0; j < r; j++)
      solution->root[i * r + j] *= sqrt(MAX(variances[i], 0));
}

typedef struct {
  const LacPod *pod;
  const double *root;
  double       *deviation;
} Spread;

static void
spread_block(gsize block, guint worker, gpointer user_data)
{
  const Spread *spread = user_data;
  const LacPod *pod = spread->pod;
  const gsize   r = pod->n_modes, begin = block * LAC_SHARE_BLOCK;
  const gsize   n = lac_share_end(block, pod->n) - begin;
  double        sums[LAC_SHARE_BLOCK], part[LAC_SHARE_BLOCK];

  (void) worker;
  for (gsize j = 0; j < n; j++)
    sums[j] = pod->truncation[begin + j] * pod->truncation[begin + j];
  for (gsize i = 0; i < r; i++) {
    memset(part, 0, sizeof part);
    for (gsize k = 0; k < r; k++) {
      const double  factor = spread->root[i * r + k];
      const double *mode = pod->modes + k * pod->n + begin;

#pragma omp simd
      for (gsize j = 0; j < n; j++)
        part[j] += factor * mode[j];
    }
#pragma omp simd
    for (gsize j = 0; j < n; j++)
      sums[j] += part[j] * part[j];
  }
  for (gsize j = 0; j < n; j++)
    spread->deviation[begin + j] = sqrt(sums[j]);
}

void
lac_gappy_get_deviation(LacGappy *gappy, const double *values, LacPool *pool, double *deviation)
{
  Solution *solution = read_values(gappy, values);
  Spread    spread = {.pod = gappy->design.pod, .deviation = deviation};

  if (!solution->root)
    make_root(gappy, solution);
  spread.root = solution->root;
  lac_share_blocks(pool, spread.pod->n, spread_block, &spread);
}

void
lac_gappy_leave_one_out(LacGappy *gappy, const double *values, double *errors)
{
  static const double least = 1e-9; /* of 1 - H_kk: below, the value stands alone */
  const gsize         r = gappy->design.pod->n_modes, m = gappy->design.n_values;
  const Solution     *solution = read_values(gappy, values);

  lac_gappy_get_coefficients(gappy, values, gappy->coefficients);
  for (gsize k = 0; k < m; k++) {
    const double *seen = gappy->design.seen + k * r;
    double        rest = gappy->fluctuations[k], free_share = 1;

    for (gsize i = 0; i < r; i++) {
      rest -= seen[i] * gappy->coefficients[i];
      free_share -= seen[i] * solution->map[i * m + k];
    }
    errors[k] = gappy->present[k] && free_share > least ? rest / free_share : (double) NAN;
  }
}

/* Eigenvalues of [0 T; T^t 0] are the singular values of T and their negatives: no digits are lost to squares. */
static double
find_condition(const LacGappyDesign *design)
{
  const gsize        r = design->pod->n_modes, m = design->n_values, n = r + m;
  const gsize        rank = MIN(r, m);
  g_autofree double *both = g_new0(double, MAX(n * n, 1)), *values = g_new0(double, MAX(n, 1));

  if (rank == 0)
    return INFINITY;
  for (gsize k = 0; k < m; k++)
    for (gsize i = 0; i < r; i++)
      both[k * n + m + i] = both[(m + i) * n + k] = design->seen[k * r + i];
  if (!lac_dense_eigh(both, n, values) || values[rank - 1] <= (double) n * DBL_EPSILON * values[0])
    return INFINITY;
  return values[0] / values[rank - 1];
}

gboolean
lac_gappy_judge(const LacGappySettings *settings, LacLayoutQuality *quality, GError **error)
{
  const LacPod          *pod = settings->pod;
  const gsize            r = pod->n_modes, m = settings->n_values;
  g_auto(LacGappyDesign) design = {0};
  g_autofree double     *map = g_new0(double, MAX(r * m, 1)), *covariance = NULL;
  g_autofree guint8     *present = g_new(guint8, MAX(m, 1));
  double                 sum = 0;

  memset(present, TRUE, m);
  if (!lac_gappy_design_init(&design, settings, error))
    return FALSE;
  if (!lac_gappy_make_map(&design, present, map)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED,
                "the sensors cannot tell the modes apart; move or add sensors");
    return FALSE;
  }
  covariance = g_new0(double, MAX(r * r, 1));
  lac_gappy_find_covariance(&design, map, covariance);
#pragma omp simd reduction(+ : sum)
  for (gsize j = 0; j < pod->n; j++)
    sum += pod->truncation[j] * pod->truncation[j];
  for (gsize i = 0; i < r; i++)
    sum += covariance[i * r + i];
  quality->condition = find_condition(&design);
  quality->expected_error = sqrt(sum / (double) pod->n) / pod->rms;
  return TRUE;
}
