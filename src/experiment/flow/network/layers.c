/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices and layers used by the architectures. */
#include "experiment/flow/network/network-private.h"

LacNode
lac_network_parameter(LacNetworkBuilder *builder, const char *what, LacNetworkBlock block)
{
  g_autofree char *name = g_strdup_printf("%s %u", what, builder->n_layers);
  LacNode          node;

  if (builder->again)
    node = lac_graph_find_parameter(builder->graph, builder->next);
  else
    node = lac_graph_parameter(builder->graph, name, block.n_rows, block.n_columns);
  g_assert(node.graph && lac_node_get_n_columns(node) == block.n_columns);
  builder->next += block.n_rows * block.n_columns;
  block.offset = lac_node_get_parameter_offset(node);
  g_array_append_val(builder->blocks, block);
  return node;
}

LacNode
lac_network_weight(LacNetworkBuilder *builder,
                   gsize              n_out,
                   gsize              n_in,
                   LacStart           start,
                   double             scale)
{
  LacNetworkBlock block = {.n_rows = n_out, .n_columns = n_in, .start = start, .scale = scale};
  LacNetworkBlock factor = {.n_rows = n_out, .n_columns = 1, .start = LAC_START_FACTOR};
  LacNode         s;

  if (!builder->network->factorised)
    return lac_network_parameter(builder, "weight", block);
  s = lac_network_parameter(builder, "factor", factor);
  block.factorised = TRUE;
  return lac_multiply(lac_map(s, LAC_SCALAR_EXP), lac_network_parameter(builder, "weight", block));
}

static LacNode
zero_bias(LacNetworkBuilder *builder, gsize n_out)
{
  return lac_network_parameter(builder, "bias", (LacNetworkBlock){.n_rows = 1, .n_columns = n_out});
}

LacNode
lac_network_layer(LacNetworkBuilder *builder, LacNode x, gsize n_out)
{
  LacNode weight =
    lac_network_weight(builder, n_out, lac_node_get_n_columns(x), LAC_START_NORMAL, 1);
  LacNode bias = zero_bias(builder, n_out);

  builder->n_layers++;
  return lac_layer(x, weight, bias, builder->network->activation);
}

LacNode
lac_network_linear(LacNetworkBuilder *builder, LacNode x, gsize n_out)
{
  LacNode weight =
    lac_network_weight(builder, n_out, lac_node_get_n_columns(x), LAC_START_NORMAL, 1);
  LacNode bias = zero_bias(builder, n_out);

  builder->n_layers++;
  return lac_linear(x, weight, bias);
}

LacNode
lac_network_gate(LacNode gate, LacNode difference, LacNode b)
{
  return lac_add(lac_multiply(gate, difference), b);
}
