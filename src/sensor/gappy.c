/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gappy POD: the map from values to coefficients is computed once per set of missing values. */
#include "sensor/gappy.h"

#include "backend/dense.h"
#include "base/error.h"
#include "sensor/share.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- maps from values to coefficients ---- */

/* The posterior is solved for a / S, whose normal matrix is as well conditioned as the signal-to-noise ratio allows. */

/* Modes and means at all sensors, including those with missing values */
typedef struct {
  const LacPod  *pod;
  LacGappyMethod method;
  gsize          n_values;
  double        *means;     /* [n_values] */
  double        *seen;      /* T: [n_values][n_modes] */
  double        *noises;    /* [n_values]: variance of the measurement only */
  double        *variances; /* [n_values]: including that of the truncated modes */
} Design;

static gboolean
check_noise(const LacGappySettings *settings, GError **error)
{
  for (gsize k = 0; k < settings->n_values; k++) {
    const double noise = settings->noises ? settings->noises[k] : settings->noise;

    if (!(noise > 0) || !isfinite(noise)) {
      char text[G_ASCII_DTOSTR_BUF_SIZE];

      g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                  "the noise of measurement %" G_GSIZE_FORMAT
                  " is %s; its standard deviation must be above 0",
                  k + 1, g_ascii_dtostr(text, sizeof text, noise));
      return FALSE;
    }
  }
  return TRUE;
}

static LacStencil
get_stencil(const LacGappySettings *settings, gsize k)
{
  if (settings->rows)
    return (LacStencil){{settings->rows[k]}, {1}};
  return settings->stencils[k];
}

/* Adds a stencil. Its points are neighbours, so their truncation errors add up coherently. */
static void
add_stencil(Design *design, gsize k, const LacStencil *stencil)
{
  const LacPod *pod = design->pod;
  double        left = 0;

  for (gsize s = 0; s < LAC_STENCIL_SIZE; s++) {
    const double weight = stencil->weights[s];
    const gsize  row = stencil->rows[s];

    if (weight == 0)
      continue;
    g_assert(row < pod->n);
    design->means[k] += weight * pod->mean[row];
    left += fabs(weight) * pod->truncation[row];
    for (gsize r = 0; r < pod->n_modes; r++)
      design->seen[k * pod->n_modes + r] += weight * pod->modes[r * pod->n + row];
  }
  design->variances[k] = design->noises[k] + left * left;
}

/* Returns: %FALSE with an error. */
static gboolean
design_init(Design *design, const LacGappySettings *settings, GError **error)
{
  const LacPod *pod = settings->pod;
  const gsize   m = settings->n_values;

  *design = (Design){.pod = pod, .method = settings->method, .n_values = m};
  if (!check_noise(settings, error))
    return FALSE;
  design->means = g_new0(double, MAX(m, 1));
  design->seen = g_new0(double, MAX(m * pod->n_modes, 1));
  design->noises = g_new0(double, MAX(m, 1));
  design->variances = g_new0(double, MAX(m, 1));
  for (gsize k = 0; k < m; k++) {
    const LacStencil stencil = get_stencil(settings, k);
    const double     noise = settings->noises ? settings->noises[k] : settings->noise;

    design->noises[k] = noise * noise;
    add_stencil(design, k, &stencil);
  }
  return TRUE;
}

