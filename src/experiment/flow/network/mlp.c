/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Multilayer perceptron. */
#include "experiment/flow/network/network-private.h"

static LacNode
hidden(LacNetworkBuilder *builder, LacNode x)
{
  for (gsize i = 0; i < builder->network->depth; i++)
    x = lac_network_layer(builder, x, builder->network->width);
  return x;
}

static LacNode
output(LacNetworkBuilder *builder, LacNode features)
{
  return lac_network_linear(builder, features, builder->network->n_out);
}

const LacArchitectureRow lac_architecture_mlp = {
  .name = "mlp",
  .hidden = hidden,
  .output = output,
};
