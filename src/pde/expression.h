/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions as a person writes them, "u_t + u*u_x - nu*u_xx", parsed once into a tree: from it come graph nodes and plain
 * numbers.
 *
 * There are numbers, names, + - * / ^ (also **), a sign, parentheses, sin cos tanh exp log sqrt sigmoid, pi, and one = at
 * most, which subtracts its right side. An exponent is a whole number. A field's name with the suffix _x, _xx ... up to
 * _xxxx is its derivative along that axis. */
#pragma once

#include "pde/pde.h"

G_BEGIN_DECLS

#define LAC_EXPRESSION_MAX_LENGTH 10000 /* characters */
#define LAC_EXPRESSION_MAX_DEPTH  100   /* parentheses, functions and exponents inside each other */
#define LAC_EXPRESSION_MAX_POWER  16

/* The names that an expression may use; borrowed. */
typedef struct {
  guint              n_axes;
  const char *const *axes; /* of one letter */
  guint              n_fields;
  const char *const *fields;
  guint              n_coefficients;
  const char *const *coefficients; /* numbers or nodes, known when nodes are built */
  guint              n_constants;
  const char *const *constants; /* folded */
  const double      *values;    /* [n_constants] */
} LacSymbols;

typedef struct _LacExpression LacExpression;

/* Returns: %NULL with LAC_ERROR_USAGE, "column 7: ..." with columns counted from 1 and what is expected there. Text of any
 * length and depth is safe: what is too long or too deep is an error. */
LacExpression *lac_expression_parse(const char *text, const LacSymbols *symbols, GError **error);
void           lac_expression_free(LacExpression *expression);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacExpression, lac_expression_free)

/* Highest derivative of any field along @axis; 0: none. */
guint    lac_expression_get_order(const LacExpression *expression, guint axis);
gboolean lac_expression_has_field(const LacExpression *expression, guint field);
gboolean lac_expression_has_coefficient(const LacExpression *expression, guint coefficient);

/* Returns: a plain node of one column: the expression at the points, with fields and coefficients as they are there. */
LacNode lac_expression_build(const LacExpression *expression, const LacPdeTerms *at);

/* The same of an expression without fields. @x: coordinates, plain or with a jet. Returns: one column with the jet of @x. */
LacNode
lac_expression_build_at(const LacExpression *expression, LacNode x, const double *coefficients);

/* The value at one place; the expression has no fields. @x: [n_axes], @coefficients: [n_coefficients] */
double lac_expression_evaluate(const LacExpression *expression,
                               const double        *x,
                               const double        *coefficients);

G_END_DECLS
