/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sensor placement: LAPACK's pivots with one component, brute force with several, statistics of the random baseline. */
#include "backend/dense.h"
#include "base/rng.h"
#include "sensor/placement.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define MAX_MODES 24

static double *
random_matrix(gsize n, guint64 seed)
{
  LacRng  rng = lac_rng(seed, 1);
  double *a = g_new(double, n);

  for (gsize i = 0; i < n; i++)
    a[i] = lac_rng_normal(&rng);
  return a;
}

static void
compare_with_lapack(const double *modes, gsize n_modes, gsize n_points, gsize n_compared)
{
  g_autofree double *copy = g_memdup2(modes, n_modes * n_points * sizeof *modes);
  g_autofree gsize  *pivots = g_new(gsize, n_modes), *places = g_new(gsize, n_modes);

  g_assert_true(lac_dense_qr_pivots(copy, n_modes, n_points, pivots, n_modes));
  lac_placement_qr(modes, n_modes, 1, n_points, places, n_modes);
  for (gsize k = 0; k < n_compared; k++)
    g_assert_cmpuint(places[k], ==, pivots[k]);
}

static void
test_pivots(void)
{
  for (guint64 seed = 0; seed < 20; seed++) {
    const gsize        n_modes = 2 + seed, n_points = n_modes + 40 * seed;
    g_autofree double *modes = random_matrix(n_modes * n_points, seed);

    compare_with_lapack(modes, n_modes, n_points, n_modes);
  }
}

/* Many chunks of points, the last one incomplete; every vector instruction level, with and without threads. */
static void
test_levels(void)
{
  static const char *const  levels[] = {"baseline", "v3", "v4"};
  const gsize               n_modes = 24, n_points = 5017;
  g_autofree double        *modes = random_matrix(n_modes * n_points, 77);
  g_autoptr(LacPool)        pool = lac_pool_new(3);
  const LacPlacementMethod *qr = lac_placement_find("qr", NULL);
  LacPlacementProblem       problem = {
          .modes = modes, .n_modes = n_modes, .n_components = 1, .n_points = n_points};
  gsize places[24], others[24];

  for (gsize r = 0; r < n_modes; r++)
    for (gsize i = 0; i < n_points; i++)
      modes[r * n_points + i] *= 1e-20 * pow(10, -0.3 * (double) r);
  compare_with_lapack(modes, n_modes, n_points, n_modes);
  lac_placement_qr(modes, n_modes, 1, n_points, places, n_modes);
  for (gsize level = 0; level < G_N_ELEMENTS(levels); level++) {
    g_setenv("LACUNA_CPU_LEVEL", levels[level], TRUE);
    problem.pool = level % 2 ? pool : NULL;
    g_assert_true(qr->choose(&problem, NULL, others, n_modes, NULL));
    for (gsize k = 0; k < n_modes; k++)
      g_assert_cmpuint(others[k], ==, places[k]);
  }
  g_unsetenv("LACUNA_CPU_LEVEL");
}

/* Columns over many decades: norms updated only by subtraction would lose their digits. */
static void
test_graded(void)
{
  for (guint64 seed = 0; seed < 10; seed++) {
    const gsize        n_modes = 12, n_points = 200;
    g_autofree double *modes = random_matrix(n_modes * n_points, 50 + seed);

    for (gsize r = 0; r < n_modes; r++)
      for (gsize i = 0; i < n_points; i++)
        modes[r * n_points + i] *= pow(10, -0.75 * (double) r);
    compare_with_lapack(modes, n_modes, n_points, n_modes);
  }
}

/* A product of n_modes x rank and rank x n_points: after @rank choices only rounding is left. */
static void
test_rank_deficient(void)
{
  const gsize n_modes = 10, rank = 4, n_points = 120;

  for (guint64 seed = 0; seed < 10; seed++) {
    g_autofree double *a = random_matrix(n_modes * rank, 100 + seed);
    g_autofree double *b = random_matrix(rank * n_points, 200 + seed);
    g_autofree double *modes = g_new0(double, n_modes *n_points);
    g_autofree gsize  *places = g_new0(gsize, n_points);
    gboolean           taken[120] = {FALSE};

    lac_dense_gemm(FALSE, FALSE, n_modes, n_points, rank, 1, a, rank, b, n_points, 0, modes,
                   n_points);
    compare_with_lapack(modes, n_modes, n_points, rank);
    lac_placement_qr(modes, n_modes, 1, n_points, places, n_points);
    for (gsize k = 0; k < n_points; k++) {
      g_assert_cmpuint(places[k], <, n_points);
      g_assert_false(taken[places[k]]);
      taken[places[k]] = TRUE;
    }
  }
}

/* The second half repeats the first: of two equal points the first is chosen, and its duplicate has no effect
 * afterwards. */
