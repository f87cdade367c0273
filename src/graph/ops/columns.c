/* SPDX-License-Identifier: GPL-3.0-or-later */
/* columns: a contiguous range of columns of every stream. */
#include "graph/op.h"

extern const LacOp lac_op_columns;

/* Rows of the narrow side are at column @first of the wide one. */
static LacStrided
arguments(const LacOpCall *call)
{
  return (LacStrided){
    .type = call->type,
    .n_rows = call->n_points * call->node->jet.n_streams,
    .n_columns = call->node->n_columns,
    .alpha = 1,
  };
}

static LacStatus
forward(const LacOpCall *call)
{
  LacStrided args = arguments(call);

  args.x_stride = call->inputs[0]->n_columns;
  args.y_stride = call->node->n_columns;
  args.x = (const guint8 *) call->x[0] + call->node->first * lac_type_size(call->type);
  args.y = call->y;
  return call->device.table->strided(call->device.self, &args);
}

static LacStatus
reverse(const LacOpCall *call)
{
  LacStrided args = arguments(call);

  args.beta = 1;
  args.x_stride = call->node->n_columns;
  args.y_stride = call->inputs[0]->n_columns;
  args.x = call->y_bar;
  args.y = (guint8 *) call->x_bar[0] + call->node->first * lac_type_size(call->type);
  return call->device.table->strided(call->device.self, &args);
}

static LacNode
build_middle(LacGraph *graph, const LacNode *operands)
{
  return lac_columns(operands[0], 1, 2);
}

static void
oracle_middle(const double *const *operands, const double *theta, double *y)
{
  y[0] = operands[0][1];
  y[1] = operands[0][2];
}

static const LacOpCase cases[] = {
  {"in the middle", {4, 0}, -1, 1, build_middle, oracle_middle},
};

const LacOp lac_op_columns = {
  .name = "columns",
  .formula = "x[first ... first + n)",
  .forward = forward,
  .reverse = reverse,
  .small_forward = TRUE,
  .small_reverse = TRUE,
  .cases = cases,
  .n_cases = G_N_ELEMENTS(cases),
};

LacNode
lac_columns(LacNode x, gsize first, gsize n)
{
  LacNodeInfo *info;

  g_return_val_if_fail(x.graph && lac_node_info(x)->kind == LAC_NODE_PER_POINT, LAC_NO_NODE);
  g_return_val_if_fail(n && first + n <= lac_node_get_n_columns(x), LAC_NO_NODE);
  info = lac_graph_record(&lac_op_columns, &x, 1);
  info->first = first;
  info->n_columns = n;
  return lac_graph_handle(x.graph, info);
}
