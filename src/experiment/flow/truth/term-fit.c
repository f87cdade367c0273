/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Normal equations of a few terms. */
#include "experiment/flow/truth/term-fit.h"

#define MOST_BENT \
  0.1 /* (w dt)^2 / 4 of a wave of frequency w, whose u_t is then 1 - (w dt)^2 / 6 of the true one */

void
lac_term_fit_add(LacTermFit *fit, const double *terms, const double times[3], double apart)
{
  const double change = times[2] - times[0], bend = times[0] - 2 * times[1] + times[2];
  const double rate = change / apart;

  for (guint r = 0; r < fit->n; r++) {
    for (guint c = 0; c < fit->n; c++)
      fit->matrix[r][c] += terms[r] * terms[c];
    fit->right[r] += terms[r] * rate;
  }
  fit->square += rate * rate;
  fit->changes += change * change;
  fit->bends += bend * bend;
}

gboolean
lac_term_fit_is_resolved(const LacTermFit *fit)
{
  return fit->bends <= MOST_BENT * fit->changes;
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
