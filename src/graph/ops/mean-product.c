/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mean_product: the mean over points and columns of r weight, summed in double. */
#include "graph/op.h"

extern const LacOp lac_op_mean_product;

static LacStatus
forward(const LacOpCall *call)
{
  double tile = 0;
  LacDot dot = {
    .type = call->type,
    .n = call->n_points * call->inputs[0]->n_columns,
    .x = call->x[0],
    .y = call->x[1],
    .out = &tile,
    .sum = call->device_sum,
  };
  LacStatus status = call->device.table->dot(call->device.self, &dot);

  *call->sum += tile;
  return status;
}

static LacStatus
reverse(const LacOpCall *call)
{
  LacStatus status = LAC_STATUS_OK;

  for (guint i = 0; i < 2 && status == LAC_STATUS_OK; i++) {
    LacStrided args = {
      .type = call->type,
      .n_rows = 1,
      .n_columns = call->n_points * call->inputs[0]->n_columns,
      .alpha = call->seed,
      .beta = call->keep[i],
      .x = call->x[1 - i],
      .y = call->x_bar[i],
      .scale = call->device_seed,
    };
    if (args.y)
      status = call->device.table->strided(call->device.self, &args);
  }
  return status;
}

static LacNode
build(LacGraph *graph, const LacNode *operands)
{
  return lac_mean_product(lac_value(operands[0]), lac_value(operands[1]));
}

static void
oracle(const double *const *operands, const double *theta, double *y)
{
  y[0] = (operands[0][0] * operands[1][0] + operands[0][1] * operands[1][1]) / 2;
}

static LacNode
build_square(LacGraph *graph, const LacNode *operands)
{
  LacNode r = lac_value(operands[0]);

  return lac_mean_product(r, r);
}

static void
oracle_square(const double *const *operands, const double *theta, double *y)
{
  y[0] = operands[0][0] * operands[0][0];
}

static const LacOpCase cases[] = {
  {"of two", {2, 2}, -2, 2, build, oracle},
  {"with itself", {1, 0}, -2, 2, build_square, oracle_square},
};

const LacOp lac_op_mean_product = {
  .name = "mean_product",
  .formula = "mean of r weight",
  .forward = forward,
  .reverse = reverse,
  .small_reverse = TRUE,
  .writes_bars = TRUE,
  .reads_inputs = TRUE,
  .cases = cases,
  .n_cases = G_N_ELEMENTS(cases),
};

LacNode
lac_mean_product(LacNode r, LacNode weight)
{
  LacNodeInfo *info;

  g_return_val_if_fail(lac_nodes_match(r, weight), LAC_NO_NODE);
  g_return_val_if_fail(lac_node_get_n_columns(r) == lac_node_get_n_columns(weight), LAC_NO_NODE);
  g_return_val_if_fail(lac_node_info(r)->kind == LAC_NODE_PER_POINT, LAC_NO_NODE);
  g_return_val_if_fail(lac_node_info(r)->jet.n_streams == 1, LAC_NO_NODE);
  info = lac_graph_record(&lac_op_mean_product, (LacNode[]){r, weight}, 2);
  info->kind = LAC_NODE_SCALAR;
  return lac_graph_handle(r.graph, info);
}
