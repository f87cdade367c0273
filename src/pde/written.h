/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User-defined equations: text turned into a registry-like row at run time. */
#pragma once

#include "pde/expression.h"

G_BEGIN_DECLS

/* Borrowed; retained parts are copied. Axis names are single letters, t first if there is one. */
typedef struct {
  const char *name;
  LacSymbols  symbols;
  guint       n_residuals;
  const char *residual_names[LAC_PDE_MAX_RESIDUALS]; /* NULL: named "residual 1" ... */
  const char *residuals[LAC_PDE_MAX_RESIDUALS];      /* "u_t + u*u_x - nu*u_xx" */
  const char *exact[LAC_PDE_MAX_FIELDS]; /* for all fields, as functions of the axes; or all NULL */
  double      coefficients[LAC_PDE_MAX_COEFFICIENTS]; /* stored as test_coefficients */
} LacPdeText;

/* Returns: (transfer full): an equation, without exact() if there is no exact solution; %NULL with LAC_ERROR_USAGE
 * naming the residual and the column. */
LacPde *lac_pde_from_expressions(const LacPdeText *text, GError **error);
void    lac_pde_free(LacPde *pde); /* only for equations from lac_pde_from_expressions() */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPde, lac_pde_free)

/* Checks a name: a letter, then letters, digits and _, and not a reserved word of expressions. Returns: FALSE with an
 * error. */
gboolean lac_expression_check_name(const char *name, GError **error);

G_END_DECLS
