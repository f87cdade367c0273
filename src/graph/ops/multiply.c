/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multiply: a b by Leibniz' rule. One column is broadcast over the columns of the other. */
#include "graph/op.h"

static LacMulJet
arguments(const LacOpCall *call)
{
  return (LacMulJet){
    .type = call->type,
    .jet = &call->node->jet,
    .n_points = call->n_points,
    .n_columns = call->node->n_columns,
    .a_columns = call->inputs[0]->n_columns,
    .b_columns = call->inputs[1]->n_columns,
    .a = call->x[0],
    .b = call->x[1],
    .y = call->y,
    .y_bar = call->y_bar,
    .a_bar = call->x_bar[0],
    .b_bar = call->x_bar[1],
  };
}

static LacStatus
forward(const LacOpCall *call)
{
  LacMulJet args = arguments(call);

  return call->device.table->mul_jet(call->device.self, &args);
}

/* A square accumulates into one bar twice, but the kernel may assume that its two bars are distinct memory. */
static LacStatus
reverse(const LacOpCall *call)
{
  LacMulJet args = arguments(call);
  LacStatus status;

  if (!args.a_bar || args.a_bar != args.b_bar)
    return call->device.table->mul_jet_reverse(call->device.self, &args);
  args.b_bar = NULL;
  status = call->device.table->mul_jet_reverse(call->device.self, &args);
  if (status != LAC_STATUS_OK)
    return status;
  args.b_bar = args.a_bar;
  args.a_bar = NULL;
  return call->device.table->mul_jet_reverse(call->device.self, &args);
}

static LacNode
build_product(LacGraph *graph, const LacNode *operands)
{
  return lac_multiply(operands[0], operands[1]);
}

static void
oracle_product(const double *const *operands, const double *theta, double *y)
{
  for (int i = 0; i < 2; i++)
    y[i] = operands[0][i] * operands[1][i];
}

static void
oracle_wide_by_one(const double *const *operands, const double *theta, double *y)
{
  for (int i = 0; i < 3; i++)
    y[i] = operands[0][i] * operands[1][0];
}

static void
oracle_one_by_wide(const double *const *operands, const double *theta, double *y)
{
  for (int i = 0; i < 3; i++)
    y[i] = operands[0][0] * operands[1][i];
}

static LacNode
build_square(LacGraph *graph, const LacNode *operands)
{
  return lac_multiply(operands[0], operands[0]);
}

static void
oracle_square(const double *const *operands, const double *theta, double *y)
{
  for (int i = 0; i < 2; i++)
    y[i] = operands[0][i] * operands[0][i];
}

static const LacOpCase cases[] = {
  {"product", {2, 2}, -1, 2, build_product, oracle_product},
  {"wide by one column", {3, 1}, -1, 2, build_product, oracle_wide_by_one},
  {"one column by wide", {1, 3}, -1, 2, build_product, oracle_one_by_wide},
  {"by itself", {2, 0}, -1, 2, build_square, oracle_square},
};

const LacOp lac_op_multiply = {
  .name = "multiply",
  .formula = "a b",
  .forward = forward,
  .reverse = reverse,
  .small_forward = TRUE,
  .small_reverse = TRUE,
  .reads_inputs = TRUE,
  .cases = cases,
  .n_cases = G_N_ELEMENTS(cases),
};

LacNode
lac_multiply(LacNode a, LacNode b)
{
  LacNodeInfo *info;

  g_return_val_if_fail(lac_nodes_match(a, b), LAC_NO_NODE);
  info = lac_graph_record(&lac_op_multiply, (LacNode[]){a, b}, 2);
  info->n_columns = MAX(lac_node_get_n_columns(a), lac_node_get_n_columns(b));
  return lac_graph_handle(a.graph, info);
}
