/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map: an element-wise formula of backend/scalar-ops.def, over jets. */
#include "graph/op.h"

#include <math.h>

static LacMapJet
arguments(const LacOpCall *call)
{
  return (LacMapJet){
    .scalar = call->node->scalar,
    .type = call->type,
    .jet = &call->node->jet,
    .n_points = call->n_points,
    .n_columns = call->node->n_columns,
    .x = call->x[0],
    .y = call->y,
    .y_bar = call->y_bar,
    .x_bar = call->x_bar[0],
  };
}

static LacStatus
forward(const LacOpCall *call)
{
  LacMapJet args = arguments(call);

  return call->device.table->map_jet(call->device.self, &args);
}

static LacStatus
reverse(const LacOpCall *call)
{
  LacMapJet args = arguments(call);

  return call->device.table->map_jet_reverse(call->device.self, &args);
}

/* One case for every formula of the list, with its value as oracle. */
#define R(c) ((double) (c))
#define LAC_SCALAR(ID, name, value, d1, d2, d3, d4, d5)                                    \
  static LacNode build_##name(LacGraph *graph, const LacNode *operands)                    \
  {                                                                                        \
    return lac_map(operands[0], LAC_SCALAR_##ID);                                          \
  }                                                                                        \
  static void oracle_##name(const double *const *operands, const double *theta, double *y) \
  {                                                                                        \
    for (int i = 0; i < 2; i++) {                                                          \
      double x = operands[0][i];                                                           \
      y[i] = value;                                                                        \
    }                                                                                      \
  }
#include "backend/scalar-ops.def"
#undef LAC_SCALAR

#define ROW(...) {__VA_ARGS__},
#define CASE(called, lowest, highest)                                       \
  ROW(.name = #called, .columns[0] = 2, .low = (lowest), .high = (highest), \
      .build = build_##called, .oracle = oracle_##called)
#define LAC_SCALAR(ID, called, value, d1, d2, d3, d4, d5)          CASE(called, -2, 2)
#define LAC_SCALAR_POSITIVE(ID, called, value, d1, d2, d3, d4, d5) CASE(called, 1.5, 3.5)
static const LacOpCase cases[] = {
#include "backend/scalar-ops.def"
};
#undef LAC_SCALAR

const LacOp lac_op_map = {
  .name = "map",
  .formula = "f(x)",
  .forward = forward,
  .reverse = reverse,
  .reads_inputs = TRUE,
  .reads_output = TRUE,
  .cases = cases,
  .n_cases = G_N_ELEMENTS(cases),
};

LacNode
lac_map(LacNode x, LacScalar f)
{
  LacNodeInfo *info;

  g_return_val_if_fail(x.graph && lac_node_info(x)->kind != LAC_NODE_SCALAR, LAC_NO_NODE);
  info = lac_graph_record(&lac_op_map, &x, 1);
  info->scalar = f;
  return lac_graph_handle(x.graph, info);
}
