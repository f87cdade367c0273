/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Optimal design: each greedy step against every alternative, the convex bound against every design, the exchange
 * against every move. Criteria are recomputed from eigenvalues. */
#include "backend/dense.h"
#include "sensor/placement.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define N       70
#define MODES   6
#define MAX_ALL (2 * N)

typedef struct {
  LacPlacementProblem problem;
  double              modes[MODES * MAX_ALL], deviations[MODES], cost[N];
} Case;

static Case *
new_case(gsize n_components, gboolean with_prior, guint64 seed)
{
  Case  *c = g_new0(Case, 1);
  LacRng rng = lac_rng(seed, 5);

  for (gsize i = 0; i < MODES * n_components * N; i++)
    c->modes[i] = lac_rng_normal(&rng);
  for (gsize i = 0; i < N; i++)
    c->cost[i] = 0.2 * lac_rng_uniform(&rng);
  for (gsize r = 0; r < MODES; r++)
    c->deviations[r] = pow(0.5, (double) r);
  c->problem = (LacPlacementProblem){
    .modes = c->modes,
    .n_modes = MODES,
    .n_components = n_components,
    .n_points = N,
    .deviations = with_prior ? c->deviations : NULL,
    .noise = 0.3,
  };
  return c;
}

static double
largest_row(const LacPlacementProblem *problem)
{
  double largest = 0;

  for (gsize i = 0; i < N; i++) {
    double sum = 0;

    for (gsize k = 0; k < MODES * problem->n_components; k++)
      sum += problem->modes[k * N + i] * problem->modes[k * N + i];
    largest = MAX(largest, sum);
  }
  return largest;
}

/* Computes the eigenvalues of A, largest first. @floor: A_0 without a prior. */
static void
find_eigenvalues(const LacPlacementProblem *problem,
                 const gsize               *places,
                 gsize                      n,
                 double                     floor,
                 double                    *values)
{
  const gsize  nc = problem->n_components;
  const double variance = problem->deviations ? problem->noise * problem->noise : 1;
  double       a[MODES * MODES] = {0};

  for (gsize i = 0; i < MODES; i++) {
    a[i * MODES + i] = problem->deviations ? pow(problem->deviations[i], -2) : floor;
    for (gsize j = 0; j < MODES; j++)
      for (gsize k = 0; k < n * nc; k++)
        a[i * MODES + j] += problem->modes[(i * nc + k % nc) * N + places[k / nc]] *
                            problem->modes[(j * nc + k % nc) * N + places[k / nc]] / variance;
  }
  g_assert_true(lac_dense_eigh(a, MODES, values));
}

typedef double (*Score)(const LacPlacementProblem *problem, const gsize *places, gsize n);

static double
score_log_det(const LacPlacementProblem *problem, const gsize *places, gsize n)
{
  double values[MODES], sum = 0;

  find_eigenvalues(problem, places, n, 1e-8 * largest_row(problem), values);
  for (gsize i = 0; i < MODES; i++)
    sum += log(values[i]);
  return sum;
}

static double
score_flat_log_det(const LacPlacementProblem *problem, const gsize *places, gsize n)
{
  LacPlacementProblem flat = *problem;

  flat.deviations = NULL;
  return score_log_det(&flat, places, n);
}

static double
score_trace(const LacPlacementProblem *problem, const gsize *places, gsize n)
{
  double values[MODES], sum = 0;

  find_eigenvalues(problem, places, n, 1e-8 * largest_row(problem), values);
  for (gsize i = 0; i < MODES; i++)
    sum -= 1 / values[i];
  return sum;
}

static double
score_smallest(const LacPlacementProblem *problem, const gsize *places, gsize n)
{
  double      values[MODES];
  const gsize n_seen = n * problem->n_components;

  find_eigenvalues(problem, places, n, 0, values);
  return values[problem->deviations || n_seen > MODES ? MODES - 1 : n_seen - 1];
}

