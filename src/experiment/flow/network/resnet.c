/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Residual network: one layer to the width, then pairs of layers with skip connections; an odd last layer has none. */
#include "experiment/flow/network/network-private.h"

static LacNode
hidden(LacNetworkBuilder *builder, LacNode x)
{
  const gsize width = builder->network->width;
  gsize       left = builder->network->depth - 1;

  x = lac_network_layer(builder, x, width);
  for (; left >= 2; left -= 2) {
    LacNode inner = lac_network_layer(builder, x, width);

    x = lac_add(x, lac_network_layer(builder, inner, width));
  }
  return left ? lac_network_layer(builder, x, width) : x;
}

static LacNode
output(LacNetworkBuilder *builder, LacNode features)
{
  return lac_network_linear(builder, features, builder->network->n_out);
}

const LacArchitectureRow lac_architecture_resnet = {
  .name = "resnet",
  .hidden = hidden,
  .output = output,
};
