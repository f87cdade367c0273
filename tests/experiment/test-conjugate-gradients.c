/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of an inverse by conjugate gradients against the product with the matrix itself. */
#include "base/rng.h"
#include "experiment/conjugate-gradients.h"

#include <gio/gio.h>

#include <math.h>

#define N 24

typedef struct {
  double matrix[N][N];
  gsize  n_products;
} Subject;

static gboolean
multiply(const double *direction, double *product, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  Subject *subject = user_data;

  subject->n_products++;
  for (gsize i = 0; i < N; i++) {
    product[i] = 0;
    for (gsize j = 0; j < N; j++)
      product[i] += subject->matrix[i][j] * direction[j];
  }
  return TRUE;
}

static gboolean
divide_by_diagonal(const double *x, double *y, gpointer user_data)
{
  const Subject *subject = user_data;

  for (gsize i = 0; i < N; i++)
    y[i] = x[i] / subject->matrix[i][i];
  return TRUE;
}

static gboolean
refuse(const double *direction G_GNUC_UNUSED,
       double *product         G_GNUC_UNUSED,
       gpointer user_data      G_GNUC_UNUSED,
       GError                **error)
{
  g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_FAILED, "no product");
  return FALSE;
}

/* G G^T + 1, with row and column i scaled by 2^(i/2) */
static void
subject_init(Subject *subject)
{
  LacRng rng = lac_rng(3, 1);
  double root[N][N];

  subject->n_products = 0;
  for (gsize i = 0; i < N; i++)
    for (gsize j = 0; j < N; j++)
      root[i][j] = lac_rng_normal(&rng) / sqrt(N);
  for (gsize i = 0; i < N; i++)
    for (gsize j = 0; j < N; j++) {
      subject->matrix[i][j] = i == j;
      for (gsize k = 0; k < N; k++)
        subject->matrix[i][j] += root[i][k] * root[j][k];
      subject->matrix[i][j] *= pow(2, 0.5 * (double) (i + j));
    }
}

static LacConjugateGradientsSettings
get_settings(Subject *subject)
{
  return (LacConjugateGradientsSettings){
    .length = N,
    .multiply = multiply,
    .precondition = divide_by_diagonal,
    .user_data = subject,
    .most_rounds = 100,
    .tolerance = 1e-24,
    .accepted = 1e-24,
  };
}

static void
test_columns(void)
{
  Subject subject;
  subject_init(&subject);
  const LacConjugateGradientsSettings settings = get_settings(&subject);
  g_autoptr(LacConjugateGradients)    solver = lac_conjugate_gradients_new(&settings);
  g_autoptr(GError)                   error = NULL;
  double                              product[N];

  for (gsize u = 0; u < N; u++) {
    const double *column;

    g_assert_true(lac_conjugate_gradients_find_column(solver, u, &column, &error));
    g_assert_no_error(error);
    g_assert_nonnull(column);
    multiply(column, product, &subject, NULL);
    for (gsize i = 0; i < N; i++)
      g_assert_cmpfloat_with_epsilon(product[i], i == u, 1e-8);
  }
}

static gsize
count_products(LacConjugateGradientsSettings settings)
{
  g_autoptr(LacConjugateGradients) solver = NULL;
  g_autoptr(GError)                error = NULL;
  Subject                         *subject = settings.user_data;
  const double                    *column;

  settings.tolerance = settings.accepted = 1e-12;
  solver = lac_conjugate_gradients_new(&settings);
  subject->n_products = 0;
  g_assert_true(lac_conjugate_gradients_find_column(solver, 3, &column, &error));
  return subject->n_products;
}

static void
test_preconditioner(void)
{
  Subject subject;
  subject_init(&subject);
  LacConjugateGradientsSettings settings = get_settings(&subject);
  const gsize                   with = count_products(settings);

  settings.precondition = NULL;
  g_assert_cmpuint(2 * with, <, count_products(settings));
}

static void
test_no_column(void)
{
  Subject subject;
  subject_init(&subject);
  LacConjugateGradientsSettings settings = get_settings(&subject);
  g_autoptr(GError)             error = NULL;
  const double                 *column;

  settings.most_rounds = 2; /* too few */
  g_autoptr(LacConjugateGradients) hasty = lac_conjugate_gradients_new(&settings);
  g_assert_true(lac_conjugate_gradients_find_column(hasty, 0, &column, &error));
  g_assert_null(column);
  settings.accepted = 1;
  g_autoptr(LacConjugateGradients) content = lac_conjugate_gradients_new(&settings);
  g_assert_true(lac_conjugate_gradients_find_column(content, 0, &column, &error));
  g_assert_nonnull(column);
  settings.multiply = refuse;
  g_autoptr(LacConjugateGradients) failing = lac_conjugate_gradients_new(&settings);
  g_assert_false(lac_conjugate_gradients_find_column(failing, 0, &column, &error));
  g_assert_error(error, G_IO_ERROR, G_IO_ERROR_FAILED);
  settings = get_settings(&subject);
  subject.matrix[5][5] = -1; /* not positive */
  settings.precondition = NULL;
  g_autoptr(LacConjugateGradients) lost = lac_conjugate_gradients_new(&settings);
  g_assert_true(lac_conjugate_gradients_find_column(lost, 5, &column, NULL));
  g_assert_null(column);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/conjugate-gradients/columns-are-those-of-the-inverse", test_columns);
  g_test_add_func("/experiment/conjugate-gradients/a-preconditioner-saves-rounds",
                  test_preconditioner);
  g_test_add_func("/experiment/conjugate-gradients/says-where-there-is-no-column", test_no_column);
  return g_test_run();
}
