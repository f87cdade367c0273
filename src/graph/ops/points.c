/* SPDX-License-Identifier: GPL-3.0-or-later */
/* points: input values, one row per point. */
#include "graph/graph-private.h"

const LacOp lac_op_points = {
  .name = "points",
  .formula = "x",
};

LacNode
lac_graph_points(LacGraph *graph, const char *name, guint set, gsize n_points, gsize n_columns)
{
  LacNodeInfo *info;

  g_return_val_if_fail(graph && name && n_points && n_columns, LAC_NO_NODE);
  for (guint i = 0; i < graph->nodes->len; i++) {
    const LacNodeInfo *other = lac_graph_get(graph, i);

    g_return_val_if_fail(
      other->op != &lac_op_points || other->set != set || other->n_points == n_points, LAC_NO_NODE);
  }
  info = lac_graph_record_leaf(graph, &lac_op_points, name);
  info->kind = LAC_NODE_PER_POINT;
  info->set = set;
  info->n_points = n_points;
  info->n_columns = n_columns;
  return lac_graph_handle(graph, info);
}
