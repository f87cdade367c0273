/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Without a taper, the weights applied to any ensemble give the mean and the covariance of the formulas that they stand
 * for: Kalman's for the square root, (1 - K H / 2) P (1 - K H / 2)^T for the DEnKF. */
#include "backend/dense.h"
#include "experiment/flow/methods/enkf-weights.h"

#include <glib.h>

#include <math.h>
#include <string.h>

enum { N = 5, M = 3, MEMBERS = 8 };

/* The first M values are observed. */
typedef struct {
  double x[MEMBERS * N], mean[N], anomalies[MEMBERS * N], observed[MEMBERS * M];
  double p[N * N], s[M * M], gain[N * M], values[M], deviations[M];
} Case;

static void
find_moments(const double *x, double *mean, double *anomalies, double *p)
{
  for (gsize i = 0; i < N; i++) {
    mean[i] = 0;
    for (gsize e = 0; e < MEMBERS; e++)
      mean[i] += x[e * N + i] / MEMBERS;
    for (gsize e = 0; e < MEMBERS; e++)
      anomalies[e * N + i] = x[e * N + i] - mean[i];
  }
  for (gsize i = 0; i < N; i++)
    for (gsize j = 0; j < N; j++) {
      p[i * N + j] = 0;
      for (gsize e = 0; e < MEMBERS; e++)
        p[i * N + j] += anomalies[e * N + i] * anomalies[e * N + j] / (MEMBERS - 1);
    }
}

static void
case_init(Case *c, guint64 seed)
{
  LacRng rng = lac_rng(seed, 1);
  double s[M * M], right[M * N];

  for (gsize i = 0; i < MEMBERS * N; i++)
    c->x[i] = lac_rng_normal(&rng) + (i % N == 0 ? 0 : c->x[i - 1]);
  find_moments(c->x, c->mean, c->anomalies, c->p);
  for (gsize k = 0; k < M; k++) {
    c->values[k] = lac_rng_normal(&rng);
    c->deviations[k] = 0.3 + 0.2 * (double) k;
    for (gsize e = 0; e < MEMBERS; e++)
      c->observed[e * M + k] = c->anomalies[e * N + k];
    for (gsize j = 0; j < M; j++)
      c->s[k * M + j] = c->p[k * N + j] + (j == k ? c->deviations[k] * c->deviations[k] : 0);
    memcpy(right + k * N, c->p + k * N, N * sizeof *right);
  }
  memcpy(s, c->s, sizeof s);
  g_assert_true(lac_dense_cholesky_solve(s, M, right, N));
  for (gsize i = 0; i < N; i++)
    for (gsize k = 0; k < M; k++)
      c->gain[i * M + k] = right[k * N + i];
}

/* X <- X + (X' (H X')^T) / (N - 1) W */
static void
analyse(Case *c, LacEnkfKind kind, LacRng *rng)
{
  double             weights[M * MEMBERS], work[LAC_ENKF_WEIGHTS_WORK(M)], s[M * M];
  const LacEnkfInput input = {.m = M,
                              .n_members = MEMBERS,
                              .anomalies = c->observed,
                              .values = c->values,
                              .mean = c->mean,
                              .deviations = c->deviations,
                              .covariance = s};

  memcpy(s, c->s, sizeof s);
  g_assert_true(lac_enkf_find_weights(kind, &input, rng, work, weights));
  for (gsize e = 0; e < MEMBERS; e++)
    for (gsize i = 0; i < N; i++)
      for (gsize k = 0; k < M; k++)
        c->x[e * N + i] += c->p[i * N + k] * weights[k * MEMBERS + e];
}

/* Returns (1 - share K H) P (1 - share K H)^T + noise K R K^T. */
static double
expect_covariance(const Case *c, double share, double noise, gsize i, gsize j)
{
  double sum = 0;

  for (gsize a = 0; a < N; a++)
    for (gsize b = 0; b < N; b++)
      sum += ((i == a ? 1 : 0) - (a < M ? share * c->gain[i * M + a] : 0)) * c->p[a * N + b] *
             ((j == b ? 1 : 0) - (b < M ? share * c->gain[j * M + b] : 0));
  for (gsize k = 0; k < M; k++)
    sum += noise * c->gain[i * M + k] * pow(c->deviations[k], 2) * c->gain[j * M + k];
  return sum;
}

