/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A partial differential equation, or a system of them: one row of the registry. Its residuals are built as graph nodes;
 * nothing is computed here. */
#pragma once

#include "graph/graph.h"

#include <glib.h>

G_BEGIN_DECLS

#define LAC_PDE_MAX_AXES         4
#define LAC_PDE_MAX_FIELDS       6
#define LAC_PDE_MAX_RESIDUALS    6
#define LAC_PDE_MAX_COEFFICIENTS 8

/* A coefficient at the points: a number, or a plain per-point node of one column: an unknown that is trained, or a field
 * in space. */
typedef struct {
  double  value; /* where node.graph is NULL */
  LacNode node;
} LacQuantity;

static inline LacQuantity
lac_number(double value)
{
  return (LacQuantity){.value = value};
}

/* @x: plain, one column or more of broadcasting width. Returns: quantity times x. */
LacNode lac_quantity_times(LacQuantity quantity, LacNode x);

/* Likewise x / quantity; the quantity is not 0. */
LacNode lac_quantity_divide(LacNode x, LacQuantity quantity);

/* What a residual is made of, at the points of one set. */
typedef struct {
  LacNode     x;                          /* [n_axes] columns: coordinates, plain */
  LacNode     fields[LAC_PDE_MAX_FIELDS]; /* one column each, with the jet of the orders */
  LacQuantity coefficients[LAC_PDE_MAX_COEFFICIENTS];
} LacPdeTerms;

typedef struct _LacPde LacPde;
struct _LacPde {
  const char *name;
  const char *formula; /* residuals = 0, as a person writes them; separated by "; " */
  guint       n_axes;
  const char *axes[LAC_PDE_MAX_AXES]; /* t first where there is one, then x, y */
  guint orders[LAC_PDE_MAX_AXES]; /* highest derivative along each axis: the jet of every field */
  guint n_fields;
  const char *fields[LAC_PDE_MAX_FIELDS]; /* "u", "v", "p" */
  guint       n_residuals;
  const char *residual_names[LAC_PDE_MAX_RESIDUALS]; /* "momentum x", "continuity" */
  guint       n_coefficients;
  const char *coefficients[LAC_PDE_MAX_COEFFICIENTS];      /* "viscosity" */
  double      test_coefficients[LAC_PDE_MAX_COEFFICIENTS]; /* for which the solution is checked */

  /* Fills [n_residuals] plain nodes of one column. Direction i of the fields' jet runs along axis i. */
  void (*residuals)(const LacPde *pde, const LacPdeTerms *at, LacNode *residuals);

  /* A solution. @x: coordinates, [n_axes] columns, carrying the jet. Fills [n_fields] nodes with that jet. Its residuals
   * vanish, or equal the sources where there are any: a test. */
  void (*exact)(const LacPde *pde, LacNode x, const double *coefficients, LacNode *fields);

  /* (optional): of a manufactured solution, in closed form and written independently of residuals(): the right-hand
   * sides at plain coordinates @x. Fills [n_residuals] nodes; a node without a graph is 0. */
  void (*sources)(const LacPde *pde, LacNode x, const double *coefficients, LacNode *sources);

  const char   *source; /* paper and equation */
  gconstpointer data;   /* of an equation that was made at run time */
};

const LacPde *const *lac_pdes(gsize *n_pdes);

/* Returns: (nullable): the equation of that name. */
const LacPde *lac_pde_find(const char *name);

/* The jet that the residuals want. */
LacJet lac_pde_get_jet(const LacPde *pde);

G_END_DECLS
