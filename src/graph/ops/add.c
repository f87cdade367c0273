/* SPDX-License-Identifier: GPL-3.0-or-later */
/* add: a + factor b; subtract is factor -1. One column is broadcast over the columns of the other. */
#include "graph/op.h"

extern const LacOp lac_op_add;

/* y = alpha x + beta y, rows of unequal width: a single column is repeated, or many columns are summed into one. */
static LacStatus
accumulate(const LacOpCall *call, LacStrided args)
{
  gsize     size = lac_type_size(call->type), x_step = 0, y_step = 0;
  gsize     n = MAX(args.x_stride, args.y_stride);
  LacStatus status = LAC_STATUS_OK;

  args.type = call->type;
  if (args.x_stride == args.y_stride) {
    args.n_columns = args.n_rows * args.x_stride;
    args.n_rows = 1;
    return call->device.table->strided(call->device.self, &args);
  }
  args.n_columns = 1;
  if (args.x_stride == n)
    x_step = size;
  if (args.y_stride == n)
    y_step = size;
  for (gsize j = 0; j < n && status == LAC_STATUS_OK; j++) {
    status = call->device.table->strided(call->device.self, &args);
    args.x = (const guint8 *) args.x + x_step;
    args.y = (guint8 *) args.y + y_step;
    if (!y_step)
      args.beta = 1;
  }
  return status;
}

static LacStatus
forward(const LacOpCall *call)
{
  LacStrided args = {
    .n_rows = call->n_points * call->node->jet.n_streams,
    .x_stride = call->inputs[0]->n_columns,
    .y_stride = call->node->n_columns,
    .alpha = 1,
    .x = call->x[0],
    .y = call->y,
  };
  LacStatus status = accumulate(call, args);

  if (status != LAC_STATUS_OK)
    return status;
  args.x_stride = call->inputs[1]->n_columns;
  args.alpha = call->node->factor;
  args.beta = 1;
  args.x = call->x[1];
  return accumulate(call, args);
}

static LacStatus
reverse(const LacOpCall *call)
{
  LacStatus status = LAC_STATUS_OK;

  for (guint i = 0; i < 2 && status == LAC_STATUS_OK; i++) {
    LacStrided args = {
      .n_rows = call->n_points * call->node->jet.n_streams,
      .x_stride = call->node->n_columns,
      .y_stride = call->inputs[i]->n_columns,
      .alpha = i ? call->node->factor : 1,
      .beta = call->keep[i],
      .x = call->y_bar,
      .y = call->x_bar[i],
    };
    if (args.y)
      status = accumulate(call, args);
  }
  return status;
}

static LacNode
build_sum(LacGraph *graph, const LacNode *operands)
{
  return lac_add(operands[0], operands[1]);
}

static void
oracle_sum(const double *const *operands, const double *theta, double *y)
{
  for (int i = 0; i < 2; i++)
    y[i] = operands[0][i] + operands[1][i];
}

static LacNode
build_difference(LacGraph *graph, const LacNode *operands)
{
  return lac_subtract(operands[0], operands[1]);
}

static void
oracle_difference(const double *const *operands, const double *theta, double *y)
{
  for (int i = 0; i < 3; i++)
    y[i] = operands[0][0] - operands[1][i];
}

static LacNode
build_twice(LacGraph *graph, const LacNode *operands)
{
  return lac_add(operands[0], operands[0]);
}

static void
oracle_twice(const double *const *operands, const double *theta, double *y)
{
  for (int i = 0; i < 2; i++)
    y[i] = 2 * operands[0][i];
}

static LacNode
build_broadcast(LacGraph *graph, const LacNode *operands)
{
  return lac_add(operands[0], operands[1]);
}

static void
oracle_broadcast(const double *const *operands, const double *theta, double *y)
{
  for (int i = 0; i < 3; i++)
    y[i] = operands[0][i] + operands[1][0];
}

static const LacOpCase cases[] = {
  {"sum", {2, 2}, -1, 1, build_sum, oracle_sum},
  {"difference with one column", {1, 3}, -1, 1, build_difference, oracle_difference},
  {"sum with one column", {3, 1}, -1, 1, build_broadcast, oracle_broadcast},
  {"with itself", {2, 0}, -1, 1, build_twice, oracle_twice},
};

const LacOp lac_op_add = {
  .name = "add",
  .formula = "a + factor b",
  .forward = forward,
  .reverse = reverse,
  .small_forward = TRUE,
  .small_reverse = TRUE,
  .writes_bars = TRUE,
  .cases = cases,
  .n_cases = G_N_ELEMENTS(cases),
};

static LacNode
add(LacNode a, LacNode b, double factor)
{
  LacNodeInfo *info;

  g_return_val_if_fail(lac_nodes_match(a, b), LAC_NO_NODE);
  info = lac_graph_record(&lac_op_add, (LacNode[]){a, b}, 2);
  info->n_columns = MAX(lac_node_get_n_columns(a), lac_node_get_n_columns(b));
  info->factor = factor;
  return lac_graph_handle(a.graph, info);
}

LacNode
lac_add(LacNode a, LacNode b)
{
  return add(a, b, 1);
}

LacNode
lac_subtract(LacNode a, LacNode b)
{
  return add(a, b, -1);
}
