/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/conjugate-gradients.h"

#include <string.h>

struct _LacConjugateGradients {
  LacConjugateGradientsSettings settings;
  double *solution, *residual, *conditioned, *direction, *product; /* [length] */
};

LacConjugateGradients *
lac_conjugate_gradients_new(const LacConjugateGradientsSettings *settings)
{
  LacConjugateGradients *solver = g_new0(LacConjugateGradients, 1);

  solver->settings = *settings;
  solver->solution = g_new0(double, settings->length);
  solver->residual = g_new0(double, settings->length);
  solver->conditioned = g_new0(double, settings->length);
  solver->direction = g_new0(double, settings->length);
  solver->product = g_new0(double, settings->length);
  return solver;
}

void
lac_conjugate_gradients_free(LacConjugateGradients *solver)
{
  if (!solver)
    return;
  g_free(solver->solution);
  g_free(solver->residual);
  g_free(solver->conditioned);
  g_free(solver->direction);
  g_free(solver->product);
  g_free(solver);
}

static double
dot(const double *x, const double *y, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

/* Returns the square of the residual in the norm of P. */
static double
condition(LacConjugateGradients *solver)
{
  const LacConjugateGradientsSettings *settings = &solver->settings;

  if (!settings->precondition ||
      !settings->precondition(solver->residual, solver->conditioned, settings->user_data))
    memcpy(solver->conditioned, solver->residual, settings->length * sizeof(double));
  return dot(solver->residual, solver->conditioned, settings->length);
}

gboolean
lac_conjugate_gradients_find_column(LacConjugateGradients *solver,
                                    gsize                  index,
                                    const double         **column,
                                    GError               **error)
{
  const LacConjugateGradientsSettings *settings = &solver->settings;
  const gsize                          n = settings->length;
  double                               first, square;

  *column = NULL;
  memset(solver->solution, 0, n * sizeof(double));
  memset(solver->residual, 0, n * sizeof(double));
  solver->residual[index] = 1;
  first = square = condition(solver);
  memcpy(solver->direction, solver->conditioned, n * sizeof(double));
  for (guint round = 0; round < settings->most_rounds && square > settings->tolerance * first;
       round++) {
    if (!settings->multiply(solver->direction, solver->product, settings->user_data, error))
      return FALSE;
    const double curvature = dot(solver->direction, solver->product, n);
    if (!(curvature > 0))
      return TRUE;
    const double length = square / curvature;
    for (gsize i = 0; i < n; i++) {
      solver->solution[i] += length * solver->direction[i];
      solver->residual[i] -= length * solver->product[i];
    }
    const double next = condition(solver);
    for (gsize i = 0; i < n; i++)
      solver->direction[i] = solver->conditioned[i] + next / square * solver->direction[i];
    square = next;
  }
  if (square <= settings->accepted * first)
    *column = solver->solution;
  return TRUE;
}
