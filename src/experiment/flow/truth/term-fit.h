/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least-squares fit of the time derivative of a file's field by the terms of an equation: u_t = sum c_i f_i. Tells
 * whether the file is a solution, and of which coefficients. Source: Rudy, Brunton, Proctor, Kutz (2017),
 * doi:10.1126/sciadv.1602614, with the terms given */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_TERM_FIT_MOST 3

/* Starts as zeros but for n. */
typedef struct {
  guint  n; /* number of terms */
  double matrix[LAC_TERM_FIT_MOST][LAC_TERM_FIT_MOST], right[LAC_TERM_FIT_MOST];
  double square;         /* sum of u_t^2 */
  double changes, bends; /* of three times in a row: sums of (u3 - u1)^2 and (u1 - 2 u2 + u3)^2 */
} LacTermFit;

/* Adds one point. @terms: [n]; @times: the field there at three times in a row, @apart from the first to the last */
void lac_term_fit_add(LacTermFit *fit, const double *terms, const double times[3], double apart);

/* Returns TRUE when the times of the file are close enough for u_t by differences: to 7 % of a wave. Otherwise a fit says
 * nothing. */
gboolean lac_term_fit_is_resolved(const LacTermFit *fit);

/* Finds @coefficients, [n], 0 for a term that is a sum of those before it. Returns: the share of the sum of u_t^2 that
 * they explain. */
double lac_term_fit_solve(const LacTermFit *fit, double *coefficients);

G_END_DECLS
