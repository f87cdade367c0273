/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stream: extracts one stream of a jet as plain values: the value, a derivative, the collapsed sum. */
#include "graph/op.h"

extern const LacOp lac_op_stream;

static LacStatus
forward(const LacOpCall *call)
{
  gsize      n_columns = call->node->n_columns;
  LacStrided args = {
    .type = call->type,
    .n_rows = call->n_points,
    .n_columns = n_columns,
    .x_stride = lac_node_width(call->inputs[0]),
    .y_stride = n_columns,
    .alpha = 1,
    .x = (const guint8 *) call->x[0] + call->node->first * n_columns * lac_type_size(call->type),
    .y = call->y,
  };
  return call->device.table->strided(call->device.self, &args);
}

static LacStatus
reverse(const LacOpCall *call)
{
  gsize      n_columns = call->node->n_columns;
  LacStrided args = {
    .type = call->type,
    .n_rows = call->n_points,
    .n_columns = n_columns,
    .x_stride = n_columns,
    .y_stride = lac_node_width(call->inputs[0]),
    .alpha = 1,
    .beta = 1,
    .x = call->y_bar,
    .y = (guint8 *) call->x_bar[0] + call->node->first * n_columns * lac_type_size(call->type),
  };
  return call->device.table->strided(call->device.self, &args);
}

static LacNode
build_value(LacGraph *graph, const LacNode *operands)
{
  return lac_value(operands[0]);
}

static void
oracle_value(const double *const *operands, const double *theta, double *y)
{
  for (int i = 0; i < 3; i++)
    y[i] = operands[0][i];
}

/* Derivatives and sums are extracted from the result of every case of every op. */
static const LacOpCase cases[] = {
  {"value", {3, 0}, -1, 1, build_value, oracle_value},
};

const LacOp lac_op_stream = {
  .name = "stream",
  .formula = "x[stream]",
  .forward = forward,
  .reverse = reverse,
  .small_forward = TRUE,
  .small_reverse = TRUE,
  .cases = cases,
  .n_cases = G_N_ELEMENTS(cases),
};

static LacNode
stream(LacNode u, gsize index)
{
  LacNodeInfo *info = lac_graph_record(&lac_op_stream, &u, 1);

  info->first = index;
  info->jet = lac_jet_value();
  return lac_graph_handle(u.graph, info);
}

LacNode
lac_value(LacNode u)
{
  g_return_val_if_fail(u.graph && lac_node_info(u)->kind == LAC_NODE_PER_POINT, LAC_NO_NODE);
  return stream(u, 0);
}

LacNode
lac_derivative(LacNode u, guint direction, guint order)
{
  const LacNodeInfo *info = lac_node_info(u);

  g_return_val_if_fail(info && direction < info->jet.n_directions, LAC_NO_NODE);
  g_return_val_if_fail(order >= 1 && order <= info->jet.order[direction], LAC_NO_NODE);
  return stream(u, info->jet.first[direction] + order - 1);
}

LacNode
lac_laplacian(LacNode u)
{
  const LacNodeInfo *info = lac_node_info(u);

  g_return_val_if_fail(info && info->jet.sum, LAC_NO_NODE);
  return stream(u, info->jet.sum);
}
