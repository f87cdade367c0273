/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inverse of the Kronecker-factored Fisher matrix of one weight matrix, applied to a gradient.
 * Source: Martens, Grosse (2015), arXiv 1503.05671; factored damping: their section 6.3 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Kronecker factors of one matrix [rows][columns] used @repeats times per walker: F = repeats a (x) g. */
typedef struct {
  gsize         rows, columns, repeats;
  const double *a, *g; /* [rows][rows], [columns][columns] */
} LacKroneckerBlock;

#define LAC_KRONECKER_WORK(rows, columns) \
  ((rows) * (rows) + (columns) * (columns) + (rows) * (columns))

/* Solves with the damped Fisher matrix. @step: (out) [rows][columns] = (F + @damping)^-1 @gradient, with the damping
 * split between the factors in the ratio of their traces; @work: [LAC_KRONECKER_WORK(rows, columns)]. Returns: FALSE
 * if a factor is not finite. */
gboolean lac_kronecker_solve(const LacKroneckerBlock *block,
                             double                   damping,
                             const double            *gradient,
                             double                  *step,
                             double                  *work);

G_END_DECLS
