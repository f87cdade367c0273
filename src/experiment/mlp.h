/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A multilayer perceptron as graph nodes: hidden layers of one width, a linear output. */
#pragma once

#include "base/rng.h"
#include "graph/graph.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gsize     n_in, n_out;
  gsize     depth; /* hidden layers, at least 1 */
  gsize     width;
  LacScalar activation;
} LacMlp;

/* Declares the parameters in @x's graph, weight then bias layer by layer, and builds the network on @x, whose columns are
 * in [-1, 1]. Returns: the output, with the jet of @x. */
LacNode lac_mlp_build(const LacMlp *mlp, LacNode x);

gsize lac_mlp_get_n_parameters(const LacMlp *mlp);

/* Glorot normal weights, zero biases; @theta: [n_parameters] in the order of lac_mlp_build().
 * Source: Glorot and Bengio (2010), eq. 12. */
void lac_mlp_initialise(const LacMlp *mlp, LacRng *rng, double *theta);

G_END_DECLS
