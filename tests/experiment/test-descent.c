/* SPDX-License-Identifier: GPL-3.0-or-later */
/* L-BFGS over host vectors: finds a minimum, reports its progress, and continues from a saved state. */
#include "experiment/descent.h"

#include <math.h>
#include <string.h>

#define N       4
#define LONGEST 200

/* Rosenbrock's function over pairs, minimum at 1; (1960), doi:10.1093/comjnl/3.3.175 */
static gboolean
valley(const double *x, double *gradient, double *value, gpointer user_data, GError **error)
{
  gsize *n_evaluations = user_data;

  (*n_evaluations)++;
  *value = 0;
  for (gsize i = 0; i < N; i += 2) {
    const double bend = x[i + 1] - x[i] * x[i], way = 1 - x[i];

    *value += 100 * bend * bend + way * way;
    gradient[i] = -400 * bend * x[i] - 2 * way;
    gradient[i + 1] = 200 * bend;
  }
  return TRUE;
}

typedef struct {
  LacPool    *pool;
  LacDescent *descent;
  gsize       n_evaluations;
  double      x[N];
} Subject;

static void
subject_init(Subject *subject)
{
  static const double start[N] = {-1.2, 1, 0.5, 2};
  g_autoptr(GError)   error = NULL;

  memset(subject, 0, sizeof *subject);
  memcpy(subject->x, start, sizeof start);
  subject->pool = lac_pool_new(1);
  subject->descent = lac_descent_new(N, valley, &subject->n_evaluations, subject->pool, &error);
  g_assert_no_error(error);
}

static void
subject_clear(Subject *subject)
{
  lac_descent_free(subject->descent);
  lac_pool_free(subject->pool);
}

static LacDescentReport
step(Subject *subject)
{
  g_autoptr(GError) error = NULL;
  LacDescentReport  report;

  g_assert_true(lac_descent_step(subject->descent, subject->x, &report, &error));
  g_assert_no_error(error);
  return report;
}

static void
test_valley(void)
{
  Subject          subject;
  LacDescentReport report = {0};
  gsize            n_reported = 0;

  subject_init(&subject);
  for (gsize i = 0; i < LONGEST && !report.stalled; i++) {
    double gradient[N], value, norm = 0;
    gsize  n_before;

    report = step(&subject);
    n_reported += report.n_evaluations;
    g_assert_cmpuint(n_reported, ==, subject.n_evaluations);
    n_before = subject.n_evaluations;
    valley(subject.x, gradient, &value, &n_before, NULL);
    for (gsize k = 0; k < N; k++)
      norm += gradient[k] * gradient[k];
    g_assert_cmpfloat(report.value, ==, value);
    if (isfinite(report.norm))
      g_assert_cmpfloat(report.norm, ==, sqrt(norm));
  }
  for (gsize k = 0; k < N; k++)
    g_assert_cmpfloat(fabs(subject.x[k] - 1), <, 1e-6);
  subject_clear(&subject);
}

static void
assert_same_way(Subject *a, Subject *b)
{
  for (gsize i = 0; i < 8; i++) {
    g_assert_cmpfloat(step(a).value, ==, step(b).value);
    g_assert_cmpmem(a->x, sizeof a->x, b->x, sizeof b->x);
  }
}

/* State saved after a few steps and continued by another optimiser. */
static void
test_kept(void)
{
  Subject            whole, resumed;
  g_autofree double *state = NULL;

  subject_init(&whole);
  subject_init(&resumed);
  for (gsize i = 0; i < 5; i++)
    step(&whole);
  state = g_new(double, lac_packing_get_length(lac_descent_pack, whole.descent));
  lac_packing_save(lac_descent_pack, whole.descent, state);
  lac_packing_load(lac_descent_pack, resumed.descent, state);
  memcpy(resumed.x, whole.x, sizeof whole.x);
  assert_same_way(&whole, &resumed);
  subject_clear(&whole);
  subject_clear(&resumed);
}

/* After forgetting everything the descent equals one that starts there. */
static void
test_forgotten(void)
{
  Subject old, fresh;

  subject_init(&old);
  subject_init(&fresh);
  for (gsize i = 0; i < 5; i++)
    step(&old);
  lac_descent_forget(old.descent);
  memcpy(fresh.x, old.x, sizeof old.x);
  assert_same_way(&old, &fresh);
  subject_clear(&old);
  subject_clear(&fresh);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/descent/finds-the-bottom-and-says-where-it-is", test_valley);
  g_test_add_func("/experiment/descent/goes-on-from-what-was-kept", test_kept);
  g_test_add_func("/experiment/descent/forgets-everything-when-told", test_forgotten);
  return g_test_run();
}
