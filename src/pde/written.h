/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User-defined equations: text is turned at run time into a LacPde like those of the registry. */
#pragma once

#include "pde/expression.h"

G_BEGIN_DECLS

/* Text of an equation. Borrowed; parts that are retained are copied. Axis names are single letters; t, if it is an
 * axis, is the first. */
typedef struct {
  const char *name;
  LacSymbols  symbols;
  guint       n_residuals;
  const char *residual_names[LAC_PDE_MAX_RESIDUALS]; /* NULL: the names are "residual 1" ... */
  const char *residuals[LAC_PDE_MAX_RESIDUALS];      /* "u_t + u*u_x - nu*u_xx" */
  const char *exact
    [LAC_PDE_MAX_FIELDS]; /* exact solution of every field as a function of the axes, or all NULL */
  double coefficients[LAC_PDE_MAX_COEFFICIENTS]; /* copied to test_coefficients */
} LacPdeText;

/* Returns: (transfer full): an equation, with exact() only if the text has an exact solution; %NULL with
 * LAC_ERROR_USAGE, whose message names the residual and the column. */
LacPde *lac_pde_from_expressions(const LacPdeText *text, GError **error);
void    lac_pde_free(LacPde *pde); /* only for equations from lac_pde_from_expressions() */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPde, lac_pde_free)

/* Checks a name: it must be a letter followed by letters, digits and _, and not a reserved word of expressions.
 * Returns: FALSE with an error. */
gboolean lac_expression_check_name(const char *name, GError **error);

G_END_DECLS
