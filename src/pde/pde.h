/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Partial differential equations and systems of them, one per row of the registry. Residuals are built as graph
 * nodes; nothing is computed here. */
#pragma once

#include "graph/graph.h"

#include <glib.h>

G_BEGIN_DECLS

#define LAC_PDE_MAX_AXES         4
#define LAC_PDE_MAX_FIELDS       6
#define LAC_PDE_MAX_RESIDUALS    6
#define LAC_PDE_MAX_COEFFICIENTS 8

/* A coefficient at the points: a number, or a plain per-point node of one column (a trained unknown or a field in
 * space). */
typedef struct {
  double  value; /* used if node.graph is NULL */
  LacNode node;
} LacQuantity;

static inline LacQuantity
lac_number(double value)
{
  return (LacQuantity){.value = value};
}

/* Builds quantity times x. @x: plain, with one or more columns to which the quantity is broadcast. */
LacNode lac_quantity_times(LacQuantity quantity, LacNode x);

/* Builds x / quantity. @x: as for lac_quantity_times(); the quantity must not be 0. */
LacNode lac_quantity_divide(LacNode x, LacQuantity quantity);

/* Inputs of a residual at the points of one set. */
typedef struct {
  LacNode x;                          /* [n_axes] columns: coordinates, plain */
  LacNode fields[LAC_PDE_MAX_FIELDS]; /* one column each, with the jet of the equation's orders */
  LacQuantity coefficients[LAC_PDE_MAX_COEFFICIENTS];
} LacPdeTerms;

typedef struct _LacPde LacPde;
struct _LacPde {
  const char *name;
  const char
       *formula; /* the equations, human-readable, separated by "; "; each residual equals 0 */
  guint n_axes;
  const char *axes[LAC_PDE_MAX_AXES]; /* t first if the equation is unsteady, then x, y */
  guint       orders
    [LAC_PDE_MAX_AXES]; /* highest order of derivatives along each axis: gives the jet of all fields */
  guint       n_fields;
  const char *fields[LAC_PDE_MAX_FIELDS]; /* "u", "v", "p" */
  guint       n_residuals;
  const char *residual_names[LAC_PDE_MAX_RESIDUALS]; /* "momentum x", "continuity" */
  guint       n_coefficients;
  const char *coefficients[LAC_PDE_MAX_COEFFICIENTS];      /* "viscosity" */
  double      test_coefficients[LAC_PDE_MAX_COEFFICIENTS]; /* used to check the exact solution */

  /* Fills [n_residuals] plain nodes of one column. Direction i of the fields' jet is axis i. */
  void (*residuals)(const LacPde *pde, const LacPdeTerms *at, LacNode *residuals);

  /* Builds an exact solution. @x: coordinates, [n_axes] columns, with the jet. Fills [n_fields] nodes with that jet.
   * A test checks that its residuals vanish, or equal the sources if there are any. */
  void (*exact)(const LacPde *pde, LacNode x, const double *coefficients, LacNode *fields);

  /* (optional): builds the right-hand sides of a manufactured solution at plain coordinates @x, in closed form and
   * derived independently of residuals(). Fills [n_residuals] nodes; a node without a graph is 0. */
  void (*sources)(const LacPde *pde, LacNode x, const double *coefficients, LacNode *sources);

  const char   *source; /* source: paper and equation number */
  gconstpointer data;   /* private data of an equation made at run time */
};

const LacPde *const *lac_pdes(gsize *n_pdes);

/* Returns: (nullable): the equation named @name. */
const LacPde *lac_pde_find(const char *name);

/* Returns the jet needed by the residuals. */
LacJet lac_pde_get_jet(const LacPde *pde);

G_END_DECLS
