/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text expressions such as "u_t + u*u_x - nu*u_xx", parsed once into a tree that gives graph nodes or plain numbers.
 *
 * Grammar: numbers, names, + - * / ^ (also **), a sign, parentheses, sin cos tanh exp log sqrt sigmoid, pi, and at
 * most one =, which subtracts its right side. Exponents are integers. A field's name with the suffix _x, _xx ... up
 * to _xxxx is its derivative along that axis. */
#pragma once

#include "pde/pde.h"

G_BEGIN_DECLS

#define LAC_EXPRESSION_MAX_LENGTH 10000 /* characters */
#define LAC_EXPRESSION_MAX_DEPTH  100 /* maximum nesting of parentheses, functions and exponents */
#define LAC_EXPRESSION_MAX_POWER  16

/* Names that an expression may use; borrowed. */
typedef struct {
  guint              n_axes;
  const char *const *axes; /* single letters */
  guint              n_fields;
  const char *const *fields;
  guint              n_coefficients;
  const char *const
       *coefficients; /* coefficients: numbers or nodes, given only when nodes are built */
  guint n_constants;
  const char *const *constants; /* constants, replaced by their values during parsing */
  const double      *values;    /* [n_constants] */
} LacSymbols;

typedef struct _LacExpression LacExpression;

/* Parses @text. Safe for text of any length and depth: text that is too long or too deep is an error. Returns: %NULL
 * with LAC_ERROR_USAGE, whose message gives the column, counted from 1, and what is expected there. */
LacExpression *lac_expression_parse(const char *text, const LacSymbols *symbols, GError **error);
void           lac_expression_free(LacExpression *expression);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacExpression, lac_expression_free)

/* Returns the highest order of a derivative along @axis, over all fields; 0: none. */
guint    lac_expression_get_order(const LacExpression *expression, guint axis);
gboolean lac_expression_has_field(const LacExpression *expression, guint field);
gboolean lac_expression_has_coefficient(const LacExpression *expression, guint coefficient);

/* Builds the expression at the points @at, with their fields and coefficients. Returns: a plain node of one column. */
LacNode lac_expression_build(const LacExpression *expression, const LacPdeTerms *at);

/* Builds an expression without fields. @x: coordinates, plain or with a jet. Returns: one column with the jet of @x. */
LacNode
lac_expression_build_at(const LacExpression *expression, LacNode x, const double *coefficients);

/* Returns the value of an expression without fields at one point. @x: [n_axes], @coefficients: [n_coefficients] */
double lac_expression_evaluate(const LacExpression *expression,
                               const double        *x,
                               const double        *coefficients);

G_END_DECLS
