/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Optimisers on functions whose minimum is known, and their state in and out. */
#include "counting-malloc.h"

#include "backend/dense.h"
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
  for (guint i = 0; i < 100 && !report.stalled; i++) /* stalled: at the minimum to rounding */
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

/* Every side of a 4 x 5 matrix within 24 numbers keeps its own basis: nothing but Adam is left. */
static void
test_soap_without_bases(void)
{
  const LacMatrixShape matrix = {2, 4, 5};
  LacOptimiserSettings settings[2] = {lac_optimiser_defaults(LAC_OPTIMISER_SOAP),
                                      lac_optimiser_defaults(LAC_OPTIMISER_ADAM)};
  double               x[24], found[2][24];
  const LacRateRange   ranges[] = {{1, 4, 0.5}, {23, 1, 0}};

  for (gsize i = 0; i < 24; i++)
    x[i] = sin((double) i);
  for (guint k = 0; k < 2; k++) {
    Fixture f;

    settings[k].rate = 0.01;
    settings[k].beta1 = 0.9;
    settings[k].beta2 = 0.999;
    settings[k].ranges = ranges;
    settings[k].n_ranges = G_N_ELEMENTS(ranges);
    settings[k].matrices = &matrix;
    settings[k].n_matrices = 1;
    settings[k].refresh_steps = 0;
    set_up(&f, &settings[k], 24, x, 1);
    for (guint t = 0; t < 60; t++)
      step(&f);
    read_theta(&f, found[k]);
    tear_down(&f);
  }
  g_assert_cmpfloat(found[0][23], ==, x[23]);
  for (gsize i = 0; i < 24; i++)
    g_assert_cmpfloat_with_epsilon(found[0][i], found[1][i], 1e-12);
}

#define SIDE 4

/* b = left a right^T */
static void
turn(const double *left, const double *a, const double *right, double *b)
{
  memset(b, 0, SIDE * SIDE * sizeof *b);
  for (gsize i = 0; i < SIDE; i++)
    for (gsize j = 0; j < SIDE; j++)
      for (gsize k = 0; k < SIDE; k++)
        for (gsize l = 0; l < SIDE; l++)
          b[i * SIDE + j] += left[i * SIDE + k] * a[k * SIDE + l] * right[j * SIDE + l];
}

static void
transpose(const double *a, double *b)
{
  for (gsize i = 0; i < SIDE; i++)
    for (gsize j = 0; j < SIDE; j++)
      b[j * SIDE + i] = a[i * SIDE + j];
}

/* Two orthonormal matrices, row by row. */
typedef struct {
  double left[SIDE * SIDE], right[SIDE * SIDE];
} Turn;

/* The Rosenbrock function of what @data, a Turn, makes of the matrix */
static double
turned_rosenbrock(const double *x, double *g, gsize n, gpointer data)
{
  const Turn *turned = data;
  double      y[SIDE * SIDE], gy[SIDE * SIDE], left[SIDE * SIDE], right[SIDE * SIDE];

  transpose(turned->left, left);
  transpose(turned->right, right);
  turn(turned->left, x, turned->right, y);
  const double f = rosenbrock(y, gy, n, NULL);
  turn(left, gy, right, g);
  return f;
}

static void
draw_orthonormal(guint64 seed, double *q)
{
  LacRng rng = lac_rng(seed, 0);
  double work[LAC_DENSE_ORTHONORMAL_WORK * SIDE];

  for (gsize i = 0; i < SIDE * SIDE; i++)
    q[i] = lac_rng_normal(&rng);
  g_assert_true(lac_dense_orthonormal_rows(q, SIDE, SIDE, work));
}

/* The eigenbases turn with the problem, so a turned problem is solved by the turned steps; Adam's depend on the axes. */
static void
test_soap_turns_with_the_problem(void)
{
  const LacMatrixShape matrix = {0, SIDE, SIDE};
  LacOptimiserSettings settings = lac_optimiser_defaults(LAC_OPTIMISER_SOAP);
  Turn                 turned;
  double               start[SIDE * SIDE], x[SIDE * SIDE], back[SIDE * SIDE], left[SIDE * SIDE];
  double               right[SIDE * SIDE], moved = 0;
  Fixture              f;

  draw_orthonormal(3, turned.left);
  draw_orthonormal(4, turned.right);
  transpose(turned.left, left);
  transpose(turned.right, right);
  for (gsize i = 0; i < SIDE * SIDE; i++)
    start[i] = sin(1 + (double) (i * i));
  settings.matrices = &matrix;
  settings.n_matrices = 1;
  settings.refresh_steps = 3;
  settings.epsilon = 1e-2; /* well-conditioned: the smallest second moments are not divided by */
  set_up(&f, &settings, SIDE * SIDE, start, 1);
  for (guint i = 0; i < 25; i++)
    step(&f);
  read_theta(&f, x);
  tear_down(&f);
  turn(left, start, right, back);
  set_up(&f, &settings, SIDE * SIDE, back, 1);
  f.objective.function = turned_rosenbrock;
  f.objective.data = &turned;
  for (guint i = 0; i < 25; i++)
    step(&f);
  read_theta(&f, back);
  tear_down(&f);
  turn(turned.left, back, turned.right, left);
  for (gsize i = 0; i < SIDE * SIDE; i++) {
    moved += fabs(x[i] - start[i]);
    /* rounding, grown from step to step */
    g_assert_cmpfloat_with_epsilon(left[i], x[i], 1e-9);
  }
  g_assert_cmpfloat(moved, >, 0.3);
}