static void
choose(const char *name, const LacPlacementProblem *problem, gsize *places, gsize n)
{
  g_autoptr(GError) error = NULL;
  LacRng            rng = lac_rng(1, 2);

  lac_placement_find(name, NULL)->choose(problem, &rng, places, n, &error);
  g_assert_no_error(error);
}

static gboolean
is_among(gsize point, const gsize *places, gsize n)
{
  for (gsize k = 0; k < n; k++)
    if (places[k] == point)
      return TRUE;
  return FALSE;
}

/* Returns the point, after places[0 ... k-1], with the largest score minus cost. */
static gsize
find_best(Score score, const LacPlacementProblem *problem, const gsize *places, gsize k)
{
  gsize  trial[N], best = N;
  double most = -(double) INFINITY;

  memcpy(trial, places, k * sizeof *trial);
  for (gsize i = 0; i < N; i++) {
    double value;

    if (is_among(i, places, k))
      continue;
    trial[k] = i;
    value = score(problem, trial, k + 1) - (problem->cost ? problem->cost[i] : 0);
    if (value > most) {
      most = value;
      best = i;
    }
  }
  return best;
}

typedef struct {
  const char *method;
  Score       score;
  gboolean    with_prior;
} Greedy;

static void
test_greedy(gconstpointer data)
{
  const Greedy *greedy = data;

  for (guint64 seed = 0; seed < 6; seed++)
    for (gsize n_components = 1; n_components <= 2; n_components++) {
      g_autofree Case *c = new_case(n_components, greedy->with_prior, seed);
      gsize            places[2 * MODES];

      c->problem.cost = seed % 2 ? c->cost : NULL;
      choose(greedy->method, &c->problem, places, 2 * MODES);
      for (gsize k = 0; k < 2 * MODES; k++)
        g_assert_cmpuint(places[k], ==, find_best(greedy->score, &c->problem, places, k));
    }
}

/* One component: the determinant grows most at the largest residual, so the pivots are the greedy steps, also beyond
 * the modes. */
static void
test_pivots_are_greedy(void)
{
  for (guint64 seed = 0; seed < 6; seed++) {
    g_autofree Case *c = new_case(1, FALSE, 30 + seed);
    gsize            places[3 * MODES];

    choose("qr", &c->problem, places, 3 * MODES);
    for (gsize k = 0; k < 3 * MODES; k++)
      g_assert_cmpuint(places[k], ==, find_best(score_flat_log_det, &c->problem, places, k));
  }
}

static void
test_leading_modes(void)
{
  g_autofree Case *c = new_case(1, FALSE, 40);
  gsize            places[4], leading[4];

  choose("q-deim", &c->problem, places, 4);
  c->problem.n_modes = 4;
  choose("qr", &c->problem, leading, 4);
  for (gsize k = 0; k < 4; k++)
    g_assert_cmpuint(places[k], ==, leading[k]);
}

static void
test_log_det(void)
{
  for (int prior = 0; prior < 2; prior++) {
    g_autofree Case *c = new_case(2, prior, 50);
    gsize            places[8];

    choose("random", &c->problem, places, 8);
    for (gsize k = 0; k <= 8; k++)
      g_assert_cmpfloat_with_epsilon(lac_placement_log_det(&c->problem, places, k),
                                     score_log_det(&c->problem, places, k), 1e-6);
  }
}

/* Random designs and those of every method are below the bound, and the bound is below the determinant of all
 * points. */
static void
test_bound(void)
{
  gsize                            n_methods;
  const LacPlacementMethod *const *methods = lac_placement_methods(&n_methods);

  for (gsize n_sensors = 2; n_sensors <= 14; n_sensors += 3)
    for (int prior = 0; prior < 2; prior++) {
      g_autofree Case *c = new_case(1 + n_sensors % 2, prior, 60 + n_sensors);
      LacRng           rng = lac_rng(n_sensors, 9);
      gsize            places[N];
      double           bound = 0;

      c->problem.upper_bound = &bound;
      choose("convex", &c->problem, places, n_sensors);
      c->problem.upper_bound = NULL;
      for (gsize i = 0; i < n_methods; i++) {
        choose(methods[i]->name, &c->problem, places, n_sensors);
        g_assert_cmpfloat(lac_placement_log_det(&c->problem, places, n_sensors), <=, bound);
      }
      for (int draw = 0; draw < 200; draw++) {
        lac_placement_random(&rng, N, places, n_sensors);
        g_assert_cmpfloat(lac_placement_log_det(&c->problem, places, n_sensors), <=, bound);
      }
      lac_placement_random(&rng, N, places, N);
      g_assert_cmpfloat(bound, <, lac_placement_log_det(&c->problem, places, N));
    }
}

