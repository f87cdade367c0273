/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the architectures build with: matrices that remember how they begin. */
#pragma once

#include "experiment/flow/network/network.h"

G_BEGIN_DECLS

/* How a matrix begins. */
typedef enum {
  LAC_START_CONSTANT, /* scale */
  LAC_START_NORMAL,   /* Glorot: variance 2 / (rows + columns) */
  LAC_START_UNIFORM,  /* [-scale, scale] */
  LAC_START_FACTOR,   /* normal, mean and deviation of the network's factors */
} LacStart;

/* A parameter in theta. */
typedef struct {
  gsize    offset, n_rows, n_columns;
  LacStart start;
  double   scale;
  gboolean factorised; /* rows are divided by the exponentials of the block before */
} LacNetworkBlock;

/* A network that is being built. */
typedef struct {
  const LacNetwork *network;
  LacGraph         *graph;
  GArray           *blocks; /* LacNetworkBlock */
  guint             n_layers;
  LacNode           mask;
  gboolean          again; /* the parameters are there: those from @next of theta on */
  gsize             next;
} LacNetworkBuilder;

/* A matrix of theta; @what goes into its name with the number of the layer. */
LacNode lac_network_parameter(LacNetworkBuilder *builder, const char *what, LacNetworkBlock block);

/* A weight [n_out][n_in] by the network's factorisation; @start: of the product. */
LacNode lac_network_weight(LacNetworkBuilder *builder,
                           gsize              n_out,
                           gsize              n_in,
                           LacStart           start,
                           double             scale);

/* The activation of a biased product, and the bare product, both with Glorot weights. */
LacNode lac_network_layer(LacNetworkBuilder *builder, LacNode x, gsize n_out);
LacNode lac_network_linear(LacNetworkBuilder *builder, LacNode x, gsize n_out);

/* gate a + (1 - gate) b with @difference a - b */
LacNode lac_network_gate(LacNode gate, LacNode difference, LacNode b);

/* What the coordinates become. */
LacNode lac_network_embed(LacNetworkBuilder *builder, LacNode x);

/* One row an architecture. */
typedef struct {
  const char *name;
  /* @x: embedded. Returns: the features. */
  LacNode (*hidden)(LacNetworkBuilder *builder, LacNode x);
  LacNode (*output)(LacNetworkBuilder *builder, LacNode features);
} LacArchitectureRow;

extern const LacArchitectureRow lac_architecture_mlp, lac_architecture_modified_mlp,
  lac_architecture_piratenet, lac_architecture_siren, lac_architecture_resnet;

/* Lists the parameters of @network. */
GArray *lac_network_dup_blocks(const LacNetwork *network);

G_END_DECLS
