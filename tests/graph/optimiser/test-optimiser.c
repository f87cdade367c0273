/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Optimisers on functions with known minimum, and saving and loading their state. */
#include "graph/helpers/optimiser-walk.h"
#include "graph/optimiser/optimiser-private.h"
#include "helpers/counting-malloc.h"

#include <math.h>
#include <string.h>

/* From the classical start the valley is followed to (1, 1) well within 100 steps. */
static void
test_rosenbrock(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  Walk                 f;
  double               x[2];
  LacOptimiserReport   report = {0};

  walk_init(&f, &settings, 2, (double[]){-1.2, 1}, 1);
  for (guint i = 0; i < 100 && !report.stalled; i++) /* stalled: at the minimum to rounding */
    report = walk_step(&f);
  walk_read(&f, x);
  g_assert_cmpfloat(report.loss, <, 1e-20);
  g_assert_cmpfloat(fabs(x[0] - 1), <, 1e-10);
  g_assert_cmpfloat(fabs(x[1] - 1), <, 1e-10);
  g_assert_cmpuint(f.objective.n_calls, <, 250);
  walk_clear(&f);
}

static void
test_long_rosenbrock(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  Walk                 f;
  double               x[20];

  for (gsize i = 0; i < 20; i++)
    x[i] = i % 2 ? 1 : -1.2;
  walk_init(&f, &settings, 20, x, 2);
  for (guint i = 0; i < 400; i++)
    walk_step(&f);
  walk_read(&f, x);
  for (gsize i = 0; i < 20; i++)
    g_assert_cmpfloat(fabs(x[i] - 1), <, 1e-8);
  walk_clear(&f);
}

/* Counts what the host waits for. */
static struct {
  const LacBackend *below;
  LacBackend        table;
  guint             n;
} waits;

static LacStatus
count_dot(void *self, const LacDot *args)
{
  waits.n += args->out != NULL;
  return waits.below->dot(self, args);
}

static LacStatus
count_download(void *self, void *host, const void *device, size_t n_bytes)
{
  waits.n++;
  return waits.below->download(self, host, device, n_bytes);
}

/* An evaluation waits for its slope; a step for the slope at its start and the products of its pair, however many pairs there
 * are. */
