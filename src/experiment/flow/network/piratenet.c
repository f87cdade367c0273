/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PirateNet: blocks x <- alpha h + (1 - alpha) x of three gated layers, alpha initially 0, so that training starts
 * with a linear model of the inputs and deepens. Source: Wang, Li, Chen and Perdikaris (2024), arXiv 2402.00326, eqs.
 * 4.1-4.7. */
#include "experiment/flow/network/network-private.h"

typedef struct {
  LacNode difference, v; /* U - V, V */
} Encoders;

static LacNode
block(LacNetworkBuilder *builder, const Encoders *encoders, LacNode x)
{
  const gsize width = builder->network->width;
  LacNode     f = lac_network_layer(builder, x, width);
  LacNode     z = lac_network_gate(f, encoders->difference, encoders->v);
  LacNode     g = lac_network_layer(builder, z, width);
  LacNode     h, alpha;

  z = lac_network_gate(g, encoders->difference, encoders->v);
  h = lac_network_layer(builder, z, width);
  alpha = lac_network_parameter(builder, "step", (LacNetworkBlock){.n_rows = 1, .n_columns = 1});
  return lac_add(lac_scale_by(lac_subtract(h, x), alpha), x);
}

/* A block has as many inputs as outputs: other widths are adapted by an additional layer. */
static LacNode
hidden(LacNetworkBuilder *builder, LacNode x)
{
  const gsize width = builder->network->width;
  LacNode     u = lac_network_layer(builder, x, width);
  Encoders    encoders = {.v = lac_network_layer(builder, x, width)};

  encoders.difference = lac_subtract(u, encoders.v);
  if (lac_node_get_n_columns(x) != width)
    x = lac_network_layer(builder, x, width);
  for (gsize i = 0; i < builder->network->depth; i++)
    x = block(builder, &encoders, x);
  return x;
}

static LacNode
output(LacNetworkBuilder *builder, LacNode features)
{
  return lac_network_linear(builder, features, builder->network->n_out);
}

const LacArchitectureRow lac_architecture_piratenet = {
  .name = "piratenet",
  .hidden = hidden,
  .output = output,
};
