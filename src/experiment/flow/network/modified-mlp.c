/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modified MLP: h <- h o U + (1 - h) o V with two encoders U, V of the input. Source: Wang, Teng and Perdikaris
 * (2021). */
#include "experiment/flow/network/network-private.h"

static LacNode
hidden(LacNetworkBuilder *builder, LacNode x)
{
  const gsize width = builder->network->width;
  LacNode     u = lac_network_layer(builder, x, width), v = lac_network_layer(builder, x, width);
  LacNode     difference = lac_subtract(u, v);

  for (gsize i = 0; i < builder->network->depth; i++)
    x = lac_network_gate(lac_network_layer(builder, x, width), difference, v);
  return x;
}

static LacNode
output(LacNetworkBuilder *builder, LacNode features)
{
  return lac_network_linear(builder, features, builder->network->n_out);
}

const LacArchitectureRow lac_architecture_modified_mlp = {
  .name = "modified-mlp",
  .hidden = hidden,
  .output = output,
};
