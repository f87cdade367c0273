/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parameter: a trainable matrix, a slice of theta. */
#include "graph/graph-private.h"

const LacOp lac_op_parameter = {
  .name = "parameter",
  .formula = "theta[offset ...]",
};

LacNode
lac_graph_parameter(LacGraph *graph, const char *name, gsize n_rows, gsize n_columns)
{
  LacNodeInfo *info;

  g_return_val_if_fail(graph && name && n_rows && n_columns, LAC_NO_NODE);
  info = lac_graph_record_leaf(graph, &lac_op_parameter, name);
  info->kind = LAC_NODE_PARAMETER;
  info->n_points = n_rows;
  info->n_columns = n_columns;
  info->offset = graph->n_parameters;
  graph->n_parameters += n_rows * n_columns;
  return lac_graph_handle(graph, info);
}

LacNode
lac_graph_find_parameter(LacGraph *graph, gsize offset)
{
  g_return_val_if_fail(graph, LAC_NO_NODE);
  for (guint id = 0; id < graph->nodes->len; id++) {
    const LacNodeInfo *info = lac_graph_get(graph, id);

    if (info->op == &lac_op_parameter && info->offset == offset)
      return lac_graph_handle(graph, info);
  }
  return LAC_NO_NODE;
}