static void
design_clear(Design *design)
{
  g_clear_pointer(&design->means, g_free);
  g_clear_pointer(&design->seen, g_free);
  g_clear_pointer(&design->noises, g_free);
  g_clear_pointer(&design->variances, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Design, design_clear)

/* (1 + S T^t N^-1 T S) (a / S) = S T^t N^-1 y */
static gboolean
map_of_posterior(const Design *design, const guint8 *present, double *map)
{
  const gsize        r = design->pod->n_modes, m = design->n_values;
  const double      *spread = design->pod->deviations;
  g_autofree double *normal = g_new0(double, MAX(r * r, 1));

  for (gsize i = 0; i < r; i++)
    for (gsize k = 0; k < m; k++)
      map[i * m + k] = present[k] ? spread[i] * design->seen[k * r + i] / design->variances[k] : 0;
  for (gsize i = 0; i < r; i++) {
    for (gsize j = 0; j < r; j++) {
      double sum = 0;

      for (gsize k = 0; k < m; k++)
        sum += map[i * m + k] * design->seen[k * r + j];
      normal[i * r + j] = sum * spread[j];
    }
    normal[i * r + i] += 1;
  }
  if (!lac_dense_cholesky_solve(normal, r, map, m))
    return FALSE;
  for (gsize i = 0; i < r; i++)
    for (gsize k = 0; k < m; k++)
      map[i * m + k] *= spread[i];
  return TRUE;
}

/* Computes the pseudo-inverse of the present rows of T, each divided by its noise. */
static gboolean
map_of_least_squares(const Design *design, const guint8 *present, double *map)
{
  const gsize        r = design->pod->n_modes, m = design->n_values;
  g_autofree double *rows = g_new0(double, MAX(m * r, 1));
  g_autofree double *right = g_new0(double, MAX(MAX(m, r) * m, 1));
  gsize              n = 0;

  for (gsize k = 0; k < m; k++) {
    const double weight = 1 / sqrt(design->noises[k]);

    if (!present[k])
      continue;
    for (gsize i = 0; i < r; i++)
      rows[n * r + i] = weight * design->seen[k * r + i];
    right[n * m + k] = weight;
    n++;
  }
  if (n > 0 && !lac_dense_least_squares(rows, n, r, right, m))
    return FALSE;
  for (gsize i = 0; i < r; i++)
    for (gsize k = 0; k < m; k++)
      map[i * m + k] = n > 0 ? right[i * m + k] : 0;
  return TRUE;
}

/* @present: [n_values]; @map: (out): [n_modes][n_values], columns of missing values zero. Returns: %FALSE if there is
 * no finite solution. */
static gboolean
make_map(const Design *design, const guint8 *present, double *map)
{
  const gsize n = design->pod->n_modes * design->n_values;

  if (n == 0)
    return TRUE;
  switch (design->method) {
  case LAC_GAPPY_BAYES:
    if (!map_of_posterior(design, present, map))
      return FALSE;
    break;
  case LAC_GAPPY_LEAST_SQUARES:
    if (!map_of_least_squares(design, present, map))
      return FALSE;
    break;
  }
  for (gsize i = 0; i < n; i++)
    if (!isfinite(map[i]))
      return FALSE;
  return TRUE;
}

/* @covariance: (out): [n_modes][n_modes] of the coefficient error: (1 - M T) S^2 (1 - M T)^t + M N M^t */
static void
find_covariance(const Design *design, const double *map, double *covariance)
{
  const gsize        r = design->pod->n_modes, m = design->n_values;
  const double      *spread = design->pod->deviations;
  g_autofree double *blind = g_new(double, MAX(r * r, 1)); /* (1 - M T) S */

  for (gsize i = 0; i < r; i++)
    for (gsize j = 0; j < r; j++) {
      double sum = i == j;

      for (gsize k = 0; k < m; k++)
        sum -= map[i * m + k] * design->seen[k * r + j];
      blind[i * r + j] = sum * spread[j];
    }
  for (gsize i = 0; i < r; i++)
    for (gsize j = 0; j <= i; j++) {
      double sum = 0;

      for (gsize k = 0; k < r; k++)
        sum += blind[i * r + k] * blind[j * r + k];
      for (gsize k = 0; k < m; k++)
        sum += map[i * m + k] * design->variances[k] * map[j * m + k];
      covariance[i * r + j] = covariance[j * r + i] = sum;
    }
}

/* ---- solutions ---- */

#define MAX_MAPS \
  32 /* number of cached sets of missing values; one more clears all but the complete set */

typedef struct {
  double *map;       /* [n_modes][n_values] */
  double *root;      /* [n_modes][n_modes]: covariance = root^t root; NULL until needed */
  double *deviation; /* [pod->n]; NULL until needed */
} Solution;

struct _LacGappy {
  Design      design;
  Solution   *complete;
  GHashTable *partial; /* GBytes of `present` -> Solution */
  guint8     *present; /* [n_values] */
  double     *fluctuations;
  double     *coefficients;
};

static void
solution_free(gpointer data)
{
  Solution *solution = data;

  g_free(solution->map);
  g_free(solution->root);
  g_free(solution->deviation);
  g_free(solution);
}

static Solution *
solve(const LacGappy *gappy)
{
  const gsize n = gappy->design.n_values * gappy->design.pod->n_modes;
  Solution   *solution = g_new0(Solution, 1);

  solution->map = g_new0(double, MAX(n, 1));
  if (make_map(&gappy->design, gappy->present, solution->map))
    return solution;
  solution_free(solution);
  return NULL;
}

LacGappy *
lac_gappy_new_with(const LacGappySettings *settings, GError **error)
{
  g_autoptr(LacGappy) gappy = g_new0(LacGappy, 1);
  const gsize         m = settings->n_values;

  if (!design_init(&gappy->design, settings, error))
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
              "the modes cannot be distinguished at the sensors; move or add sensors");
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
  design_clear(&gappy->design);
  g_clear_pointer(&gappy->complete, solution_free);
  g_clear_pointer(&gappy->partial, g_hash_table_unref);
  g_free(gappy->present);
  g_free(gappy->fluctuations);
  g_free(gappy->coefficients);
  g_free(gappy);
}