/* Not even SOAP's first bases. */
static void
test_allocates_nothing(gconstpointer data)
{
  const LacMatrixShape matrix = {3, 5, 7};
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  double               start[40];
  Fixture              f;

  settings.matrices = &matrix;
  settings.n_matrices = 1;
  settings.refresh_steps = 2;
  settings.history = 5;
  for (gsize i = 0; i < 40; i++)
    start[i] = cos((double) i);
  set_up(&f, &settings, 40, start, 1);
  const guint before = n_allocations;
  for (guint i = 0; i < 10; i++)
    step(&f);
  g_assert_cmpuint(n_allocations, ==, before);
  tear_down(&f);
}

/* The same minimum in a landscape whose value the reports do not show. */
static void
test_transform(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults(LAC_OPTIMISER_BFGS);
  Fixture              f;
  double               x[2] = {-1.2, 1}, g[2];

  settings.transform = (LacTransform) GPOINTER_TO_INT(data);
  set_up(&f, &settings, 2, x, 1);
  for (guint i = 0; i < 60; i++) {
    const double loss = step(&f).loss;

    read_theta(&f, x);
    const double expected = rosenbrock(x, g, 2, NULL);
    g_assert_cmpfloat(fabs(loss - expected), <=, 1e-10 * expected + 1e-300);
  }
  g_assert_cmpfloat(rosenbrock(x, g, 2, NULL), <, 1e-12);
  tear_down(&f);
}

/* Half the steps, save, load into a new optimiser, the other half: the same bits as without a break. */
static void
test_resume(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  const double         start[] = {-1.2, 1, 0.3, -0.7};
  double               straight[4], resumed[4];
  const LacMatrixShape matrix = {0, 2, 2};
  Fixture              f, g;

  settings.matrices = &matrix;
  settings.n_matrices = 1;
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
    {"lbfgs", LAC_OPTIMISER_LBFGS},   {"ssbroyden", LAC_OPTIMISER_SSBROYDEN},
    {"bfgs", LAC_OPTIMISER_BFGS},     {"ssbroyden1", LAC_OPTIMISER_SSBROYDEN1},
    {"ssbfgs", LAC_OPTIMISER_SSBFGS}, {"adam", LAC_OPTIMISER_ADAM},
    {"soap", LAC_OPTIMISER_SOAP},
  };
  static const struct {
    const char *name;
    void (*func)(gconstpointer);
    guint n_kinds; /* the first ones of the list */
  } parts[] = {
    {"finds the minimum of Rosenbrock", test_rosenbrock, 5},
    {"finds the minimum of a long Rosenbrock", test_long_rosenbrock, 5},
    {"steps back from a loss that is not finite", test_not_finite, 5},
    {"stalls at a minimum", test_stalls, 5},
    {"goes on after a refresh", test_refresh, 5},
    {"resumes to the same bits", test_resume, 7},
    {"same bits for any number of threads", test_threads, 7},
    {"allocates nothing in its steps", test_allocates_nothing, 7},
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
  g_test_add_data_func("/optimiser/ssbroyden1/keeps the secant equation",
                       GINT_TO_POINTER(LAC_OPTIMISER_SSBROYDEN1), test_secant);
  g_test_add_data_func("/optimiser/ssbfgs/keeps the secant equation",
                       GINT_TO_POINTER(LAC_OPTIMISER_SSBFGS), test_secant);
  g_test_add_data_func("/optimiser/bfgs/finds the minimum of the square root",
                       GINT_TO_POINTER(LAC_TRANSFORM_SQRT), test_transform);
  g_test_add_data_func("/optimiser/bfgs/finds the minimum of the logarithm",
                       GINT_TO_POINTER(LAC_TRANSFORM_LOG), test_transform);
  g_test_add_func("/optimiser/soap/is Adam where every side keeps its own basis",
                  test_soap_without_bases);
  g_test_add_func("/optimiser/soap/turns with the problem", test_soap_turns_with_the_problem);
  g_test_add_func("/optimiser/adam/follows the formula", test_adam_formula);
  return g_test_run();
}
