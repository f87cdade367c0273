/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seed: turns plain values into jets; the first derivative along a direction is that direction. */
#include "graph/op.h"

#include <math.h>

extern const LacOp lac_op_seed;

/* Writes the constant streams (value 0) to every row, then its value. */
static LacStatus
forward(const LacOpCall *call)
{
  gsize      width = lac_node_width(call->node);
  LacStrided constants = {
    .type = call->type,
    .n_rows = call->n_points,
    .n_columns = width,
    .x_stride = 0,
    .y_stride = width,
    .alpha = 1,
    .x = call->constants,
    .y = call->y,
  };
  LacStrided value = constants;
  LacStatus  status = call->device.table->strided(call->device.self, &constants);

  if (status != LAC_STATUS_OK)
    return status;
  value.n_columns = value.x_stride = call->node->n_columns;
  value.x = call->x[0];
  return call->device.table->strided(call->device.self, &value);
}

static LacNode
build_curve(LacGraph *graph, const LacNode *operands)
{
  return lac_map(operands[0], LAC_SCALAR_SIN);
}

static void
oracle_curve(const double *const *operands, const double *theta, double *y)
{
  y[0] = sin(operands[0][0]);
}

/* The operands of every case are seeded; this case lists the op among the tested ones. */
static const LacOpCase cases[] = {
  {"curve", {1, 0}, -1, 1, build_curve, oracle_curve},
};

const LacOp lac_op_seed = {
  .name = "seed",
  .formula = "(x, directions, 0, ...)",
  .forward = forward,
  .cases = cases,
  .n_cases = G_N_ELEMENTS(cases),
};

LacNode
lac_graph_seed(LacNode x, const LacJet *jet, const double *directions)
{
  LacNodeInfo *info;
  gsize        n_columns;

  g_return_val_if_fail(x.graph && jet, LAC_NO_NODE);
  g_return_val_if_fail(directions || !jet->n_directions, LAC_NO_NODE);
  g_return_val_if_fail(lac_node_info(x)->jet.n_streams == 1, LAC_NO_NODE);
  info = lac_graph_record(&lac_op_seed, &x, 1);
  n_columns = info->n_columns;
  info->jet = *jet;
  info->n_numbers = lac_node_width(info);
  info->numbers = g_new0(double, info->n_numbers);
  for (guint d = 0; d < jet->n_directions; d++) {
    for (gsize j = 0; j < n_columns; j++)
      info->numbers[jet->first[d] * n_columns + j] = directions[d * n_columns + j];
  }
  return lac_graph_handle(x.graph, info);
}
