/* SPDX-License-Identifier: GPL-3.0-or-later */
/* broadcast: one row of a matrix at every point; its bar is the sum over the points. */
#include "graph/op.h"

#include <math.h>

extern const LacOp lac_op_broadcast;

static LacStatus
forward(const LacOpCall *call)
{
  LacStrided args = {
    .type = call->type,
    .n_rows = call->n_points,
    .n_columns = call->node->n_columns,
    .x_stride = 0,
    .y_stride = call->node->n_columns,
    .alpha = 1,
    .x = call->x[0],
    .y = call->y,
  };
  return call->device.table->strided(call->device.self, &args);
}

/* Same as the bar of a bias. */
static LacStatus
reverse(const LacOpCall *call)
{
  LacLinear args = {
    .type = call->type,
    .n_points = call->n_points,
    .n_streams = 1,
    .n_in = 1,
    .n_out = call->node->n_columns,
    .y_bar = call->y_bar,
    .bias_bar = call->x_bar[0],
  };
  return call->device.table->linear_reverse(call->device.self, &args);
}

static LacNode
build_coefficients(LacGraph *graph, const LacNode *operands)
{
  LacNode row = lac_graph_parameter(graph, "coefficients", 1, 2);

  return lac_multiply(lac_value(operands[0]), lac_broadcast(operands[0], row));
}

static void
oracle_coefficients(const double *const *operands, const double *theta, double *y)
{
  for (int i = 0; i < 2; i++)
    y[i] = theta[i] * operands[0][i];
}

static LacNode
build_positive(LacGraph *graph, const LacNode *operands)
{
  LacNode logarithm = lac_graph_parameter(graph, "logarithm", 1, 1);

  return lac_multiply(lac_value(operands[0]),
                      lac_broadcast(operands[0], lac_map(logarithm, LAC_SCALAR_EXP)));
}

static void
oracle_positive(const double *const *operands, const double *theta, double *y)
{
  for (int i = 0; i < 2; i++)
    y[i] = exp(theta[0]) * operands[0][i];
}

static const LacOpCase cases[] = {
  {"two coefficients", {2, 0}, -1, 1, build_coefficients, oracle_coefficients},
  {"a coefficient from its logarithm", {2, 0}, -1, 1, build_positive, oracle_positive},
};

const LacOp lac_op_broadcast = {
  .name = "broadcast",
  .formula = "p at every point",
  .forward = forward,
  .reverse = reverse,
  .writes_bars = TRUE, /* bar of a matrix: always accumulated */
  .cases = cases,
  .n_cases = G_N_ELEMENTS(cases),
};

LacNode
lac_broadcast(LacNode like, LacNode coefficients)
{
  const LacNodeInfo *points = lac_node_info(like), *row = lac_node_info(coefficients);
  LacNodeInfo       *info;

  g_return_val_if_fail(points && points->kind == LAC_NODE_PER_POINT, LAC_NO_NODE);
  g_return_val_if_fail(row && row->kind == LAC_NODE_PARAMETER && row->n_points == 1, LAC_NO_NODE);
  info = lac_graph_record(&lac_op_broadcast, &coefficients, 1);
  info->kind = LAC_NODE_PER_POINT;
  info->set = points->set;
  info->n_points = points->n_points;
  return lac_graph_handle(like.graph, info);
}