/* Three of fourteen points: the best of all 364 designs is below the bound, and the convex design does not exceed the
 * best. */
static void
test_best_of_all(void)
{
  g_autofree Case *c = new_case(1, TRUE, 80);
  guint8           allowed[N] = {0};
  gsize            places[3];
  double           most = -(double) INFINITY, bound = 0, found;

  memset(allowed, 1, 14);
  c->problem.allowed = allowed;
  c->problem.upper_bound = &bound;
  choose("convex", &c->problem, places, 3);
  found = score_log_det(&c->problem, places, 3);
  for (gsize i = 0; i < 14; i++)
    for (gsize j = 0; j < i; j++)
      for (gsize k = 0; k < j; k++)
        most = MAX(most, score_log_det(&c->problem, (gsize[]){i, j, k}, 3));
  g_assert_cmpfloat(most, <=, bound);
  g_assert_cmpfloat(found, <=, most + 1e-9);
}

/* After the exchange no single move improves the design, and the exchange did not worsen it. */
static void
test_exchange(void)
{
  for (guint64 seed = 0; seed < 10; seed++) {
    const gsize      n_sensors = 3 + seed;
    g_autofree Case *c = new_case(1 + seed % 2, seed % 3 > 0, 90 + seed);
    LacRng           rng = lac_rng(seed, 4);
    gsize            places[N];
    double           before, after;

    lac_placement_random(&rng, N, places, n_sensors);
    before = lac_placement_log_det(&c->problem, places, n_sensors);
    after = lac_placement_exchange(&c->problem, places, n_sensors);
    g_assert_cmpfloat(after, >=, before);
    g_assert_cmpfloat_with_epsilon(lac_placement_log_det(&c->problem, places, n_sensors), after,
                                   1e-12 * fabs(after));
    for (gsize k = 0; k < n_sensors; k++) {
      const gsize place = places[k];

      for (gsize i = 0; i < N; i++) {
        if (is_among(i, places, n_sensors))
          continue;
        places[k] = i;
        g_assert_cmpfloat(score_log_det(&c->problem, places, n_sensors), <=, after + 1e-6);
        places[k] = place;
      }
    }
  }
}

static void
test_exchange_keeps_to_the_rules(void)
{
  g_autofree Case *c = new_case(1, TRUE, 110);
  guint8           allowed[N];
  double           positions[N][2] = {0};
  gsize            places[6];

  for (gsize i = 0; i < N; i++) {
    allowed[i] = i % 3 > 0;
    positions[i][0] = (double) i;
  }
  c->problem.allowed = allowed;
  c->problem.positions = (const double(*)[2]) positions;
  c->problem.minimum_distance = 5;
  choose("random", &c->problem, places, 6);
  lac_placement_exchange(&c->problem, places, 6);
  for (gsize k = 0; k < 6; k++) {
    g_assert_true(allowed[places[k]]);
    for (gsize l = 0; l < k; l++)
      g_assert_cmpfloat(fabs(positions[places[k]][0] - positions[places[l]][0]), >=, 5);
  }
}

