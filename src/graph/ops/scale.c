/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale: multiplies every stream by a constant. */
#include "graph/op.h"

extern const LacOp lac_op_scale;

static LacStatus
forward(const LacOpCall *call)
{
  LacStrided args = {
    .type = call->type,
    .n_rows = 1,
    .n_columns = call->n_points * lac_node_width(call->node),
    .alpha = call->node->factor,
    .x = call->x[0],
    .y = call->y,
  };
  return call->device.table->strided(call->device.self, &args);
}

static LacStatus
reverse(const LacOpCall *call)
{
  LacStrided args = {
    .type = call->type,
    .n_rows = 1,
    .n_columns = call->n_points * lac_node_width(call->node),
    .alpha = call->node->factor,
    .beta = call->keep[0],
    .x = call->y_bar,
    .y = call->x_bar[0],
  };
  return call->device.table->strided(call->device.self, &args);
}

static LacNode
build_scaled(LacGraph *graph, const LacNode *operands)
{
  return lac_scale(operands[0], -2.5);
}

static void
oracle_scaled(const double *const *operands, const double *theta, double *y)
{
  for (int i = 0; i < 2; i++)
    y[i] = -2.5 * operands[0][i];
}

static const LacOpCase cases[] = {
  {"by a constant", {2, 0}, -1, 1, build_scaled, oracle_scaled},
};

const LacOp lac_op_scale = {
  .name = "scale",
  .formula = "factor x",
  .forward = forward,
  .reverse = reverse,
  .small_forward = TRUE,
  .small_reverse = TRUE,
  .writes_bars = TRUE,
  .cases = cases,
  .n_cases = G_N_ELEMENTS(cases),
};

LacNode
lac_scale(LacNode x, double factor)
{
  LacNodeInfo *info;

  g_return_val_if_fail(x.graph && lac_node_info(x)->kind != LAC_NODE_SCALAR, LAC_NO_NODE);
  info = lac_graph_record(&lac_op_scale, &x, 1);
  info->factor = factor;
  return lac_graph_handle(x.graph, info);
}
