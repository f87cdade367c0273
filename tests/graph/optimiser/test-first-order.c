/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adam against its formula, and SOAP with and without rotation. */
#include "backend/dense.h"
#include "base/rng.h"
#include "graph/helpers/optimiser-walk.h"

#include <math.h>
#include <string.h>

static void
test_adam_formula(void)
{
  LacOptimiserSettings settings = lac_optimiser_defaults(LAC_OPTIMISER_ADAM);
  Walk                 f;
  double               x[2] = {-1.2, 1}, found[2], g[2], m[2] = {0}, v[2] = {0};

  settings.rate = 0.01;
  walk_init(&f, &settings, 2, x, 1);
  for (int t = 1; t <= 50; t++) {
    LacOptimiserReport report = walk_step(&f);
    double             loss = rosenbrock(x, g, 2, NULL);

    g_assert_cmpfloat(fabs(report.loss - loss), <=, 1e-12 * loss);
    for (int i = 0; i < 2; i++) {
      m[i] = settings.beta1 * m[i] + (1 - settings.beta1) * g[i];
      v[i] = settings.beta2 * v[i] + (1 - settings.beta2) * g[i] * g[i];
      x[i] -= settings.rate * (m[i] / (1 - pow(settings.beta1, t))) /
              (sqrt(v[i] / (1 - pow(settings.beta2, t))) + settings.epsilon);
    }
  }
  walk_read(&f, found);
  for (int i = 0; i < 2; i++)
    g_assert_cmpfloat(fabs(found[i] - x[i]), <, 1e-12);
  walk_clear(&f);
}

/* No side of a 4 x 5 matrix with 24 parameters is rotated: this is plain Adam. */
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
    Walk f;

    settings[k].rate = 0.01;
    settings[k].beta1 = 0.9;
    settings[k].beta2 = 0.999;
    settings[k].ranges = ranges;
    settings[k].n_ranges = G_N_ELEMENTS(ranges);
    settings[k].matrices = &matrix;
    settings[k].n_matrices = 1;
    settings[k].refresh_steps = 0;
    walk_init(&f, &settings[k], 24, x, 1);
    for (guint t = 0; t < 60; t++)
      walk_step(&f);
    walk_read(&f, found[k]);
    walk_clear(&f);
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

/* The Rosenbrock function of the matrix rotated by @data, a Turn */
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

/* The eigenbases rotate with the problem, so a rotated problem has rotated steps; Adam's depend on the axes. */
static void
test_soap_turns_with_the_problem(void)
{
  const LacMatrixShape matrix = {0, SIDE, SIDE};
  LacOptimiserSettings settings = lac_optimiser_defaults(LAC_OPTIMISER_SOAP);
  Turn                 turned;
  double               start[SIDE * SIDE], x[SIDE * SIDE], back[SIDE * SIDE], left[SIDE * SIDE];
  double               right[SIDE * SIDE], moved = 0;
  Walk                 f;

  draw_orthonormal(3, turned.left);
  draw_orthonormal(4, turned.right);
  transpose(turned.left, left);
  transpose(turned.right, right);
  for (gsize i = 0; i < SIDE * SIDE; i++)
    start[i] = sin(1 + (double) (i * i));
  settings.matrices = &matrix;
  settings.n_matrices = 1;
  settings.refresh_steps = 3;
  settings.epsilon = 1e-2; /* well-conditioned: avoids division by tiny second moments */
  walk_init(&f, &settings, SIDE * SIDE, start, 1);
  for (guint i = 0; i < 25; i++)
    walk_step(&f);
  walk_read(&f, x);
  walk_clear(&f);
  turn(left, start, right, back);
  walk_init(&f, &settings, SIDE * SIDE, back, 1);
  f.objective.function = turned_rosenbrock;
  f.objective.data = &turned;
  for (guint i = 0; i < 25; i++)
    walk_step(&f);
  walk_read(&f, back);
  walk_clear(&f);
  turn(turned.left, back, turned.right, left);
  for (gsize i = 0; i < SIDE * SIDE; i++) {
    moved += fabs(x[i] - start[i]);
    /* rounding, growing from step to step */
    g_assert_cmpfloat_with_epsilon(left[i], x[i], 1e-9);
  }
  g_assert_cmpfloat(moved, >, 0.3);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/optimiser/adam/follows the formula", test_adam_formula);
  g_test_add_func("/optimiser/soap/is Adam where every side keeps its own basis",
                  test_soap_without_bases);
  g_test_add_func("/optimiser/soap/turns with the problem", test_soap_turns_with_the_problem);
  return g_test_run();
}
