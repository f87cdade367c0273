/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale_by: multiplies every stream by one number, which may be trained. */
#include "graph/op.h"

extern const LacOp lac_op_scale_by;

/* y = factor x^T with all elements of x as one column: both directions access contiguous memory. */
static LacLinear
arguments(const LacOpCall *call)
{
  return (LacLinear){
    .type = call->type,
    .n_points = 1,
    .n_streams = 1,
    .n_in = 1,
    .n_out = call->n_points * lac_node_width(call->node),
    .x = call->x[1],
    .w = call->x[0],
    .y = call->y,
    .y_bar = call->y_bar,
    .x_bar = call->x_bar[1],
    .w_bar = call->x_bar[0],
  };
}

static LacStatus
forward(const LacOpCall *call)
{
  LacLinear args = arguments(call);

  return call->device.table->linear(call->device.self, &args);
}

static LacStatus
reverse(const LacOpCall *call)
{
  LacLinear args = arguments(call);

  return call->device.table->linear_reverse(call->device.self, &args);
}

static LacNode
build(LacGraph *graph, const LacNode *operands)
{
  return lac_scale_by(operands[0], lac_graph_parameter(graph, "factor", 1, 1));
}

static void
oracle(const double *const *operands, const double *theta, double *y)
{
  for (int i = 0; i < 3; i++)
    y[i] = theta[0] * operands[0][i];
}

static LacNode
build_fixed(LacGraph *graph, const LacNode *operands)
{
  const double third = 1.0 / 3;

  return lac_scale_by(operands[0], lac_graph_fixed(graph, "factor", 1, 1, &third));
}

static void
oracle_fixed(const double *const *operands, const double *theta, double *y)
{
  for (int i = 0; i < 3; i++)
    y[i] = operands[0][i] / 3;
}

static const LacOpCase cases[] = {
  {"trained", {3, 0}, -1, 1, build, oracle},
  {"fixed", {3, 0}, -1, 1, build_fixed, oracle_fixed},
};

const LacOp lac_op_scale_by = {
  .name = "scale_by",
  .formula = "factor x",
  .forward = forward,
  .reverse = reverse,
  .reads_inputs = TRUE,
  .cases = cases,
  .n_cases = G_N_ELEMENTS(cases),
};

LacNode
lac_scale_by(LacNode x, LacNode factor)
{
  const LacNodeInfo *number = lac_node_info(factor);
  LacNodeInfo       *info;

  g_return_val_if_fail(x.graph && lac_node_info(x)->kind == LAC_NODE_PER_POINT, LAC_NO_NODE);
  g_return_val_if_fail(number && number->kind == LAC_NODE_PARAMETER, LAC_NO_NODE);
  g_return_val_if_fail(number->n_points == 1 && number->n_columns == 1, LAC_NO_NODE);
  info = lac_graph_record(&lac_op_scale_by, (LacNode[]){x, factor}, 2);
  return lac_graph_handle(x.graph, info);
}
