/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The network of one case as graph nodes: inputs scaled to [-N, N], outputs scaled to the magnitude of the fields,
 * hard conditions, residuals with unknown coefficients. All graphs of one model share the layout of theta: one entry
 * per unknown, one per trained scaling (the logarithm of its factor), then the network's parameters. */
#pragma once

#include "experiment/flow/network/network.h"
#include "experiment/flow/scene.h"
#include "graph/program/program.h"

G_BEGIN_DECLS

typedef struct {
  const LacCase *subject;                   /* borrowed */
  LacNetwork     network;                   /* with inputs in [-N, N] */
  double         scaling[LAC_PDE_MAX_AXES]; /* N: inputs lie in [-N, N] */
  double         residual_scale;            /* factor of the residuals */
  double   offset[LAC_PDE_MAX_FIELDS]; /* field = offset + size output, before hard conditions */
  double   size[LAC_PDE_MAX_FIELDS];
  gboolean mirrored; /* average the network with its mirror image, using the parities of the case */
  double   coefficient_rate; /* learning rate of unknown coefficients relative to the weights */
  gboolean learns_scaling; /* trains N of every axis without periodicity, from its initial value */
} LacPinnModel;

/* Leaf nodes of one point set. */
typedef struct {
  const LacPinnModel *model;
  gsize               n;
  LacNode             x; /* [n_axes], in the equation's units */
  LacNode             z; /* the same scaled to [-N, N] */
} LacPinnSet;

/* Nodes shared by the point sets of one graph, and the harmonics masks built so far. */
typedef struct {
  gboolean declared;
  gsize    network;                            /* offset of the network's parameters in theta */
  LacNode  unknowns[LAC_PDE_MAX_COEFFICIENTS]; /* unknown coefficients */
  LacNode  stretches[LAC_PDE_MAX_AXES];        /* trained factors of N; no node: none */
  guint    n_masks;
  LacNode  masks[2 * (LAC_CASE_MAX_CONDITIONS + 2)];
} LacPinnTheta;

/* Sets all scales to 1; the caller fills in the network. */
void lac_pinn_model_init(LacPinnModel *model, const LacCase *subject);

guint lac_pinn_model_get_n_unknowns(const LacPinnModel *model);
/* Returns the number of entries of theta before the network: unknown coefficients, then trained scalings. */
guint lac_pinn_model_get_n_leading(const LacPinnModel *model);
gsize lac_pinn_model_get_n_parameters(const LacPinnModel *model);

/* Sets initial parameters, @theta: [n_parameters]; the unknown coefficients are set to their guesses. */
void lac_pinn_model_initialise(const LacPinnModel *model, LacRng *rng, double *theta);

/* Returns the value of coefficient @i: from the case, or from @theta if unknown. */
double lac_pinn_model_get_coefficient(const LacPinnModel *model, const double *theta, guint i);

/* Returns TRUE when N of axis @axis is trained. */
gboolean lac_pinn_model_learns_axis(const LacPinnModel *model, guint axis);
/* Returns N of an axis: initially as given, then as @theta has trained it. Source: Ko and Park (2024), VS-PINN, arXiv
 * 2406.06287 */
double lac_pinn_model_get_scaling(const LacPinnModel *model, const double *theta, guint axis);

/* Sets the unknown coefficient @i in @theta. */
void
lac_pinn_model_set_coefficient(const LacPinnModel *model, double *theta, guint i, double value);

/* Declares the unknown coefficients in @graph; the network is declared with the first point set. */
LacPinnTheta lac_pinn_model_declare(const LacPinnModel *model, LacGraph *graph);
LacPinnSet lac_pinn_set_new(const LacPinnModel *model, LacGraph *graph, guint set, gsize n_points);

/* Feeds the points @x, [n][n_axes]; @z: [n][n_axes] scratch */
void lac_pinn_set_feed(const LacPinnSet *set, LacProgram *program, const double *x, double *z);

/* Builds the fields: [n_fields] nodes of one column. @jet: (nullable): required derivatives */
void lac_pinn_build_fields(const LacPinnSet *set,
                           LacPinnTheta     *theta,
                           const LacJet     *jet,
                           LacNode          *fields);

/* Builds the scaled residuals minus their sources: [n_residuals] plain nodes of one column. */
void lac_pinn_build_residuals(const LacPinnSet *set, LacPinnTheta *theta, LacNode *residuals);

G_END_DECLS
