/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weight matrices of a graph, for optimisers that treat each matrix as a whole. */
#include "graph/graph-private.h"

/* Marks matrix operands with the shape of the result; a narrower operand is a factor of its rows. */
static void
mark_weights(const LacGraph *graph, guint id, gboolean *marked)
{
  const LacNodeInfo *info = lac_graph_get(graph, id);

  if (!info->op->forward) {
    marked[id] = !info->fixed;
    return;
  }
  for (guint i = 0; i < info->n_inputs; i++) {
    if (lac_graph_get(graph, info->inputs[i])->n_columns == info->n_columns)
      mark_weights(graph, info->inputs[i], marked);
  }
}

LacMatrixShape *
lac_graph_dup_weights(const LacGraph *graph, gsize *n_weights)
{
  extern const LacOp   lac_op_layer, lac_op_linear;
  g_autofree gboolean *marked = g_new0(gboolean, graph->nodes->len);
  LacMatrixShape      *shapes = g_new(LacMatrixShape, graph->nodes->len + 1);

  for (guint id = 0; id < graph->nodes->len; id++) {
    const LacNodeInfo *info = lac_graph_get(graph, id);

    if (info->op == &lac_op_layer || info->op == &lac_op_linear)
      mark_weights(graph, info->inputs[1], marked);
  }
  *n_weights = 0;
  for (guint id = 0; id < graph->nodes->len; id++) {
    const LacNodeInfo *info = lac_graph_get(graph, id);

    if (marked[id])
      shapes[(*n_weights)++] = (LacMatrixShape){info->offset, info->n_points, info->n_columns};
  }
  return shapes;
}