static void
test_repeated(void)
{
  const gsize n_modes = 8, n_half = 60;

  for (guint64 seed = 0; seed < 10; seed++) {
    g_autofree double *half = random_matrix(n_modes * n_half, 300 + seed);
    g_autofree double *modes = g_new(double, 2 * n_modes * n_half);
    gsize              places[8], alone[8];

    for (gsize r = 0; r < n_modes; r++)
      for (gsize i = 0; i < 2 * n_half; i++)
        modes[r * 2 * n_half + i] = half[r * n_half + i % n_half];
    lac_placement_qr(modes, n_modes, 1, 2 * n_half, places, n_modes);
    lac_placement_qr(half, n_modes, 1, n_half, alone, n_modes);
    for (gsize k = 0; k < n_modes; k++)
      g_assert_cmpuint(places[k], ==, alone[k]);
  }
}

/* If LAPACK breaks a tie differently, the chosen columns span the same volume. */
static void
test_repeated_determinant(void)
{
  const gsize n_modes = 12, n_distinct = 300, n_points = 900;

  for (guint64 seed = 0; seed < 10; seed++) {
    g_autofree double  *distinct = random_matrix(n_modes * n_distinct, 500 + seed);
    g_autofree double  *modes = g_new(double, n_modes *n_points);
    LacPlacementProblem problem = {
      .modes = modes, .n_modes = n_modes, .n_components = 1, .n_points = n_points};
    g_autofree double *copy = NULL;
    gsize              places[12], pivots[12];

    for (gsize r = 0; r < n_modes; r++)
      for (gsize i = 0; i < n_points; i++)
        modes[r * n_points + i] = distinct[r * n_distinct + (i * 7) % n_distinct];
    copy = g_memdup2(modes, n_modes * n_points * sizeof *modes);
    g_assert_true(lac_dense_qr_pivots(copy, n_modes, n_points, pivots, n_modes));
    lac_placement_qr(modes, n_modes, 1, n_points, places, n_modes);
    g_assert_cmpfloat_with_epsilon(lac_placement_log_det(&problem, places, n_modes),
                                   lac_placement_log_det(&problem, pivots, n_modes), 1e-10);
  }
}

/* Columns of the identity matrix are equally good, so the order is that of the points. */
static void
test_ties(void)
{
  double modes[6 * 6] = {0};
  gsize  places[6];

  for (gsize i = 0; i < 6; i++)
    modes[i * 6 + i] = 1;
  lac_placement_qr(modes, 6, 1, 6, places, 6);
  for (gsize i = 0; i < 6; i++)
    g_assert_cmpuint(places[i], ==, i);
}

/* Rounding does not decide between mirrored points, whose modes differ by nothing else. */
static void
test_mirrored(gconstpointer data)
{
  const LacPlacementMethod *method = data;
  const gsize               n_modes = 5, n_half = 40, n = 2 * n_half;
  const double              deviations[5] = {5, 4, 3, 2, 1};
  gsize                     places[2][5];

  for (guint64 seed = 0; seed < 10; seed++) {
    g_autofree double *half = random_matrix(n_modes * n_half, 700 + seed);
    g_autofree double *noise = random_matrix(n_modes * n, 800 + seed);

    for (gsize sign = 0; sign < 2; sign++) {
      g_autofree double        *modes = g_new(double, n_modes *n);
      const LacPlacementProblem problem = {.modes = modes,
                                           .n_modes = n_modes,
                                           .n_components = 1,
                                           .n_points = n,
                                           .deviations = deviations,
                                           .noise = 0.1};

      for (gsize r = 0; r < n_modes; r++)
        for (gsize i = 0; i < n; i++)
          modes[r * n + i] =
            half[r * n_half + MIN(i, n - 1 - i)] * (1 + (sign ? -1e-13 : 1e-13) * noise[r * n + i]);
      g_assert_true(method->choose(&problem, NULL, places[sign], n_modes, NULL));
    }
    for (gsize k = 0; k < n_modes; k++)
      g_assert_cmpuint(places[0][k], ==, places[1][k]);
  }
}

static void
test_nothing_to_see(void)
{
  const double modes[2 * 5] = {0};
  gsize        places[5];

  lac_placement_qr(modes, 2, 1, 5, places, 5);
  for (gsize i = 0; i < 5; i++)
    g_assert_cmpuint(places[i], ==, i);
}

/* Projects @direction out of @row. */
static void
deflate(double *row, const double *direction, gsize n)
{
  double along = 0;

  for (gsize i = 0; i < n; i++)
    along += row[i] * direction[i];
  for (gsize i = 0; i < n; i++)
    row[i] -= along * direction[i];
}

