/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Normal equations of a few terms. */
#include "experiment/flow/truth/term-fit.h"

void
lac_term_fit_add(LacTermFit *fit, const double *terms, double rate)
{
  for (guint r = 0; r < fit->n; r++) {
    for (guint c = 0; c < fit->n; c++)
      fit->matrix[r][c] += terms[r] * terms[c];
    fit->right[r] += terms[r] * rate;
  }
  fit->square += rate * rate;
}

/* Returns FALSE for a term that is a sum of those before it. */
static gboolean
is_free(const LacTermFit *fit, const LacTermFit *left, guint term)
{
  return left->matrix[term][term] > 1e-12 * fit->matrix[term][term];
}

double
lac_term_fit_solve(const LacTermFit *fit, double *coefficients)
{
  LacTermFit left = *fit; /* eliminated */
  double     explained = 0;

  for (guint p = 0; p < fit->n; p++)
    for (guint r = p + 1; r < fit->n && is_free(fit, &left, p); r++) {
      const double factor = left.matrix[r][p] / left.matrix[p][p];

      for (guint c = p; c < fit->n; c++)
        left.matrix[r][c] -= factor * left.matrix[p][c];
      left.right[r] -= factor * left.right[p];
    }
  for (guint p = fit->n; p-- > 0;) {
    coefficients[p] = 0;
    if (!is_free(fit, &left, p))
      continue;
    for (guint c = p + 1; c < fit->n; c++)
      left.right[p] -= left.matrix[p][c] * coefficients[c];
    coefficients[p] = left.right[p] / left.matrix[p][p];
    explained += coefficients[p] * fit->right[p];
  }
  return fit->square > 0 ? explained / fit->square : 0;
}
