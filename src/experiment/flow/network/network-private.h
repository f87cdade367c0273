/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building blocks of the architectures: parameter matrices with their initialisation. */
#pragma once

#include "experiment/flow/network/network.h"

G_BEGIN_DECLS

/* Initialisation of a matrix. */
typedef enum {
  LAC_START_CONSTANT, /* all entries equal to scale */
  LAC_START_NORMAL,   /* Glorot: variance 2 / (rows + columns) */
  LAC_START_UNIFORM,  /* uniform in [-scale, scale] */
  LAC_START_FACTOR,   /* normal, with the network's factor_mean and factor_deviation */
} LacStart;

/* A parameter block in theta. */
typedef struct {
  gsize    offset, n_rows, n_columns;
  LacStart start;
  double   scale;
  gboolean factorised; /* rows are divided by the exponentials of the preceding block */
} LacNetworkBlock;

/* A network under construction. */
typedef struct {
  const LacNetwork *network;
  LacGraph         *graph;
  GArray           *blocks; /* array of LacNetworkBlock */
  guint             n_layers;
  LacNode           mask;
  gboolean          again; /* reuses existing parameters, from offset @next of theta on */
  gsize             next;
} LacNetworkBuilder;

/* Adds a matrix of theta; its name consists of @what and the layer number. */
LacNode lac_network_parameter(LacNetworkBuilder *builder, const char *what, LacNetworkBlock block);

/* Adds a weight [n_out][n_in], factorised if the network is; @start: initialisation of the weight, before
 * factorising */
LacNode lac_network_weight(LacNetworkBuilder *builder,
                           gsize              n_out,
                           gsize              n_in,
                           LacStart           start,
                           double             scale);

/* The first builds a layer: the activation of a product plus bias. The second builds the product alone. Both have
 * Glorot weights. */
LacNode lac_network_layer(LacNetworkBuilder *builder, LacNode x, gsize n_out);
LacNode lac_network_linear(LacNetworkBuilder *builder, LacNode x, gsize n_out);

/* Builds gate a + (1 - gate) b with @difference = a - b */
LacNode lac_network_gate(LacNode gate, LacNode difference, LacNode b);

/* Builds the embedding of the coordinates. */
LacNode lac_network_embed(LacNetworkBuilder *builder, LacNode x);

/* One row per architecture. */
typedef struct {
  const char *name;
  /* Builds the hidden layers on the embedded coordinates @x. Returns: the features. */
  LacNode (*hidden)(LacNetworkBuilder *builder, LacNode x);
  LacNode (*output)(LacNetworkBuilder *builder, LacNode features);
} LacArchitectureRow;

extern const LacArchitectureRow lac_architecture_mlp, lac_architecture_modified_mlp,
  lac_architecture_piratenet, lac_architecture_siren, lac_architecture_resnet;

/* Lists the parameters of @network. */
GArray *lac_network_dup_blocks(const LacNetwork *network);

G_END_DECLS
