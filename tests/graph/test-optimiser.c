/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Optimisers on functions whose minimum is known, and their state in and out. */
#include "backend/registry.h"
#include "base/rng.h"
#include "graph/optimiser-private.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define MAX_N 200

/* An objective on the host behind device vectors. */
typedef struct {
  LacDevice device;
  gsize     n;
  double (*function)(const double *x, double *gradient, gsize n, gpointer data);
  gpointer data;
  guint    n_calls;
} Objective;

static gboolean
evaluate(gconstpointer theta, gpointer gradient, double *loss, gpointer user_data, GError **error)
{
  Objective *objective = user_data;
  LacDevice  device = objective->device;
  double     x[MAX_N], g[MAX_N];

  device.table->download(device.self, x, theta, objective->n * sizeof *x);
  *loss = objective->function(x, g, objective->n, objective->data);
  device.table->upload(device.self, gradient, g, objective->n * sizeof *g);
  objective->n_calls++;
  return TRUE;
}

static double
rosenbrock(const double *x, double *g, gsize n, gpointer data)
{
  double f = 0;

  memset(g, 0, n * sizeof *g);
  for (gsize i = 0; i + 1 < n; i++) {
    double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];

    f += 100 * a * a + b * b;
    g[i] += -400 * a * x[i] - 2 * b;
    g[i + 1] += 200 * a;
  }
  return f;
}

/* 1/2 sum_i (i + 1) (x_i - 1)^2 after a rotation of neighbours, so that H is not diagonal */
static double
quadratic(const double *x, double *g, gsize n, gpointer data)
{
  double f = 0;

  memset(g, 0, n * sizeof *g);
  for (gsize i = 0; i < n; i++) {
    gsize  k = (i + 1) % n;
    double r = 0.8 * (x[i] - 1) + 0.6 * (x[k] - 1), weight = (double) i + 1;

    f += 0.5 * weight * r * r;
    g[i] += 0.8 * weight * r;
    g[k] += 0.6 * weight * r;
  }
  return f;
}

typedef struct {
  Objective     objective;
  LacPool      *pool;
  gpointer      theta; /* device */
  LacOptimiser *optimiser;
} Fixture;

static void
set_up(Fixture                    *f,
       const LacOptimiserSettings *settings,
       gsize                       n,
       const double               *start,
       guint                       n_threads)
{
  g_autoptr(GError) error = NULL;

  memset(f, 0, sizeof *f);
  g_assert_true(lac_device_open(&f->objective.device, "strict", &error));
  f->objective.n = n;
  f->objective.function = rosenbrock;
  f->pool = lac_pool_new(n_threads);
  f->objective.device.table->alloc(f->objective.device.self, n * sizeof(double), &f->theta);
  f->objective.device.table->upload(f->objective.device.self, f->theta, start, n * sizeof(double));
  f->optimiser = lac_optimiser_new(settings, n, f->objective.device, LAC_F64, f->pool, &error);
  g_assert_no_error(error);
}

static void
tear_down(Fixture *f)
{
  lac_optimiser_free(f->optimiser);
  f->objective.device.table->release(f->objective.device.self, f->theta);
  lac_device_close(&f->objective.device);
  lac_pool_free(f->pool);
}

static LacOptimiserReport
step(Fixture *f)
{
  g_autoptr(GError)  error = NULL;
  LacOptimiserReport report;

  lac_optimiser_step(f->optimiser, f->theta, evaluate, &f->objective, &report, &error);
  g_assert_no_error(error);
  return report;
}

static void
read_theta(Fixture *f, double *theta)
{
  LacDevice device = f->objective.device;

  device.table->download(device.self, theta, f->theta, f->objective.n * sizeof *theta);
}

/* From the classical start the valley is followed to (1, 1) well within 100 steps. */
static void
test_rosenbrock(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  Fixture              f;
  double               x[2];
  LacOptimiserReport   report = {0};

  set_up(&f, &settings, 2, (double[]){-1.2, 1}, 1);
  for (guint i = 0; i < 100; i++)
    report = step(&f);
  read_theta(&f, x);
  g_assert_cmpfloat(report.loss, <, 1e-20);
  g_assert_cmpfloat(fabs(x[0] - 1), <, 1e-10);
  g_assert_cmpfloat(fabs(x[1] - 1), <, 1e-10);
  g_assert_cmpuint(f.objective.n_calls, <, 250);
  tear_down(&f);
}

static void
test_long_rosenbrock(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  Fixture              f;
  double               x[20];

  for (gsize i = 0; i < 20; i++)
    x[i] = i % 2 ? 1 : -1.2;
  set_up(&f, &settings, 20, x, 2);
  for (guint i = 0; i < 400; i++)
    step(&f);
  read_theta(&f, x);
  for (gsize i = 0; i < 20; i++)
    g_assert_cmpfloat(fabs(x[i] - 1), <, 1e-8);
  tear_down(&f);
}

