/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contract of every registered placement method: distinct positions, constraints, determinism, errors. */
#include "base/error.h"
#include "sensor/placement.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define SIDE     16
#define N        (SIDE * SIDE)
#define N_MODES  10
#define N_PLACES 12

typedef struct {
  LacPlacementProblem problem;
  double              modes[N_MODES * 2 * N];
  double              deviations[N_MODES];
  double              positions[N][2];
  guint8              allowed[N];
} Case;

/* Makes smooth random modes on a periodic square; one or two components. */
static Case *
new_case(gsize n_components, guint64 seed)
{
  Case  *c = g_new0(Case, 1);
  LacRng rng = lac_rng(seed, 7);

  for (gsize i = 0; i < N; i++) {
    c->positions[i][0] = (double) (i % SIDE);
    c->positions[i][1] = (double) (i / SIDE);
    c->allowed[i] = i % SIDE >= 3;
  }
  for (gsize r = 0; r < N_MODES; r++) {
    c->deviations[r] = pow(0.7, (double) r);
    for (gsize k = 0; k < n_components; k++) {
      const double a = lac_rng_normal(&rng), b = lac_rng_normal(&rng), at = lac_rng_uniform(&rng);

      for (gsize i = 0; i < N; i++)
        c->modes[(r * n_components + k) * N + i] =
          (a * sin((double) (1 + r / 2) * 2 * G_PI * (c->positions[i][0] / SIDE + at)) +
           b * cos((double) (1 + r / 3) * 2 * G_PI * (c->positions[i][1] / SIDE - at)) +
           0.1 * lac_rng_normal(&rng)) /
          SIDE;
    }
  }
  c->problem = (LacPlacementProblem){
    .modes = c->modes,
    .n_modes = N_MODES,
    .n_components = n_components,
    .n_points = N,
    .deviations = c->deviations,
    .noise = 0.01,
    .positions = (const double(*)[2]) c->positions,
    .period = {SIDE, SIDE},
  };
  return c;
}

static void
choose(const LacPlacementMethod *method, const LacPlacementProblem *problem, gsize *places, gsize n)
{
  g_autoptr(GError) error = NULL;
  LacRng            rng = lac_rng(11, 3);

  g_assert_true(method->choose(problem, &rng, places, n, &error));
  g_assert_no_error(error);
}

static void
assert_distinct(const gsize *places, gsize n)
{
  for (gsize k = 0; k < n; k++) {
    g_assert_cmpuint(places[k], <, N);
    for (gsize l = 0; l < k; l++)
      g_assert_cmpuint(places[l], !=, places[k]);
  }
}

/* Fewer sensors than modes, as many, and more. */
static void
test_distinct(gconstpointer data)
{
  for (gsize n_components = 1; n_components <= 2; n_components++)
    for (gsize n_places = 1; n_places <= 2 * N_MODES; n_places += 3) {
      g_autofree Case *c = new_case(n_components, n_places);
      gsize            places[2 * N_MODES];

      choose(data, &c->problem, places, n_places);
      assert_distinct(places, n_places);
    }
}

static void
test_region(gconstpointer data)
{
  g_autofree Case *c = new_case(1, 20);
  gsize            places[N_PLACES];

  c->problem.allowed = c->allowed;
  choose(data, &c->problem, places, N_PLACES);
  assert_distinct(places, N_PLACES);
  for (gsize k = 0; k < N_PLACES; k++)
    g_assert_true(c->allowed[places[k]]);
}

static void
test_distance(gconstpointer data)
{
  g_autofree Case *c = new_case(2, 30);
  gsize            places[N_PLACES];

  c->problem.minimum_distance = 3;
  choose(data, &c->problem, places, N_PLACES);
  for (gsize k = 0; k < N_PLACES; k++)
    for (gsize l = 0; l < k; l++) {
      const double dx = remainder(c->positions[places[k]][0] - c->positions[places[l]][0], SIDE);
      const double dy = remainder(c->positions[places[k]][1] - c->positions[places[l]][1], SIDE);

      g_assert_cmpfloat(hypot(dx, dy), >=, 3);
    }
}

static void
test_threads(gconstpointer data)
{
  g_autofree Case *c = new_case(2, 40);
  gsize            places[N_PLACES], others[N_PLACES];

  choose(data, &c->problem, places, N_PLACES);
  for (guint n_threads = 1; n_threads <= 3; n_threads++) {
    g_autoptr(LacPool) pool = lac_pool_new(n_threads);

    c->problem.pool = pool;
    choose(data, &c->problem, others, N_PLACES);
    for (gsize k = 0; k < N_PLACES; k++)
      g_assert_cmpuint(others[k], ==, places[k]);
  }
}

static void
assert_refused(const LacPlacementMethod *method, const LacPlacementProblem *problem, gsize n)
{
  g_autoptr(GError) error = NULL;
  LacRng            rng = lac_rng(1, 1);
  gsize             places[2 * N];

  g_assert_false(method->choose(problem, &rng, places, n, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
}

static void
test_refused(gconstpointer data)
{
  g_autofree Case *c = new_case(1, 50);

  assert_refused(data, &c->problem, N + 1);
  c->problem.allowed = c->allowed;
  assert_refused(data, &c->problem, N - 1);
  c->problem.allowed = NULL;
  c->problem.minimum_distance = 9; /* the torus is 16 wide: no room for twelve sensors */
  assert_refused(data, &c->problem, N_PLACES);
  c->problem.minimum_distance = 1;
  c->problem.positions = NULL;
  assert_refused(data, &c->problem, 2);
}

static void
test_names(void)
{
  gsize                            n;
  const LacPlacementMethod *const *methods = lac_placement_methods(&n);
  g_autoptr(GError)                error = NULL;

  for (gsize i = 0; i < n; i++)
    g_assert_true(lac_placement_find(methods[i]->name, NULL) == methods[i]);
  g_assert_null(lac_placement_find("by-taste", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY);
  for (gsize i = 0; i < n; i++)
    g_assert_nonnull(strstr(error->message, methods[i]->name));
}

int
main(int argc, char **argv)
{
  static const struct {
    const char   *name;
    GTestDataFunc run;
  } tests[] = {
    {"places-are-distinct", test_distinct},
    {"sensors-stay-where-they-are-allowed", test_region},
    {"sensors-keep-their-distance", test_distance},
    {"threads-change-nothing", test_threads},
    {"what-does-not-fit-is-refused-in-a-sentence", test_refused},
  };
  gsize                            n;
  const LacPlacementMethod *const *methods = lac_placement_methods(&n);

  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/sensor/placement-methods/names-find-their-method", test_names);
  for (gsize i = 0; i < n; i++)
    for (gsize t = 0; t < G_N_ELEMENTS(tests); t++) {
      g_autofree char *path =
        g_strdup_printf("/sensor/placement-methods/%s/%s", methods[i]->name, tests[t].name);

      g_test_add_data_func(path, methods[i], tests[t].run);
    }
  return g_test_run();
}
