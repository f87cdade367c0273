/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The network of one case as graph nodes: inputs brought to [-1, 1], outputs to the size of the fields, hard conditions,
 * residuals with unknown coefficients. Every graph made of one model has the same theta: one number for each unknown, then the
 * network's parameters. */
#pragma once

#include "experiment/flow/network/network.h"
#include "experiment/flow/scene.h"
#include "graph/program/program.h"

G_BEGIN_DECLS

typedef struct {
  const LacCase *subject;                   /* borrowed */
  LacNetwork     network;                   /* of what is in [-N, N] */
  double         scaling[LAC_PDE_MAX_AXES]; /* N: inputs lie in [-N, N] */
  double         residual_scale;            /* residuals are multiplied by it */
  double offset[LAC_PDE_MAX_FIELDS]; /* field = offset + size output, before hard conditions */
  double size[LAC_PDE_MAX_FIELDS];
  gboolean
    mirrored; /* the mean of the network and of its mirror image, by the parities of the case */
  double coefficient_rate; /* how much faster unknown coefficients move than weights */
} LacPinnModel;

/* The leaves of one point set. */
typedef struct {
  const LacPinnModel *model;
  gsize               n;
  LacNode             x; /* [n_axes], as the equation has them */
  LacNode             z; /* the same in [-N, N] */
} LacPinnSet;

/* What the sets of one graph share, and the masks of harmonics that were built. */
typedef struct {
  gboolean declared;
  gsize    network;                            /* where the network's parameters begin in theta */
  LacNode  unknowns[LAC_PDE_MAX_COEFFICIENTS]; /* of coefficients that are sought */
  guint    n_masks;
  LacNode  masks[2 * (LAC_CASE_MAX_CONDITIONS + 2)];
} LacPinnTheta;

/* Every scale 1; the network is the caller's to fill in. */
void lac_pinn_model_init(LacPinnModel *model, const LacCase *subject);

guint lac_pinn_model_get_n_unknowns(const LacPinnModel *model);
gsize lac_pinn_model_get_n_parameters(const LacPinnModel *model);

/* @theta: [n_parameters]; the unknowns at their guesses. */
void lac_pinn_model_initialise(const LacPinnModel *model, LacRng *rng, double *theta);

/* The value of coefficient @i: the case's, or what @theta says of an unknown one. */
double lac_pinn_model_get_coefficient(const LacPinnModel *model, const double *theta, guint i);

/* Sets the unknown coefficient @i in @theta. */
void
lac_pinn_model_set_coefficient(const LacPinnModel *model, double *theta, guint i, double value);

/* The unknowns first, then, with the first set of points, the network. */
LacPinnTheta lac_pinn_model_declare(const LacPinnModel *model, LacGraph *graph);
LacPinnSet lac_pinn_set_new(const LacPinnModel *model, LacGraph *graph, guint set, gsize n_points);

/* @x: [n][n_axes]; @z: [n][n_axes] scratch */
void lac_pinn_set_feed(const LacPinnSet *set, LacProgram *program, const double *x, double *z);

/* @jet: (nullable): the derivatives wanted. Fills [n_fields] nodes of one column. */
void lac_pinn_build_fields(const LacPinnSet *set,
                           LacPinnTheta     *theta,
                           const LacJet     *jet,
                           LacNode          *fields);

/* Residuals less their sources, scaled: [n_residuals] plain nodes of one column. */
void lac_pinn_build_residuals(const LacPinnSet *set, LacPinnTheta *theta, LacNode *residuals);

G_END_DECLS
