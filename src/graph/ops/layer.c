/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layer: a whole hidden layer in one kernel; equivalent to linear then map. */
#include "graph/graph-private.h"

#include <math.h>

static LacLayer
arguments(const LacOpCall *call)
{
  return (LacLayer){
    .scalar = call->node->scalar,
    .type = call->type,
    .jet = &call->node->jet,
    .n_points = call->n_points,
    .n_in = call->inputs[0]->n_columns,
    .n_out = call->node->n_columns,
    .x = call->x[0],
    .w = call->x[1],
    .bias = call->x[2],
    .w_forward = call->packed_forward,
    .w_reverse = call->packed_reverse,
    .y = call->y,
    .saved = call->saved,
    .y_bar = call->y_bar,
    .x_bar = call->x_bar[0],
    .w_bar = call->x_bar[1],
    .bias_bar = call->x_bar[2],
    .x_bar_fresh = !(call->keep[0] > 0),
    .fused = call->fused,
  };
}

static LacStatus
forward(const LacOpCall *call)
{
  LacLayer args = arguments(call);

  return call->device.table->layer(call->device.self, &args);
}

/* Overwrites y_bar by z_bar. */
static LacStatus
reverse(const LacOpCall *call)
{
  LacLayer args = arguments(call);

  return call->device.table->layer_reverse(call->device.self, &args);
}

/* Counts the matrix products only, not the activation formula. */
static double
flops(const LacNodeInfo *node, const LacNodeInfo **inputs, gboolean is_reverse)
{
  double product =
    2.0 * node->jet.n_streams * (double) inputs[0]->n_columns * (double) node->n_columns;
  gboolean to_input = inputs[0]->op->reverse != NULL; /* a leaf or a seed needs no bar */

  return is_reverse ? product * (to_input ? 2 : 1) : product;
}

/* Composed, the kernels pass over z, or z_bar, once more, and over its value rows for the bias. */
static gsize
moved(const LacNodeInfo *node, const LacNodeInfo **inputs, const LacOpPasses *passes)
{
  const gsize in = node->jet.n_streams * inputs[0]->n_columns;
  const gsize out = node->jet.n_streams * node->n_columns;
  const gsize again = passes->fused ? 0 : node->n_columns;

  if (!passes->reverse)
    return in + out + (passes->fused ? (passes->saves ? out : 0) : 2 * out) + again;
  return 3 * out + (passes->to_input ? in + (passes->fused ? 0 : out) : 0) + in + out + again;
}

static LacNode
build(LacGraph *graph, const LacNode *operands, LacScalar activation)
{
  LacNode weight = lac_graph_parameter(graph, "weight", 2, 3);
  LacNode bias = lac_graph_parameter(graph, "bias", 1, 2);

  return lac_layer(operands[0], weight, bias, activation);
}

static double
preactivation(const double *x, const double *theta, int i)
{
  return theta[3 * i] * x[0] + theta[3 * i + 1] * x[1] + theta[3 * i + 2] * x[2] + theta[6 + i];
}

static LacNode
build_tanh(LacGraph *graph, const LacNode *operands)
{
  return build(graph, operands, LAC_SCALAR_TANH);
}

static void
oracle_tanh(const double *const *operands, const double *theta, double *y)
{
  for (int i = 0; i < 2; i++)
    y[i] = tanh(preactivation(operands[0], theta, i));
}

static LacNode
build_sin(LacGraph *graph, const LacNode *operands)
{
  return build(graph, operands, LAC_SCALAR_SIN);
}

static void
oracle_sin(const double *const *operands, const double *theta, double *y)
{
  for (int i = 0; i < 2; i++)
    y[i] = sin(preactivation(operands[0], theta, i));
}

static const LacOpCase cases[] = {
  {"tanh", {3, 0}, -2, 2, build_tanh, oracle_tanh},
  {"sin", {3, 0}, -2, 2, build_sin, oracle_sin},
};

const LacOp lac_op_layer = {
  .name = "layer",
  .formula = "f(x w^T + b)",
  .forward = forward,
  .reverse = reverse,
  .writes_bars = TRUE,
  .reads_inputs = TRUE,
  .saves = TRUE,
  .packs = TRUE,
  .flops = flops,
  .moved = moved,
  .cases = cases,
  .n_cases = G_N_ELEMENTS(cases),
};

LacNode
lac_layer(LacNode x, LacNode weight, LacNode bias, LacScalar activation)
{
  LacNodeInfo       *info;
  const LacNodeInfo *matrix = lac_node_info(weight);

  g_return_val_if_fail(matrix && matrix->kind == LAC_NODE_PARAMETER, LAC_NO_NODE);
  g_return_val_if_fail(lac_node_info(x)->kind == LAC_NODE_PER_POINT, LAC_NO_NODE);
  g_return_val_if_fail(lac_node_get_n_columns(x) == matrix->n_columns, LAC_NO_NODE);
  g_return_val_if_fail(lac_node_get_n_columns(bias) == matrix->n_points, LAC_NO_NODE);
  if (x.graph->plain_layers)
    return lac_map(lac_linear(x, weight, bias), activation);
  info = lac_graph_record(&lac_op_layer, (LacNode[]){x, weight, bias}, 3);
  info->n_columns = matrix->n_points;
  info->scalar = activation;
  return lac_graph_handle(x.graph, info);
}