/* The placement is independent of the modes exactly for the methods that declare it. */
static void
test_ignored_modes(void)
{
  gsize                            n_methods;
  const LacPlacementMethod *const *methods = lac_placement_methods(&n_methods);

  for (gsize m = 0; m < n_methods; m++) {
    gsize places[2][5];
    double(*positions)[2] = g_malloc_n(N, sizeof *positions);

    for (gsize i = 0; i < N; i++) {
      positions[i][0] = (double) (i % 10);
      positions[i][1] = (double) (i / 10);
    }
    for (guint64 pass = 0; pass < 2; pass++) {
      g_autoptr(GError) error = NULL;
      Case             *c = new_case(1, TRUE, 40 + pass);
      LacRng            rng = lac_rng(6, 0);

      c->problem.positions = (const double(*)[2]) positions;
      methods[m]->choose(&c->problem, &rng, places[pass], 5, &error);
      g_assert_no_error(error);
      g_free(c);
    }
    g_assert_cmpint(memcmp(places[0], places[1], sizeof places[0]) == 0, ==,
                    methods[m]->ignores_modes);
    g_free(positions);
  }
}

static gsize
choose_one(const LacPlacementMethod *method, const LacPlacementProblem *problem)
{
  g_autoptr(GError) error = NULL;
  LacRng            rng = lac_rng(1, 1);
  gsize             place;

  g_assert_true(method->choose(problem, &rng, &place, 1, &error));
  g_assert_no_error(error);
  return place;
}

/* A cost of the largest gain outweighs any first sensor, so that a free point wins; equal costs change nothing. */
static void
test_costs(void)
{
  gsize                            n, n_tested = 0;
  const LacPlacementMethod *const *methods = lac_placement_methods(&n);
  g_autofree Case                 *c = new_case(2, TRUE, 8);

  for (gsize m = 0; m < n; m++) {
    if (!methods[m]->largest_gain)
      continue;
    c->problem.cost = NULL;
    const double unit = methods[m]->largest_gain(&c->problem);
    const gsize  best = choose_one(methods[m], &c->problem);
    g_assert_true(isfinite(unit) && unit > 0);
    c->problem.cost = c->cost;
    for (gsize i = 0; i < N; i++)
      c->cost[i] = 0.5 * unit;
    g_assert_cmpuint(choose_one(methods[m], &c->problem), ==, best);
    for (gsize free = 0; free < N; free += 23) {
      for (gsize i = 0; i < N; i++)
        c->cost[i] = i == free ? 0 : (1 + 1e-9) * unit;
      g_assert_cmpuint(choose_one(methods[m], &c->problem), ==, free);
    }
    n_tested++;
  }
  g_assert_cmpuint(n_tested, ==, 5);
}

int
main(int argc, char **argv)
{
  static const Greedy greedy[] = {
    {"d-optimal", score_flat_log_det, TRUE}, {"a-optimal", score_trace, TRUE},
    {"e-optimal", score_smallest, FALSE},    {"e-optimal", score_smallest, TRUE},
    {"information", score_log_det, TRUE},    {"information", score_log_det, FALSE},
  };

  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(greedy); i++) {
    g_autofree char *path = g_strdup_printf("/sensor/placement-design/%s%s/each-step-is-the-best",
                                            greedy[i].method, greedy[i].with_prior ? "" : "-flat");

    g_test_add_data_func(path, &greedy[i], test_greedy);
  }
  g_test_add_func("/sensor/placement-design/pivots-are-steps-of-the-determinant",
                  test_pivots_are_greedy);
  g_test_add_func("/sensor/placement-design/q-deim-sees-the-leading-modes", test_leading_modes);
  g_test_add_func("/sensor/placement-design/log-det-is-that-of-the-eigenvalues", test_log_det);
  g_test_add_func("/sensor/placement-design/every-design-is-below-the-bound", test_bound);
  g_test_add_func("/sensor/placement-design/the-best-of-all-is-below-the-bound", test_best_of_all);
  g_test_add_func("/sensor/placement-design/after-the-exchange-no-move-gains", test_exchange);
  g_test_add_func("/sensor/placement-design/the-exchange-keeps-to-the-rules",
                  test_exchange_keeps_to_the_rules);
  g_test_add_func("/sensor/placement-design/costs-are-counted-in-the-largest-gain", test_costs);
  g_test_add_func("/sensor/placement-design/those-that-ignore-modes-say-so", test_ignored_modes);
  return g_test_run();
}