static double
norm(const double *row, gsize n)
{
  double squares = 0;

  for (gsize i = 0; i < n; i++)
    squares += row[i] * row[i];
  return sqrt(squares);
}

/* Brute force: updates every row after every choice. */
static void
place_by_force(double *rows, gsize n_modes, gsize n_components, gsize n_points, gsize *places)
{
  for (gsize k = 0; k < n_modes / n_components; k++) {
    double most = -1;

    for (gsize i = 0; i < n_points; i++) {
      double left = 0;

      for (gsize c = 0; c < n_components; c++)
        left += pow(norm(rows + (c * n_points + i) * n_modes, n_modes), 2);
      if (left > most) {
        most = left;
        places[k] = i;
      }
    }
    for (gsize c = 0; c < n_components; c++) {
      double       direction[MAX_MODES];
      const double length = norm(rows + (c * n_points + places[k]) * n_modes, n_modes);

      for (gsize i = 0; i < n_modes; i++)
        direction[i] = rows[(c * n_points + places[k]) * n_modes + i] / length;
      for (gsize j = 0; j < n_components * n_points; j++)
        deflate(rows + j * n_modes, direction, n_modes);
    }
  }
}

static void
test_vectors(void)
{
  for (guint64 seed = 0; seed < 12; seed++) {
    const gsize        n_components = 2 + seed % 2, n_modes = 12, n_points = 90;
    const gsize        n_rows = n_components * n_points;
    g_autofree double *modes = random_matrix(n_modes * n_rows, 400 + seed);
    g_autofree double *rows = g_new(double, n_modes *n_rows);
    gsize              places[12], oracle[12];

    for (gsize j = 0; j < n_rows; j++)
      for (gsize r = 0; r < n_modes; r++)
        rows[j * n_modes + r] = modes[r * n_rows + j];
    place_by_force(rows, n_modes, n_components, n_points, oracle);
    lac_placement_qr(modes, n_modes, n_components, n_points, places, n_modes / n_components);
    for (gsize k = 0; k < n_modes / n_components; k++)
      g_assert_cmpuint(places[k], ==, oracle[k]);
  }
}

/* Each point is chosen n_draws n_sensors / n_points times on average; tolerance of six binomial standard deviations. */
static void
test_random(void)
{
  const gsize n_points = 30, n_sensors = 6, n_draws = 4000;
  gsize       counts[30] = {0}, places[6];
  double      expected = (double) (n_draws * n_sensors) / (double) n_points;
  double      bound = 6 * sqrt(expected * (1 - (double) n_sensors / (double) n_points));

  for (guint64 seed = 0; seed < n_draws; seed++) {
    LacRng   rng = lac_rng(seed, 2);
    gboolean taken[30] = {FALSE};

    lac_placement_random(&rng, n_points, places, n_sensors);
    for (gsize k = 0; k < n_sensors; k++) {
      g_assert_cmpuint(places[k], <, n_points);
      g_assert_false(taken[places[k]]);
      taken[places[k]] = TRUE;
      counts[places[k]]++;
    }
  }
  for (gsize i = 0; i < n_points; i++)
    g_assert_cmpfloat(fabs((double) counts[i] - expected), <, bound);
}

int
main(int argc, char **argv)
{
  static const char *const mirrored[] = {"qr",        "q-deim",    "leverage",
                                         "d-optimal", "a-optimal", "e-optimal"};

  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/sensor/placement/random-modes-give-lapack-pivots", test_pivots);
  g_test_add_func("/sensor/placement/modes-over-decades-give-lapack-pivots", test_graded);
  g_test_add_func("/sensor/placement/deficient-modes-give-lapack-pivots-up-to-the-rank",
                  test_rank_deficient);
  g_test_add_func("/sensor/placement/levels-and-threads-agree-with-lapack", test_levels);
  g_test_add_func("/sensor/placement/repeated-columns-span-what-lapack-finds",
                  test_repeated_determinant);
  g_test_add_func("/sensor/placement/of-equal-points-the-first-is-taken", test_repeated);
  g_test_add_func("/sensor/placement/ties-go-to-the-smallest-index", test_ties);
  for (gsize i = 0; i < G_N_ELEMENTS(mirrored); i++) {
    g_autofree char *path = g_strdup_printf("/sensor/placement/mirrored-points/%s", mirrored[i]);

    g_test_add_data_func(path, lac_placement_find(mirrored[i], NULL), test_mirrored);
  }
  g_test_add_func("/sensor/placement/without-modes-places-are-in-order", test_nothing_to_see);
  g_test_add_func("/sensor/placement/vector-sensors-are-those-of-brute-force", test_vectors);
  g_test_add_func("/sensor/placement/random-places-are-distinct-and-even", test_random);
  return g_test_run();
}