static void
test_moments(gconstpointer data)
{
  const LacEnkfKind kind = (LacEnkfKind) GPOINTER_TO_INT(data);
  /* Kalman's covariance in Joseph's form */
  const double share = kind == LAC_ENKF_SQUARE_ROOT ? 1 : 0.5;
  const double noise = kind == LAC_ENKF_SQUARE_ROOT ? 1 : 0;
  Case         c;

  for (guint64 seed = 0; seed < 20; seed++) {
    double mean[N], anomalies[MEMBERS * N], p[N * N];

    case_init(&c, seed);
    analyse(&c, kind, NULL);
    find_moments(c.x, mean, anomalies, p);
    for (gsize i = 0; i < N; i++) {
      double expected = c.mean[i];

      for (gsize k = 0; k < M; k++)
        expected += c.gain[i * M + k] * (c.values[k] - c.mean[k]);
      g_assert_cmpfloat_with_epsilon(mean[i], expected, 1e-10);
      for (gsize j = 0; j < N; j++)
        g_assert_cmpfloat_with_epsilon(p[i * N + j], expect_covariance(&c, share, noise, i, j),
                                       1e-10);
    }
  }
}

/* Only the stochastic analysis draws numbers: one per member and value. */
static void
test_draws(void)
{
  for (LacEnkfKind kind = LAC_ENKF_STOCHASTIC; kind <= LAC_ENKF_DETERMINISTIC; kind++) {
    LacRng      rng = lac_rng(3, 1), expected = rng;
    const guint n = kind == LAC_ENKF_STOCHASTIC ? MEMBERS * M : 0;
    Case        c;

    case_init(&c, 1);
    analyse(&c, kind, &rng);
    for (guint i = 0; i < n; i++)
      lac_rng_normal(&expected);
    g_assert_cmpuint(rng.position, ==, expected.position);
  }
}

/* Every value COPIES times with as many times the variance says the same as once: then there are more values than
 * members, and the transform is found among the members. The values with a factor of 0 are absurd and not used. */
enum { COPIES = 4, ABSURD = 2 };

static void
transform_all(Case *c, gsize copies)
{
  const gsize      m = M * copies + ABSURD;
  double           anomalies[MEMBERS * (M * COPIES + ABSURD)], values[M * COPIES + ABSURD];
  double           mean[M * COPIES + ABSURD], deviations[M * COPIES + ABSURD];
  double           taper[M * COPIES + ABSURD];
  double           work[LAC_ENKF_TRANSFORM_WORK(M * COPIES + ABSURD, MEMBERS)];
  LacEnkfTransform transform;

  for (gsize k = 0; k < m; k++) {
    const gboolean is_absurd = k >= M * copies;

    taper[k] = is_absurd ? 0 : 0.5;
    values[k] = is_absurd ? 1e6 : c->values[k % M];
    mean[k] = c->mean[k % M];
    deviations[k] = c->deviations[k % M] * sqrt(0.5 * (double) copies);
    for (gsize e = 0; e < MEMBERS; e++)
      anomalies[e * m + k] = c->observed[e * M + k % M];
  }
  const LacEnkfInput input = {.m = m,
                              .n_members = MEMBERS,
                              .anomalies = anomalies,
                              .values = values,
                              .mean = mean,
                              .deviations = deviations};
  g_assert_true(lac_enkf_find_transform(&input, taper, work, &transform));
  g_assert_cmpuint(transform.rank, ==, copies == 1 ? M : MEMBERS);
  for (gsize i = 0; i < N; i++) {
    const double shift = lac_enkf_apply_transform(&transform, c->anomalies + i, N);

    for (gsize e = 0; e < MEMBERS; e++)
      c->x[e * N + i] = c->mean[i] + shift + c->anomalies[e * N + i];
  }
}

static void
test_transform(void)
{
  for (guint64 seed = 0; seed < 20; seed++)
    for (gsize copies = 1; copies <= COPIES; copies += COPIES - 1) {
      double mean[N], anomalies[MEMBERS * N], p[N * N];
      Case   c;

      case_init(&c, seed);
      transform_all(&c, copies);
      find_moments(c.x, mean, anomalies, p);
      for (gsize i = 0; i < N; i++) {
        double expected = c.mean[i];

        for (gsize k = 0; k < M; k++)
          expected += c.gain[i * M + k] * (c.values[k] - c.mean[k]);
        g_assert_cmpfloat_with_epsilon(mean[i], expected, 1e-10);
        for (gsize j = 0; j < N; j++)
          g_assert_cmpfloat_with_epsilon(p[i * N + j], expect_covariance(&c, 1, 1, i, j), 1e-10);
      }
    }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_data_func("/experiment/enkf-weights/the-square-root-has-the-moments-of-kalman",
                       GINT_TO_POINTER(LAC_ENKF_SQUARE_ROOT), test_moments);
  g_test_add_data_func("/experiment/enkf-weights/denkf-has-the-moments-of-half-the-gain",
                       GINT_TO_POINTER(LAC_ENKF_DETERMINISTIC), test_moments);
  g_test_add_func("/experiment/enkf-weights/the-local-transform-has-the-moments-of-kalman",
                  test_transform);
  g_test_add_func("/experiment/enkf-weights/only-the-stochastic-one-draws-numbers", test_draws);
  return g_test_run();
}
