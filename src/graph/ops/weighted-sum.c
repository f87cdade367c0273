/* SPDX-License-Identifier: GPL-3.0-or-later */
/* weighted_sum: sum of loss terms with factors, on the host. */
#include "graph/op.h"

#include <string.h>

extern const LacOp lac_op_weighted_sum;

static LacNode
build_three_to_one(LacGraph *graph, const LacNode *operands)
{
  LacNode u = lac_value(operands[0]);
  LacNode terms[] = {
    lac_mean_square(lac_columns(u, 0, 1), LAC_NO_NODE),
    lac_mean_square(lac_columns(u, 1, 1), LAC_NO_NODE),
  };
  return lac_weighted_sum(terms, (double[]){3, 1}, 2);
}

static void
oracle_three_to_one(const double *const *operands, const double *theta, double *y)
{
  const double *u = operands[0];

  y[0] = 3 * u[0] * u[0] + u[1] * u[1];
}

static const LacOpCase cases[] = {
  {"three to one", {2, 0}, -2, 2, build_three_to_one, oracle_three_to_one},
};

const LacOp lac_op_weighted_sum = {
  .name = "weighted_sum",
  .formula = "sum of factor term",
  .cases = cases,
  .n_cases = G_N_ELEMENTS(cases),
};

LacNode
lac_weighted_sum(const LacNode *terms, const double *factors, gsize n_terms)
{
  LacNodeInfo *info;

  g_return_val_if_fail(terms && factors && n_terms, LAC_NO_NODE);
  for (gsize i = 0; i < n_terms; i++)
    g_return_val_if_fail(lac_node_info(terms[i])->kind == LAC_NODE_SCALAR, LAC_NO_NODE);
  info = lac_graph_record(&lac_op_weighted_sum, terms, (guint) n_terms);
  info->n_numbers = n_terms;
  info->numbers = g_new(double, n_terms);
  memcpy(info->numbers, factors, n_terms * sizeof *factors);
  return lac_graph_handle(terms[0].graph, info);
}
