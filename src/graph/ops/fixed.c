/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fixed: a constant matrix in the arena, which may be fed. */
#include "graph/op.h"

const LacOp lac_op_fixed = {
  .name = "fixed",
  .formula = "a matrix",
};

LacNode
lac_graph_fixed(LacGraph     *graph,
                const char   *name,
                gsize         n_rows,
                gsize         n_columns,
                const double *values)
{
  LacNodeInfo *info;

  g_return_val_if_fail(graph && name && n_rows && n_columns && values, LAC_NO_NODE);
  info = lac_graph_record_leaf(graph, &lac_op_fixed, name);
  info->kind = LAC_NODE_PARAMETER;
  info->fixed = TRUE;
  info->n_points = n_rows;
  info->n_columns = n_columns;
  info->n_numbers = n_rows * n_columns;
  info->numbers = g_memdup2(values, info->n_numbers * sizeof *values);
  return lac_graph_handle(graph, info);
}
