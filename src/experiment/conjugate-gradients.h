/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solution of A x = b for a symmetric positive definite A that is known by its products, by preconditioned conjugate
 * gradients. Source: Nocedal and Wright (2006), Numerical Optimization, algorithm 5.3 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gsize length;
  /* Computes @product = A @direction, both [length]. */
  gboolean (*multiply)(const double *direction,
                       double       *product,
                       gpointer      user_data,
                       GError      **error);
  /* (nullable): computes @y = P @x, both [length], with P close to the inverse of A and positive definite. Returns: FALSE
   * where there is none; P is then the identity. */
  gboolean (*precondition)(const double *x, double *y, gpointer user_data);
  gpointer user_data; /* of both */
  guint    most_rounds;
  /* squares of the residual in the norm of P, relative to that of b: where the rounds end; accepted after the last */
  double tolerance, accepted;
} LacConjugateGradientsSettings;

typedef struct _LacConjugateGradients LacConjugateGradients;

LacConjugateGradients *lac_conjugate_gradients_new(const LacConjugateGradientsSettings *settings);
void                   lac_conjugate_gradients_free(LacConjugateGradients *solver);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacConjugateGradients, lac_conjugate_gradients_free)

/**
 * lac_conjugate_gradients_find_column:
 * @index: of the column of the inverse of A: b is the unit vector
 * @column: (out): borrowed, [length], valid until the next call; %NULL where A is not positive along a direction, or
 *   the rounds did not suffice
 *
 * Does not allocate. Returns: FALSE with the error of a product.
 */
gboolean lac_conjugate_gradients_find_column(LacConjugateGradients *solver,
                                             gsize                  index,
                                             const double         **column,
                                             GError               **error);

G_END_DECLS
