/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gappy POD: exact for complete data, otherwise the Gaussian posterior. */
#include "backend/dense.h"
#include "base/rng.h"
#include "sensor/helpers/reconstruct.h"

#include <glib.h>

#include <math.h>

#define N        80
#define N_VALUES 12

static LacPod *
make_pod(gsize rank, gsize n_modes, double *last)
{
  LacRng             rng = lac_rng(8, rank);
  g_autofree double *directions = g_new(double, rank *N), *snapshots = g_new0(double, 40 * N);

  for (gsize i = 0; i < rank * N; i++)
    directions[i] = lac_rng_normal(&rng);
  for (gsize s = 0; s < 40; s++)
    for (gsize r = 0; r < rank; r++) {
      const double amplitude = lac_rng_normal(&rng) / (double) (r + 1);

      for (gsize j = 0; j < N; j++)
        snapshots[s * N + j] += 0.3 / (double) rank + amplitude * directions[r * N + j];
    }
  for (gsize j = 0; j < N; j++)
    last[j] = snapshots[39 * N + j];
  return lac_pod_new(snapshots, 40, N, n_modes);
}

static void
make_rows(gsize *rows)
{
  for (gsize k = 0; k < N_VALUES; k++)
    rows[k] = (7 * k + 3) % N;
}

/* A field in the span of five modes, measured at twelve positions with negligible noise. */
static void
test_exact(void)
{
  double              field[N], found[N], values[N_VALUES];
  g_autoptr(LacPod)   pod = make_pod(5, 5, field);
  g_autoptr(LacGappy) gappy = NULL;
  gsize               rows[N_VALUES];

  make_rows(rows);
  for (gsize k = 0; k < N_VALUES; k++)
    values[k] = field[rows[k]];
  gappy = lac_gappy_new(pod, rows, N_VALUES, 1e-7);
  g_assert_nonnull(gappy);
  reconstruct(gappy, pod, values, found);
  for (gsize j = 0; j < N; j++)
    g_assert_cmpfloat_with_epsilon(found[j], field[j], 1e-10);
}

/* Computes the same posterior in observation space: a = S^2 T^t (T S^2 T^t + N)^-1 y. */
static void
solve_dense(const LacPod *pod, const gsize *rows, double noise, const double *values, double *field)
{
  double covariance[N_VALUES * N_VALUES] = {0}, weights[N_VALUES];

  for (gsize i = 0; i < N_VALUES; i++) {
    weights[i] = values[i] - pod->mean[rows[i]];
    covariance[i * N_VALUES + i] = noise * noise + pow(pod->truncation[rows[i]], 2);
    for (gsize j = 0; j < N_VALUES; j++)
      for (gsize r = 0; r < pod->n_modes; r++)
        covariance[i * N_VALUES + j] +=
          pod->modes[r * N + rows[i]] * pow(pod->deviations[r], 2) * pod->modes[r * N + rows[j]];
  }
  g_assert_true(lac_dense_cholesky_solve(covariance, N_VALUES, weights, 1));
  for (gsize j = 0; j < N; j++) {
    field[j] = pod->mean[j];
    for (gsize r = 0; r < pod->n_modes; r++)
      for (gsize i = 0; i < N_VALUES; i++)
        field[j] += pod->modes[r * N + j] * pow(pod->deviations[r], 2) *
                    pod->modes[r * N + rows[i]] * weights[i];
  }
}

static void
test_posterior(void)
{
  static const double noises[] = {1e-3, 0.1, 3};
  double              field[N], found[N], oracle[N], values[N_VALUES];
  g_autoptr(LacPod)   pod = make_pod(20, 8, field);
  gsize               rows[N_VALUES];
  LacRng              rng = lac_rng(3, 3);

  make_rows(rows);
  for (gsize c = 0; c < G_N_ELEMENTS(noises); c++) {
    g_autoptr(LacGappy) gappy = lac_gappy_new(pod, rows, N_VALUES, noises[c]);

    for (gsize k = 0; k < N_VALUES; k++)
      values[k] = field[rows[k]] + noises[c] * lac_rng_normal(&rng);
    reconstruct(gappy, pod, values, found);
    solve_dense(pod, rows, noises[c], values, oracle);
    for (gsize j = 0; j < N; j++)
      g_assert_cmpfloat_with_epsilon(found[j], oracle[j], 1e-10);
  }
}

/* More modes than values: the prior determines what the values do not. */
static void
test_underdetermined(void)
{
  double              field[N], found[N], oracle[N], values[N_VALUES];
  g_autoptr(LacPod)   pod = make_pod(30, 25, field);
  g_autoptr(LacGappy) gappy = NULL;
  gsize               rows[N_VALUES];

  make_rows(rows);
  for (gsize k = 0; k < N_VALUES; k++)
    values[k] = field[rows[k]];
  gappy = lac_gappy_new(pod, rows, N_VALUES, 0.01);
  g_assert_nonnull(gappy);
  reconstruct(gappy, pod, values, found);
  solve_dense(pod, rows, 0.01, values, oracle);
  for (gsize j = 0; j < N; j++)
    g_assert_cmpfloat_with_epsilon(found[j], oracle[j], 1e-9);
}

/* With noise-dominated values the estimate is the mean. */
static void
test_only_noise(void)
{
  double              field[N], found[N], values[N_VALUES];
  g_autoptr(LacPod)   pod = make_pod(6, 6, field);
  g_autoptr(LacGappy) gappy = NULL;
  gsize               rows[N_VALUES];

  make_rows(rows);
  for (gsize k = 0; k < N_VALUES; k++)
    values[k] = field[rows[k]];
  gappy = lac_gappy_new(pod, rows, N_VALUES, 1e9);
  reconstruct(gappy, pod, values, found);
  for (gsize j = 0; j < N; j++)
    g_assert_cmpfloat_with_epsilon(found[j], pod->mean[j], 1e-12);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/sensor/gappy/a-field-in-the-span-is-exact", test_exact);
  g_test_add_func("/sensor/gappy/noisy-values-give-the-posterior", test_posterior);
  g_test_add_func("/sensor/gappy/fewer-values-than-modes-give-the-posterior", test_underdetermined);
  g_test_add_func("/sensor/gappy/infinite-noise-gives-the-mean", test_only_noise);
  return g_test_run();
}
