/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear: one matrix product over the rows of all streams; the bias is added to the value only. */
#include "graph/op.h"

static LacLinear
arguments(const LacOpCall *call)
{
  return (LacLinear){
    .type = call->type,
    .n_points = call->n_points,
    .n_streams = call->node->jet.n_streams,
    .n_in = call->inputs[0]->n_columns,
    .n_out = call->node->n_columns,
    .x = call->x[0],
    .w = call->x[1],
    .bias = call->x[2],
    .y = call->y,
    .y_bar = call->y_bar,
    .x_bar = call->x_bar[0],
    .w_bar = call->x_bar[1],
    .bias_bar = call->x_bar[2],
    .x_bar_fresh = !(call->keep[0] > 0),
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

static double
flops(const LacNodeInfo *node, const LacNodeInfo **inputs, gboolean is_reverse)
{
  double product =
    2.0 * node->jet.n_streams * (double) inputs[0]->n_columns * (double) node->n_columns;
  gboolean to_input = inputs[0]->op->reverse != NULL; /* a leaf or a seed needs no bar */

  return is_reverse ? product * (to_input ? 2 : 1) : product;
}

static LacNode
build_biased(LacGraph *graph, const LacNode *operands)
{
  LacNode weight = lac_graph_parameter(graph, "weight", 2, 3);
  LacNode bias = lac_graph_parameter(graph, "bias", 1, 2);

  return lac_linear(operands[0], weight, bias);
}

static void
oracle_biased(const double *const *operands, const double *theta, double *y)
{
  for (int i = 0; i < 2; i++) {
    y[i] = theta[6 + i];
    for (int j = 0; j < 3; j++)
      y[i] += theta[3 * i + j] * operands[0][j];
  }
}

static LacNode
build_factor(LacGraph *graph, const LacNode *operands)
{
  return lac_linear(operands[0], lac_graph_parameter(graph, "factor", 1, 1), LAC_NO_NODE);
}

static void
oracle_factor(const double *const *operands, const double *theta, double *y)
{
  y[0] = theta[0] * operands[0][0];
}

static const LacOpCase cases[] = {
  {"biased", {3, 0}, -2, 2, build_biased, oracle_biased},
  {"factor", {1, 0}, -2, 2, build_factor, oracle_factor},
};

const LacOp lac_op_linear = {
  .name = "linear",
  .formula = "x w^T + b",
  .forward = forward,
  .reverse = reverse,
  .writes_bars = TRUE,
  .reads_inputs = TRUE,
  .flops = flops,
  .cases = cases,
  .n_cases = G_N_ELEMENTS(cases),
};

LacNode
lac_linear(LacNode x, LacNode weight, LacNode bias)
{
  LacNodeInfo       *info;
  const LacNodeInfo *matrix = lac_node_info(weight);

  g_return_val_if_fail(matrix && matrix->kind == LAC_NODE_PARAMETER, LAC_NO_NODE);
  g_return_val_if_fail(lac_node_info(x)->kind == LAC_NODE_PER_POINT, LAC_NO_NODE);
  g_return_val_if_fail(lac_node_get_n_columns(x) == matrix->n_columns, LAC_NO_NODE);
  g_return_val_if_fail(!bias.graph || lac_node_get_n_columns(bias) == matrix->n_points,
                       LAC_NO_NODE);
  info = lac_graph_record(&lac_op_linear, (LacNode[]){x, weight, bias}, 3);
  info->n_columns = matrix->n_points;
  return lac_graph_handle(x.graph, info);
}