/* If the remaining values have no solution, missing values are replaced by their mean. */
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

/* Fills `present` and `fluctuations`; missing values are 0. */
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

/* Computes the rows of the root: eigenvectors times their standard deviations. */
static void
make_root(const LacGappy *gappy, Solution *solution)
{
  const gsize        r = gappy->design.pod->n_modes;
  g_autofree double *variances = g_new0(double, MAX(r, 1));

  solution->root = g_new0(double, MAX(r * r, 1));
  find_covariance(&gappy->design, solution->map, solution->root);
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

/* Returns the deviation of each entry, which depends on the values only by those that are missing. */
static const double *
find_deviation(const LacGappy *gappy, Solution *solution, LacPool *pool)
{
  Spread spread = {.pod = gappy->design.pod};

  if (solution->deviation)
    return solution->deviation;
  if (!solution->root)
    make_root(gappy, solution);
  spread.root = solution->root;
  spread.deviation = solution->deviation = g_new(double, spread.pod->n);
  lac_share_blocks(pool, spread.pod->n, spread_block, &spread);
  return solution->deviation;
}

void
lac_gappy_get_deviation(LacGappy *gappy, const double *values, LacPool *pool, double *deviation)
{
  memcpy(deviation, find_deviation(gappy, read_values(gappy, values), pool),
         gappy->design.pod->n * sizeof *deviation);
}

void
lac_gappy_prepare_deviation(LacGappy *gappy, LacPool *pool)
{
  find_deviation(gappy, gappy->complete, pool);
}

/* Returns the residual of value @k without itself; NaN if it is missing or the others do not determine it.
 * @variance: by the model. The coefficients are those of all values. */
static double
leave_out(const LacGappy *gappy, const Solution *solution, gsize k, double *variance)
{
  static const double least =
    1e-9; /* threshold of 1 - H_kk: below it, the other values do not determine this one */
  const gsize   r = gappy->design.pod->n_modes, m = gappy->design.n_values;
  const double *seen = gappy->design.seen + k * r;
  double        rest = gappy->fluctuations[k], free_share = 1;

  for (gsize i = 0; i < r; i++) {
    rest -= seen[i] * gappy->coefficients[i];
    free_share -= seen[i] * solution->map[i * m + k];
  }
  *variance = gappy->design.variances[k] / free_share;
  return gappy->present[k] && free_share > least ? rest / free_share : (double) NAN;
}

void
lac_gappy_leave_one_out(LacGappy *gappy, const double *values, double *errors)
{
  const Solution *solution = read_values(gappy, values);
  double          variance;

  lac_gappy_get_coefficients(gappy, values, gappy->coefficients);
  for (gsize k = 0; k < gappy->design.n_values; k++)
    errors[k] = leave_out(gappy, solution, k, &variance);
}

void
lac_gappy_add_surprise(LacGappy *gappy, const double *values, double *sum, gsize *n)
{
  const Solution *solution = read_values(gappy, values);

  lac_gappy_get_coefficients(gappy, values, gappy->coefficients);
  for (gsize k = 0; k < gappy->design.n_values; k++) {
    double       variance;
    const double residual = leave_out(gappy, solution, k, &variance);

    if (!isfinite(residual))
      continue;
    *sum += residual * residual / variance;
    (*n)++;
  }
}

/* The eigenvalues of [0 T; T^t 0] are the singular values of T and their negatives: no digits are lost by squaring. */
static double
find_condition(const Design *design)
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
lac_gappy_evaluate(const LacGappySettings *settings, LacLayoutQuality *quality, GError **error)
{
  const LacPod      *pod = settings->pod;
  const gsize        r = pod->n_modes, m = settings->n_values;
  g_auto(Design)     design = {0};
  g_autofree double *map = g_new0(double, MAX(r * m, 1)), *covariance = NULL;
  g_autofree guint8 *present = g_new(guint8, MAX(m, 1));
  double             sum = 0;

  memset(present, TRUE, m);
  if (!design_init(&design, settings, error))
    return FALSE;
  if (!make_map(&design, present, map)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED,
                "the modes cannot be distinguished at the sensors; move or add sensors");
    return FALSE;
  }
  covariance = g_new0(double, MAX(r * r, 1));
  find_covariance(&design, map, covariance);
#pragma omp simd reduction(+ : sum)
  for (gsize j = 0; j < pod->n; j++)
    sum += pod->truncation[j] * pod->truncation[j];
  for (gsize i = 0; i < r; i++)
    sum += covariance[i * r + i];
  quality->condition = find_condition(&design);
  quality->expected_error = sqrt(sum / (double) pod->n) / pod->rms;
  return TRUE;
}
