/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registry of architectures, construction from coordinates to output, and initialisation. */
#include "experiment/flow/network/network-private.h"

#include <math.h>

static const LacArchitectureRow *const rows[] = {
  [LAC_NETWORK_MLP] = &lac_architecture_mlp,
  [LAC_NETWORK_MODIFIED_MLP] = &lac_architecture_modified_mlp,
  [LAC_NETWORK_PIRATENET] = &lac_architecture_piratenet,
  [LAC_NETWORK_SIREN] = &lac_architecture_siren,
  [LAC_NETWORK_RESNET] = &lac_architecture_resnet,
};

const char *
lac_architecture_name(LacArchitecture architecture)
{
  return rows[architecture]->name;
}

static LacNode
build(LacNetworkBuilder *builder, LacNode x, LacNode *features)
{
  const LacArchitectureRow *row = rows[builder->network->architecture];

  *features = row->hidden(builder, lac_network_embed(builder, x));
  return row->output(builder, *features);
}

static LacNode
build_on(LacNetworkBuilder builder, LacNode x, LacNetworkParts *parts)
{
  g_autoptr(GArray) blocks = g_array_new(FALSE, FALSE, sizeof(LacNetworkBlock));
  const gsize       first = builder.next;
  LacNode           features, output;

  g_return_val_if_fail(
    builder.network->n_in == lac_node_get_n_columns(x) && builder.network->depth > 0, LAC_NO_NODE);
  builder.graph = x.graph;
  builder.blocks = blocks;
  output = build(&builder, x, &features);
  if (parts)
    *parts = (LacNetworkParts){features, builder.mask, first};
  return output;
}

LacNode
lac_network_build(const LacNetwork *network, LacNode x, LacNetworkParts *parts)
{
  return build_on(
    (LacNetworkBuilder){.network = network, .next = lac_graph_get_n_parameters(x.graph)}, x, parts);
}

LacNode
lac_network_build_again(const LacNetwork *network, LacNode x, gsize first, LacNetworkParts *parts)
{
  return build_on((LacNetworkBuilder){.network = network, .again = TRUE, .next = first}, x, parts);
}

/* The declared parameters do not depend on the points: the network is built on a temporary graph. */
GArray *
lac_network_dup_blocks(const LacNetwork *network)
{
  g_autoptr(LacGraph) graph = lac_graph_new();
  LacNetworkBuilder   builder = {
      .network = network,
      .graph = graph,
      .blocks = g_array_new(FALSE, FALSE, sizeof(LacNetworkBlock)),
  };
  LacNode features;

  build(&builder, lac_graph_points(graph, "x", 0, 1, network->n_in), &features);
  return builder.blocks;
}

gsize
lac_network_get_n_parameters(const LacNetwork *network)
{
  g_autoptr(GArray)      blocks = lac_network_dup_blocks(network);
  const LacNetworkBlock *last = &g_array_index(blocks, LacNetworkBlock, blocks->len - 1);

  return last->offset + last->n_rows * last->n_columns;
}

gsize
lac_network_count_output(const LacNetwork *network)
{
  g_autoptr(GArray)      blocks = lac_network_dup_blocks(network);
  const LacNetworkBlock *bias = &g_array_index(blocks, LacNetworkBlock, blocks->len - 1);
  const LacNetworkBlock *weight = bias - 1;

  return weight->n_rows * weight->n_columns + bias->n_rows * bias->n_columns;
}

static double
draw(const LacNetwork *network, const LacNetworkBlock *block, LacRng *rng)
{
  switch (block->start) {
  case LAC_START_CONSTANT: return block->scale;
  case LAC_START_NORMAL:
    return sqrt(2.0 / (double) (block->n_rows + block->n_columns)) * lac_rng_normal(rng);
  case LAC_START_UNIFORM: return block->scale * (2 * lac_rng_uniform(rng) - 1);
  case LAC_START_FACTOR:
    return network->architecture == LAC_NETWORK_SIREN
             ? 0
             : network->factor_mean + network->factor_deviation * lac_rng_normal(rng);
  }
  g_assert_not_reached();
}

void
lac_network_initialise(const LacNetwork *network, LacRng *rng, double *theta)
{
  g_autoptr(GArray) blocks = lac_network_dup_blocks(network);

  for (guint k = 0; k < blocks->len; k++) {
    const LacNetworkBlock *block = &g_array_index(blocks, LacNetworkBlock, k);
    const double          *factors = theta + block->offset - block->n_rows;

    for (gsize i = 0; i < block->n_rows * block->n_columns; i++) {
      theta[block->offset + i] = draw(network, block, rng);
      if (block->factorised)
        theta[block->offset + i] /= exp(factors[i / block->n_columns]);
    }
  }
}
