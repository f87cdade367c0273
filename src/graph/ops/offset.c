/* SPDX-License-Identifier: GPL-3.0-or-later */
/* offset: adds a constant to the value stream; derivatives are unchanged. */
#include "graph/op.h"

extern const LacOp lac_op_offset;

static LacStatus
forward(const LacOpCall *call)
{
  gsize      width = lac_node_width(call->node);
  LacStrided copy = {
    .type = call->type,
    .n_rows = 1,
    .n_columns = call->n_points * width,
    .alpha = 1,
    .x = call->x[0],
    .y = call->y,
  };
  LacStrided add = {
    .type = call->type,
    .n_rows = call->n_points,
    .n_columns = call->node->n_columns,
    .x_stride = 0,
    .y_stride = width,
    .alpha = 1,
    .beta = 1,
    .x = call->constants,
    .y = call->y,
  };
  LacStatus status = call->device.table->strided(call->device.self, &copy);

  return status == LAC_STATUS_OK ? call->device.table->strided(call->device.self, &add) : status;
}

static LacStatus
reverse(const LacOpCall *call)
{
  LacStrided args = {
    .type = call->type,
    .n_rows = 1,
    .n_columns = call->n_points * lac_node_width(call->node),
    .alpha = 1,
    .beta = call->keep[0],
    .x = call->y_bar,
    .y = call->x_bar[0],
  };
  return call->device.table->strided(call->device.self, &args);
}

static LacNode
build_shifted(LacGraph *graph, const LacNode *operands)
{
  return lac_offset(operands[0], 0.75);
}

static void
oracle_shifted(const double *const *operands, const double *theta, double *y)
{
  for (int i = 0; i < 2; i++)
    y[i] = operands[0][i] + 0.75;
}

static const LacOpCase cases[] = {
  {"by a constant", {2, 0}, -1, 1, build_shifted, oracle_shifted},
};

const LacOp lac_op_offset = {
  .name = "offset",
  .formula = "x + constant",
  .forward = forward,
  .reverse = reverse,
  .small_forward = TRUE,
  .small_reverse = TRUE,
  .writes_bars = TRUE,
  .cases = cases,
  .n_cases = G_N_ELEMENTS(cases),
};

LacNode
lac_offset(LacNode x, double constant)
{
  LacNodeInfo *info;

  g_return_val_if_fail(x.graph && lac_node_info(x)->kind != LAC_NODE_SCALAR, LAC_NO_NODE);
  info = lac_graph_record(&lac_op_offset, &x, 1);
  info->n_numbers = info->n_columns;
  info->numbers = g_new(double, info->n_numbers);
  for (gsize j = 0; j < info->n_numbers; j++)
    info->numbers[j] = constant;
  return lac_graph_handle(x.graph, info);
}