/* With exact searches and as many pairs as unknowns L-BFGS makes conjugate directions: n steps suffice. BFGS likewise. */
static void
test_quadratic(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  const gsize          n = 10;
  Fixture              f;
  double               x[10] = {3, -2, 0, 5, 1.5, -4, 2, 0.5, -1, 7};

  settings.curvature = 1e-12;
  settings.history = (guint) n;
  set_up(&f, &settings, n, x, 1);
  f.objective.function = quadratic;
  for (gsize i = 0; i < n + 1; i++) /* one more: the first direction has no memory to scale it */
    step(&f);
  read_theta(&f, x);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat(fabs(x[i] - 1), <, 1e-10);
  tear_down(&f);
}

static void
test_adam_formula(void)
{
  LacOptimiserSettings settings = lac_optimiser_defaults(LAC_OPTIMISER_ADAM);
  Fixture              f;
  double               x[2] = {-1.2, 1}, found[2], g[2], m[2] = {0}, v[2] = {0};

  settings.rate = 0.01;
  set_up(&f, &settings, 2, x, 1);
  for (int t = 1; t <= 50; t++) {
    LacOptimiserReport report = step(&f);
    double             loss = rosenbrock(x, g, 2, NULL);

    g_assert_cmpfloat(fabs(report.loss - loss), <=, 1e-12 * loss);
    for (int i = 0; i < 2; i++) {
      m[i] = settings.beta1 * m[i] + (1 - settings.beta1) * g[i];
      v[i] = settings.beta2 * v[i] + (1 - settings.beta2) * g[i] * g[i];
      x[i] -= settings.rate * (m[i] / (1 - pow(settings.beta1, t))) /
              (sqrt(v[i] / (1 - pow(settings.beta2, t))) + settings.epsilon);
    }
  }
  read_theta(&f, found);
  for (int i = 0; i < 2; i++)
    g_assert_cmpfloat(fabs(found[i] - x[i]), <, 1e-12);
  tear_down(&f);
}

/* Half the steps, save, load into a new optimiser, the other half: the same bits as without a break. */
static void
test_resume(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  const double         start[] = {-1.2, 1, 0.3, -0.7};
  double               straight[4], resumed[4];
  Fixture              f, g;

  set_up(&f, &settings, 4, start, 1);
  for (guint i = 0; i < 12; i++)
    step(&f);
  read_theta(&f, resumed);
  gsize              length = lac_optimiser_get_state_length(f.optimiser);
  g_autofree double *state = g_new(double, length);
  g_autofree double *again = g_new(double, length);
  g_autoptr(GError)  error = NULL;

  lac_optimiser_save(f.optimiser, state);
  for (guint i = 0; i < 12; i++)
    step(&f);
  read_theta(&f, straight);
  tear_down(&f);

  set_up(&g, &settings, 4, resumed, 2);
  g_assert_false(lac_optimiser_load(g.optimiser, state, length - 1, &error));
  g_clear_error(&error);
  g_assert_true(lac_optimiser_load(g.optimiser, state, length, &error));
  lac_optimiser_save(g.optimiser, again);
  g_assert_cmpmem(again, length * sizeof *again, state, length * sizeof *state);
  for (guint i = 0; i < 12; i++)
    step(&g);
  read_theta(&g, resumed);
  g_assert_cmpmem(resumed, sizeof resumed, straight, sizeof straight);
  tear_down(&g);
}

/* Every member of the family maps the change of the gradient to the step: H y = s; and H stays symmetric but for the rounding of what was subtracted. */
static void
test_secant(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  const gsize          n = 6;
  Fixture              f;
  double               x[6] = {-1.2, 1, 0.3, -0.7, 0.1, 2}, before[6], g[6], g_before[6];

  set_up(&f, &settings, n, x, 1);
  g_autofree double *state = g_new(double, lac_optimiser_get_state_length(f.optimiser));
  const double      *h = state + LAC_N_NUMBERS + n;

  for (guint k = 0; k < 20; k++) {
    read_theta(&f, before);
    step(&f);
    read_theta(&f, x);
    rosenbrock(before, g_before, n, NULL);
    rosenbrock(x, g, n, NULL);
    lac_optimiser_save(f.optimiser, state);
    g_assert_cmpfloat(state[LAC_NUMBER_UPDATES], ==, k + 1);
    for (gsize i = 0; i < n; i++) {
      double hy = 0, size = 0;

      for (gsize j = 0; j < n; j++) {
        hy += h[i * n + j] * (g[j] - g_before[j]);
        size += fabs(h[i * n + j]) * (fabs(g[j]) + fabs(g_before[j]));
        g_assert_cmpfloat(fabs(h[i * n + j] - h[j * n + i]), <=,
                          1e-11 * sqrt(fabs(h[i * n + i] * h[j * n + j])));
      }
      g_assert_cmpfloat(fabs(hy - (x[i] - before[i])), <=, 1e-12 * size);
    }
  }
  tear_down(&f);
}

/* Rows of H are shared out in blocks; who works on which changes nothing. */
static void
test_threads(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  double               start[MAX_N], results[3][MAX_N];

  for (gsize i = 0; i < MAX_N; i++)
    start[i] = sin((double) i);
  for (guint k = 0; k < 3; k++) {
    Fixture f;

    set_up(&f, &settings, MAX_N, start, k + 1);
    for (guint i = 0; i < 15; i++)
      step(&f);
    read_theta(&f, results[k]);
    tear_down(&f);
  }
  g_assert_cmpmem(results[1], sizeof results[1], results[0], sizeof results[0]);
  g_assert_cmpmem(results[2], sizeof results[2], results[0], sizeof results[0]);
}

