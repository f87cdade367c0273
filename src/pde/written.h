/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An equation that a person writes as text, without C: a row like those of the registry, made at run time. */
#pragma once

#include "pde/expression.h"

G_BEGIN_DECLS

/* All borrowed, and copied where they are kept. The names of axes are single letters, t first where there is one. */
typedef struct {
  const char *name;
  LacSymbols  symbols;
  guint       n_residuals;
  const char *residual_names[LAC_PDE_MAX_RESIDUALS];  /* NULL: "residual 1" ... */
  const char *residuals[LAC_PDE_MAX_RESIDUALS];       /* "u_t + u*u_x - nu*u_xx" */
  const char *exact[LAC_PDE_MAX_FIELDS];              /* of all fields, in the axes; or all NULL */
  double      coefficients[LAC_PDE_MAX_COEFFICIENTS]; /* become test_coefficients */
} LacPdeText;

/* Returns: (transfer full): without exact() where there is no exact solution; %NULL with LAC_ERROR_USAGE, whose sentence names
 * the residual and the column. */
LacPde *lac_pde_from_expressions(const LacPdeText *text, GError **error);
void    lac_pde_free(LacPde *pde); /* of those alone */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPde, lac_pde_free)

/* A letter, then letters, digits and _, and no word that expressions know already. Returns: FALSE with an error. */
gboolean lac_expression_check_name(const char *name, GError **error);

G_END_DECLS