static void
test_waits(void)
{
  LacOptimiserSettings settings = lac_optimiser_defaults(LAC_OPTIMISER_LBFGS);
  Walk                 f;
  double               x[20];

  for (gsize i = 0; i < 20; i++)
    x[i] = i % 2 ? 1 : -1.2;
  walk_init(&f, &settings, 20, x, 2);
  waits.below = f.optimiser->device.table;
  waits.table = *waits.below;
  waits.table.dot = count_dot;
  waits.table.download = count_download;
  f.optimiser->device.table = &waits.table;
  for (guint i = 0; i < 40; i++) {
    waits.n = 0;
    const LacOptimiserReport report = walk_step(&f);
    g_assert_cmpuint(waits.n, <=, 2 + report.n_evaluations);
  }
  g_assert_cmpfloat(f.optimiser->numbers[LAC_NUMBER_UPDATES], >, 30);
  f.optimiser->device.table = waits.below;
  walk_clear(&f);
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

/* With exact searches and as many pairs as unknowns L-BFGS generates conjugate directions: n steps suffice. The same
 * holds for BFGS. */
static void
test_quadratic(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  const gsize          n = 10;
  Walk                 f;
  double               x[10] = {3, -2, 0, 5, 1.5, -4, 2, 0.5, -1, 7};

  settings.curvature = 1e-12;
  settings.history = (guint) n;
  walk_init(&f, &settings, n, x, 1);
  f.objective.function = quadratic;
  for (gsize i = 0; i < n + 1; i++) /* one more: the first direction is not scaled yet */
    walk_step(&f);
  walk_read(&f, x);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat(fabs(x[i] - 1), <, 1e-10);
  walk_clear(&f);
}

/* Not even when SOAP computes its first bases. */
static void
test_allocates_nothing(gconstpointer data)
{
  const LacMatrixShape matrix = {3, 5, 7};
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  double               start[40];
  Walk                 f;

  settings.matrices = &matrix;
  settings.n_matrices = 1;
  settings.refresh_steps = 2;
  settings.history = 5;
  for (gsize i = 0; i < 40; i++)
    start[i] = cos((double) i);
  walk_init(&f, &settings, 40, start, 1);
  const guint before = n_allocations;
  for (guint i = 0; i < 10; i++)
    walk_step(&f);
  g_assert_cmpuint(n_allocations, ==, before);
  walk_clear(&f);
}

/* The same minimum with a transformed loss; reports show the untransformed one. */
static void
test_transform(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults(LAC_OPTIMISER_BFGS);
  Walk                 f;
  double               x[2] = {-1.2, 1}, g[2];

  settings.transform = (LacTransform) GPOINTER_TO_INT(data);
  walk_init(&f, &settings, 2, x, 1);
  for (guint i = 0; i < 60; i++) {
    const double loss = walk_step(&f).loss;

    walk_read(&f, x);
    const double expected = rosenbrock(x, g, 2, NULL);
    g_assert_cmpfloat(fabs(loss - expected), <=, 1e-10 * expected + 1e-300);
  }
  g_assert_cmpfloat(rosenbrock(x, g, 2, NULL), <, 1e-12);
  walk_clear(&f);
}

/* Half the steps, save, load into a new optimiser, the other half: bitwise equal to an uninterrupted run. */
static void
test_resume(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  const double         start[] = {-1.2, 1, 0.3, -0.7};
  double               straight[4], resumed[4];
  const LacMatrixShape matrix = {0, 2, 2};
  Walk                 f, g;

  settings.matrices = &matrix;
  settings.n_matrices = 1;
  walk_init(&f, &settings, 4, start, 1);
  for (guint i = 0; i < 12; i++)
    walk_step(&f);
  walk_read(&f, resumed);
  gsize              length = lac_packing_get_length(lac_optimiser_pack, f.optimiser);
  g_autofree double *state = g_new(double, length);
  g_autofree double *again = g_new(double, length);
  g_autoptr(GError)  error = NULL;

  lac_packing_save(lac_optimiser_pack, f.optimiser, state);
  for (guint i = 0; i < 12; i++)
    walk_step(&f);
  walk_read(&f, straight);
  walk_clear(&f);

  walk_init(&g, &settings, 4, resumed, 2);
  lac_packing_load(lac_optimiser_pack, g.optimiser, state);
  lac_packing_save(lac_optimiser_pack, g.optimiser, again);
  g_assert_cmpmem(again, length * sizeof *again, state, length * sizeof *state);
  for (guint i = 0; i < 12; i++)
    walk_step(&g);
  walk_read(&g, resumed);
  g_assert_cmpmem(resumed, sizeof resumed, straight, sizeof straight);
  walk_clear(&g);
}

/* Every member of the family satisfies the secant equation H y = s; H stays symmetric up to rounding. */
static void
test_secant(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  const gsize          n = 6;
  Walk                 f;
  double               x[6] = {-1.2, 1, 0.3, -0.7, 0.1, 2}, before[6], g[6], g_before[6];

  walk_init(&f, &settings, n, x, 1);
  g_autofree double *state = g_new(double, lac_packing_get_length(lac_optimiser_pack, f.optimiser));
  const double      *h = state + LAC_N_NUMBERS + n;

  for (guint k = 0; k < 20; k++) {
    walk_read(&f, before);
    walk_step(&f);
    walk_read(&f, x);
    rosenbrock(before, g_before, n, NULL);
    rosenbrock(x, g, n, NULL);
    lac_packing_save(lac_optimiser_pack, f.optimiser, state);
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
  walk_clear(&f);
}

/* Rows of H are split in blocks; the assignment to threads does not matter. */
static void
test_threads(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  double               start[WALK_MAX_N], results[3][WALK_MAX_N];

  for (gsize i = 0; i < WALK_MAX_N; i++)
    start[i] = sin((double) i);
  for (guint k = 0; k < 3; k++) {
    Walk f;

    walk_init(&f, &settings, WALK_MAX_N, start, k + 1);
    for (guint i = 0; i < 15; i++)
      walk_step(&f);
    walk_read(&f, results[k]);
    walk_clear(&f);
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

/* A loss that is infinite beyond x = 2: the search stays on this side. */
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
  Walk                 f;
  double               x;

  walk_init(&f, &settings, 1, (double[]){-5}, 1);
  f.objective.function = wall;
  for (guint i = 0; i < 40; i++)
    walk_step(&f);
  walk_read(&f, &x);
  g_assert_cmpfloat(fabs(x - 1.9), <, 1e-6);
  f.objective.function = nowhere;
  lac_optimiser_refresh(f.optimiser);
  g_assert_true(walk_step(&f).stalled);
  walk_read(&f, &x);
  g_assert_cmpfloat(fabs(x - 1.9), <, 1e-6);
  walk_clear(&f);
}

/* At the minimum no step is acceptable; stalled is reported and theta is unchanged. */
static void
test_stalls(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  Walk                 f;
  double               x[2];

  walk_init(&f, &settings, 2, (double[]){1, 1}, 1);
  g_assert_true(walk_step(&f).stalled);
  walk_read(&f, x);
  g_assert_cmpfloat(x[0], ==, 1);
  g_assert_cmpfloat(x[1], ==, 1);
  walk_clear(&f);
}

/* A refreshed optimiser continues with its state and the changed objective. */
static void
test_refresh(gconstpointer data)
{
  LacOptimiserSettings settings = lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
  Walk                 f;
  double               x[4] = {3, -2, 0, 5}, g[4];

  walk_init(&f, &settings, 4, x, 1);
  f.objective.function = quadratic;
  for (guint i = 0; i < 6; i++)
    walk_step(&f);
  f.objective.function = rosenbrock;
  lac_optimiser_refresh(f.optimiser);
  walk_read(&f, x);
  double before = rosenbrock(x, g, 4, NULL);
  g_assert_cmpfloat(walk_step(&f).loss, <=, before);
  for (guint i = 0; i < 150; i++)
    walk_step(&f);
  walk_read(&f, x);
  g_assert_cmpfloat(rosenbrock(x, g, 4, NULL), <, 1e-15);
  walk_clear(&f);
}

/* Only quasi-Newton methods minimise a transformed loss. */
static void
test_without_transform(gconstpointer data)
{
  double found[3][4];

  for (guint transform = LAC_TRANSFORM_NONE; transform <= LAC_TRANSFORM_LOG; transform++) {
    LacOptimiserSettings settings =
      lac_optimiser_defaults((LacOptimiserKind) GPOINTER_TO_INT(data));
    const double x[4] = {3, -2, 0, 5};
    Walk         f;

    settings.transform = (LacTransform) transform;
    walk_init(&f, &settings, 4, x, 1);
    for (guint i = 0; i < 20; i++)
      walk_step(&f);
    walk_read(&f, found[transform]);
    walk_clear(&f);
    g_assert_cmpmem(found[transform], sizeof found[0], found[0], sizeof found[0]);
  }
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
    guint n_kinds; /* from the start of the list */
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
  g_test_add_func("/optimiser/lbfgs/waits as often with many pairs as with few", test_waits);
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
  g_test_add_data_func("/optimiser/adam/minimises the loss itself",
                       GINT_TO_POINTER(LAC_OPTIMISER_ADAM), test_without_transform);
  g_test_add_data_func("/optimiser/soap/minimises the loss itself",
                       GINT_TO_POINTER(LAC_OPTIMISER_SOAP), test_without_transform);
  g_test_add_data_func("/optimiser/bfgs/finds the minimum of the square root",
                       GINT_TO_POINTER(LAC_TRANSFORM_SQRT), test_transform);
  g_test_add_data_func("/optimiser/bfgs/finds the minimum of the logarithm",
                       GINT_TO_POINTER(LAC_TRANSFORM_LOG), test_transform);
  return g_test_run();
}