static double
nowhere(const double *x, double *g, gsize n, gpointer data)
{
  for (gsize i = 0; i < n; i++)
    g[i] = (double) NAN;
  return (double) NAN;
}

/* A loss beyond the wall at x = 2 is infinite: the search stays on this side. */
static double
wall(const double *x, double *g, gsize n, gpointer data)
{
  if (x[0] >= 2)
    return nowhere(x, g, n, data);
  g[0] = 1 / (2 - x[0]) - 10;
  return -log(2 - x[0]) - 10 * x[0];
}

static void
test_not_finite(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  Fixture              f;
  double               x;

  set_up(&f, &settings, 1, (double[]){-5}, 1);
  f.objective.function = wall;
  for (guint i = 0; i < 40; i++)
    step(&f);
  read_theta(&f, &x);
  g_assert_cmpfloat(fabs(x - 1.9), <, 1e-6);
  f.objective.function = nowhere;
  lac_optimiser_refresh(f.optimiser);
  g_assert_true(step(&f).stalled);
  read_theta(&f, &x);
  g_assert_cmpfloat(fabs(x - 1.9), <, 1e-6);
  tear_down(&f);
}

/* At the minimum no step is acceptable; it says so and leaves theta alone. */
static void
test_stalls(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  Fixture              f;
  double               x[2];

  set_up(&f, &settings, 2, (double[]){1, 1}, 1);
  g_assert_true(step(&f).stalled);
  read_theta(&f, x);
  g_assert_cmpfloat(x[0], ==, 1);
  g_assert_cmpfloat(x[1], ==, 1);
  tear_down(&f);
}

/* A refreshed optimiser goes on with the memory it has and the objective as it is now. */
static void
test_refresh(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  Fixture              f;
  double               x[4] = {3, -2, 0, 5}, g[4];

  set_up(&f, &settings, 4, x, 1);
  f.objective.function = quadratic;
  for (guint i = 0; i < 6; i++)
    step(&f);
  f.objective.function = rosenbrock;
  lac_optimiser_refresh(f.optimiser);
  read_theta(&f, x);
  double before = rosenbrock(x, g, 4, NULL);
  g_assert_cmpfloat(step(&f).loss, <=, before);
  for (guint i = 0; i < 150; i++)
    step(&f);
  read_theta(&f, x);
  g_assert_cmpfloat(rosenbrock(x, g, 4, NULL), <, 1e-15);
  tear_down(&f);
}

int
main(int argc, char **argv)
{
  static const struct {
    const char      *name;
    LacOptimiserKind kind;
  } kinds[] = {
    {"lbfgs", LAC_OPTIMISER_LBFGS},
    {"ssbroyden", LAC_OPTIMISER_SSBROYDEN},
    {"bfgs", LAC_OPTIMISER_BFGS},
    {"adam", LAC_OPTIMISER_ADAM},
  };
  static const struct {
    const char *name;
    void (*func)(gconstpointer);
    guint n_kinds; /* the first ones of the list */
  } parts[] = {
    {"finds the minimum of Rosenbrock", test_rosenbrock, 3},
    {"finds the minimum of a long Rosenbrock", test_long_rosenbrock, 3},
    {"steps back from a loss that is not finite", test_not_finite, 3},
    {"stalls at a minimum", test_stalls, 3},
    {"goes on after a refresh", test_refresh, 3},
    {"resumes to the same bits", test_resume, 4},
    {"same bits for any number of threads", test_threads, 4},
  };

  g_test_init(&argc, &argv, NULL);
  for (gsize k = 0; k < G_N_ELEMENTS(parts); k++) {
    for (guint i = 0; i < parts[k].n_kinds; i++) {
      g_autofree char *path = g_strdup_printf("/optimiser/%s/%s", kinds[i].name, parts[k].name);

      g_test_add_data_func(path, GINT_TO_POINTER(kinds[i].kind), parts[k].func);
    }
  }
  g_test_add_data_func("/optimiser/lbfgs/solves a quadratic in as many steps as unknowns",
                       GINT_TO_POINTER(LAC_OPTIMISER_LBFGS), test_quadratic);
  g_test_add_data_func("/optimiser/bfgs/solves a quadratic in as many steps as unknowns",
                       GINT_TO_POINTER(LAC_OPTIMISER_BFGS), test_quadratic);
  g_test_add_data_func("/optimiser/ssbroyden/keeps the secant equation",
                       GINT_TO_POINTER(LAC_OPTIMISER_SSBROYDEN), test_secant);
  g_test_add_data_func("/optimiser/bfgs/keeps the secant equation",
                       GINT_TO_POINTER(LAC_OPTIMISER_BFGS), test_secant);
  g_test_add_func("/optimiser/adam/follows the formula", test_adam_formula);
  return g_test_run();
}
