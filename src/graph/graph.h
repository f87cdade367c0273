/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph of one step: its operations are recorded once as nodes, without computing anything.
 * graph/program/program.h plans and replays it. */
#pragma once

#include "backend/backend.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacGraph LacGraph;

/* Handle of a node; valid as long as its graph. */
typedef struct {
  LacGraph *graph;
  guint     id;
} LacNode;

LacGraph *lac_graph_new(void);
void      lac_graph_free(LacGraph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacGraph, lac_graph_free)

/* Makes subsequent lac_layer() calls record a product and an activation, each with its own pass over memory, instead
 * of the fused kernel; results agree up to rounding. Used to measure the gain of fusion. */
void lac_graph_set_plain_layers(LacGraph *graph, gboolean plain);

/* ---- leaves ---- */

/**
 * lac_graph_points:
 * @name: unique; used to feed the values to the program
 * @set: id of the point set, shared by all of its leaves
 * @n_points: points in the set; nodes of the same set are computed together, tile by tile
 * @n_columns: e.g. the coordinates (t, x), in the units of the equation
 *
 * Adds per-point input values without derivatives.
 */
LacNode
lac_graph_points(LacGraph *graph, const char *name, guint set, gsize n_points, gsize n_columns);

/**
 * lac_graph_seed:
 * @x: per-point values without derivatives, one column per coordinate
 * @jet: the derivatives to carry
 * @directions: [jet->n_directions][columns of x]: direction d in the space of the coordinates
 *
 * Attaches derivative streams to @x: the value is x, the first derivative along d is the constant vector
 * directions[d], and higher derivatives are 0.
 */
LacNode lac_graph_seed(LacNode x, const LacJet *jet, const double *directions);

/* Adds a trainable matrix. All parameters of a graph are contiguous in the flat vector theta, in order of
 * declaration. */
LacNode lac_graph_parameter(LacGraph *graph, const char *name, gsize n_rows, gsize n_columns);

/* Returns: the parameter that begins at @offset of theta, or LAC_NO_NODE. */
LacNode lac_graph_find_parameter(LacGraph *graph, gsize offset);

/* Adds a constant matrix that is used like a parameter. @values: [n_rows][n_columns], copied: the initial values in
 * every program; lac_program_feed() changes them for one program. */
LacNode lac_graph_fixed(LacGraph     *graph,
                        const char   *name,
                        gsize         n_rows,
                        gsize         n_columns,
                        const double *values);

/* ---- operations on matrices ----
 * lac_map, lac_scale, lac_offset, lac_add, lac_subtract and lac_multiply also accept parameters, fixed matrices and matrices
 * computed from them, element-wise; the result is a matrix, computed once per replay, that can be used like a parameter. */

/* ---- per-point operations; the jets of the operands must be equal unless said otherwise ---- */

LacNode lac_linear(LacNode x,
                   LacNode weight,
                   LacNode bias); /* x w^T + b; b is added to the value stream only */
LacNode
lac_layer(LacNode x, LacNode weight, LacNode bias, LacScalar activation); /* fused f(x w^T + b) */
LacNode lac_map(LacNode x, LacScalar f);
LacNode
        lac_add(LacNode a,
                LacNode b); /* in add, subtract and multiply, an operand of one column is broadcast */
LacNode lac_subtract(LacNode a, LacNode b);
LacNode lac_multiply(LacNode a, LacNode b);
LacNode lac_scale(LacNode x, double factor);
LacNode lac_offset(LacNode x, double constant); /* x + c: changes only the value stream */
LacNode lac_columns(LacNode x, gsize first, gsize n);
LacNode lac_concatenate(const LacNode *parts,
                        gsize n_parts); /* concatenates the columns of all parts, in order */
LacNode lac_scale_by(LacNode x, LacNode factor); /* @factor: a matrix of one element */

/* ---- from jets to plain values ---- */

LacNode lac_value(LacNode u); /* the value stream, all columns */
LacNode lac_derivative(LacNode u,
                       guint   direction,
                       guint   order); /* d^order u along the direction, all columns */
LacNode lac_laplacian(LacNode u);    /* sum of the second derivatives, from the collapsed stream */

/* ---- from matrices to plain values ---- */

/* Copies the row @coefficients, [1][n], to every point of the set of @like: turns an unknown coefficient into a
 * per-point node. */
LacNode lac_broadcast(LacNode like, LacNode coefficients);

/* ---- reductions: a scalar for the whole set ---- */

/* Mean over points and columns of weight * r^2. @weight: a leaf of the same set with one column, or LAC_NO_NODE */
LacNode lac_mean_square(LacNode r, LacNode weight);

LacNode lac_weighted_sum(const LacNode *terms, const double *factors, gsize n_terms);

/* No node: for optional arguments. */
#define LAC_NO_NODE ((LacNode){NULL, 0})

/* ---- queries ---- */
gsize  lac_node_get_n_columns(LacNode node);
gsize  lac_node_get_n_points(LacNode node);
LacJet lac_node_get_jet(LacNode node);
gsize  lac_graph_get_n_parameters(const LacGraph *graph); /* length of theta */

/* Position of a matrix within theta. */
typedef struct {
  gsize offset, n_rows, n_columns;
} LacMatrixShape;

/* Returns: (transfer full): in order of declaration: the weight matrices of linear and layer nodes, or, for a matrix
 * computed from factors, its factors; without biases and coefficients. SOAP preconditions these matrices. */
LacMatrixShape *lac_graph_dup_weights(const LacGraph *graph, gsize *n_weights);

/* Returns the offset of a parameter in theta. */
gsize lac_node_get_parameter_offset(LacNode parameter);

G_END_DECLS
