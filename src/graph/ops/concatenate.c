/* SPDX-License-Identifier: GPL-3.0-or-later */
/* concatenate: the columns of several nodes side by side, in every stream. */
#include "graph/op.h"

extern const LacOp lac_op_concatenate;

/* Returns the offset of operand @i's columns, after those of the operands before it. */
static gsize
bytes_before(const LacOpCall *call, guint i)
{
  gsize n_columns = 0;

  for (guint k = 0; k < i; k++)
    n_columns += call->inputs[k]->n_columns;
  return n_columns * lac_type_size(call->type);
}

static LacStrided
arguments(const LacOpCall *call, guint i)
{
  return (LacStrided){
    .type = call->type,
    .n_rows = call->n_points * call->node->jet.n_streams,
    .n_columns = call->inputs[i]->n_columns,
    .alpha = 1,
  };
}

static LacStatus
forward(const LacOpCall *call)
{
  LacStatus status = LAC_STATUS_OK;

  for (guint i = 0; i < call->node->n_inputs && status == LAC_STATUS_OK; i++) {
    LacStrided args = arguments(call, i);

    args.x_stride = call->inputs[i]->n_columns;
    args.y_stride = call->node->n_columns;
    args.x = call->x[i];
    args.y = (guint8 *) call->y + bytes_before(call, i);
    status = call->device.table->strided(call->device.self, &args);
  }
  return status;
}

static LacStatus
reverse(const LacOpCall *call)
{
  LacStatus status = LAC_STATUS_OK;

  for (guint i = 0; i < call->node->n_inputs && status == LAC_STATUS_OK; i++) {
    LacStrided args = arguments(call, i);

    args.beta = call->keep[i];
    args.x_stride = call->node->n_columns;
    args.y_stride = call->inputs[i]->n_columns;
    args.x = (const guint8 *) call->y_bar + bytes_before(call, i);
    args.y = call->x_bar[i];
    if (args.y)
      status = call->device.table->strided(call->device.self, &args);
  }
  return status;
}

static LacNode
build_two(LacGraph *graph, const LacNode *operands)
{
  return lac_concatenate(operands, 2);
}

static void
oracle_two(const double *const *operands, const double *theta, double *y)
{
  y[0] = operands[0][0];
  y[1] = operands[0][1];
  y[2] = operands[1][0];
}

/* Tests more operands than an op takes at once, one of them twice. */
static LacNode
build_four(LacGraph *graph, const LacNode *operands)
{
  const LacNode parts[] = {operands[1], operands[0], operands[1], lac_scale(operands[0], 2)};

  return lac_concatenate(parts, 4);
}

static void
oracle_four(const double *const *operands, const double *theta, double *y)
{
  y[0] = y[3] = operands[1][0];
  for (int i = 0; i < 2; i++) {
    y[1 + i] = operands[0][i];
    y[4 + i] = 2 * operands[0][i];
  }
}

static const LacOpCase cases[] = {
  {"two", {2, 1}, -1, 1, build_two, oracle_two},
  {"four", {2, 1}, -1, 1, build_four, oracle_four},
};

const LacOp lac_op_concatenate = {
  .name = "concatenate",
  .formula = "(a, b, c)",
  .forward = forward,
  .reverse = reverse,
  .small_forward = TRUE,
  .small_reverse = TRUE,
  .writes_bars = TRUE,
  .cases = cases,
  .n_cases = G_N_ELEMENTS(cases),
};

static LacNode
concatenate(const LacNode *parts, guint n_parts)
{
  LacNodeInfo *info = lac_graph_record(&lac_op_concatenate, parts, n_parts);

  for (guint i = 1; i < n_parts; i++)
    info->n_columns += lac_node_get_n_columns(parts[i]);
  return lac_graph_handle(parts[0].graph, info);
}

LacNode
lac_concatenate(const LacNode *parts, gsize n_parts)
{
  LacNode all;

  g_return_val_if_fail(parts && n_parts, LAC_NO_NODE);
  for (gsize i = 0; i < n_parts; i++) {
    const LacNodeInfo *first = lac_node_info(parts[0]), *info = lac_node_info(parts[i]);

    g_return_val_if_fail(info && info->kind == LAC_NODE_PER_POINT, LAC_NO_NODE);
    g_return_val_if_fail(info->set == first->set, LAC_NO_NODE);
    g_return_val_if_fail(lac_jet_equal(&info->jet, &first->jet), LAC_NO_NODE);
  }
  all = parts[0];
  for (gsize i = 1; i < n_parts; i += LAC_OP_MAX_INPUTS - 1) {
    LacNode few[LAC_OP_MAX_INPUTS] = {all};
    guint   n = 1;

    while (n < LAC_OP_MAX_INPUTS && i + n - 1 < n_parts) {
      few[n] = parts[i + n - 1];
      n++;
    }
    all = concatenate(few, n);
  }
  return all;
}
