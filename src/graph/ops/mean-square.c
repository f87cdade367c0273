/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mean_square: the mean over points and columns of weight r^2, summed in double. */
#include "graph/op.h"

extern const LacOp lac_op_mean_square;

/* saved: weight r, if there is a weight */
static LacStatus
forward(const LacOpCall *call)
{
  double tile = 0;
  LacDot dot = {
    .type = call->type,
    .n = call->n_points * call->node->n_columns,
    .x = call->x[0],
    .out = &tile,
    .sum = call->device_sum,
  };
  LacStatus status;

  if (call->x[1]) {
    LacMulJet weigh = {
      .type = call->type,
      .jet = &call->node->jet,
      .n_points = call->n_points,
      .n_columns = call->node->n_columns,
      .a_columns = call->node->n_columns,
      .b_columns = 1,
      .a = call->x[0],
      .b = call->x[1],
      .y = call->saved,
    };
    status = call->device.table->mul_jet(call->device.self, &weigh);
    if (status != LAC_STATUS_OK)
      return status;
    dot.y = call->saved;
  }
  status = call->device.table->dot(call->device.self, &dot);
  *call->sum += tile;
  return status;
}

static LacStatus
reverse(const LacOpCall *call)
{
  LacStrided args = {
    .type = call->type,
    .n_rows = 1,
    .n_columns = call->n_points * call->node->n_columns,
    .alpha = 2 * call->seed,
    .beta = call->keep[0],
    .x = call->x[1] ? call->saved : call->x[0],
    .y = call->x_bar[0],
    .scale = call->device_seed,
  };
  return call->device.table->strided(call->device.self, &args);
}

static LacNode
build_plain(LacGraph *graph, const LacNode *operands)
{
  return lac_mean_square(lac_value(operands[0]), LAC_NO_NODE);
}

static void
oracle_plain(const double *const *operands, const double *theta, double *y)
{
  const double *r = operands[0];

  y[0] = (r[0] * r[0] + r[1] * r[1]) / 2;
}

static const LacOpCase cases[] = {
  {"without weights", {2, 0}, -2, 2, build_plain, oracle_plain},
};

const LacOp lac_op_mean_square = {
  .name = "mean_square",
  .formula = "mean of weight r^2",
  .forward = forward,
  .reverse = reverse,
  .small_reverse = TRUE,
  .writes_bars = TRUE,
  .reads_inputs = TRUE,
  .saves = TRUE,
  .cases = cases,
  .n_cases = G_N_ELEMENTS(cases),
};

LacNode
lac_mean_square(LacNode r, LacNode weight)
{
  const LacNodeInfo *residual = lac_node_info(r);
  LacNodeInfo       *info;

  g_return_val_if_fail(residual && residual->kind == LAC_NODE_PER_POINT, LAC_NO_NODE);
  g_return_val_if_fail(residual->jet.n_streams == 1, LAC_NO_NODE);
  if (weight.graph) {
    const LacNodeInfo *weights = lac_node_info(weight);

    g_return_val_if_fail(!weights->op->forward && weights->kind == LAC_NODE_PER_POINT, LAC_NO_NODE);
    g_return_val_if_fail(weights->set == residual->set && weights->n_columns == 1, LAC_NO_NODE);
  }
  info = lac_graph_record(&lac_op_mean_square, (LacNode[]){r, weight}, 2);
  info->kind = LAC_NODE_SCALAR;
  return lac_graph_handle(r.graph, info);
}
