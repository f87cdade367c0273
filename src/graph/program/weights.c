/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of the matrices made of parameters: whole matrices, once a replay, their bars behind those of theta. */
#include "graph/program/program-private.h"

static LacSpot
value_spot(const LacPlan *plan, const LacNodeInfo *info)
{
  if (plan->spots[info->id].place)
    return plan->spots[info->id];
  return (LacSpot){LAC_AT_THETA, info->offset * lac_type_size(plan->request.type), 0};
}

static LacSpot
bar_spot(const LacPlan *plan, const LacNodeInfo *info)
{
  gsize offset = plan->bar_offset[info->id] * lac_type_size(plan->request.type);

  return plan->wants_bar[info->id] ? (LacSpot){LAC_AT_GRADIENT, offset, 0} : (LacSpot){0};
}

/* Gradients begin as zeros, so that every bar is added to. */
static void
add_step(LacPlan *plan, const LacNodeInfo *info, gboolean reverse)
{
  LacStep step = {.node = info, .reverse = reverse, .y = value_spot(plan, info)};

  g_assert(!info->op->saves && !info->op->packs);
  for (guint i = 0; i < info->n_inputs; i++) {
    step.inputs[i] = lac_graph_get(plan->request.graph, info->inputs[i]);
    step.x[i] = value_spot(plan, step.inputs[i]);
    if (reverse)
      step.x_bar[i] = bar_spot(plan, step.inputs[i]);
    step.keep[i] = 1;
  }
  if (reverse)
    step.y_bar = bar_spot(plan, info);
  step.constants = plan->constants[info->id];
  step.timer = lac_plan_timer(plan, &step, info->n_points);
  g_array_index(plan->timers, LacTimer, step.timer).calls++;
  g_array_append_val(plan->weights, step);
}

void
lac_weights_build(LacPlan *plan)
{
  g_autoptr(GPtrArray) order = g_ptr_array_new();

  for (guint id = 0; id < plan->n_nodes; id++) {
    LacNodeInfo *info = lac_graph_get(plan->request.graph, id);

    if (plan->live[id] && info->kind == LAC_NODE_PARAMETER && info->op->forward)
      g_ptr_array_add(order, info);
  }
  for (guint i = 0; i < order->len; i++)
    add_step(plan, g_ptr_array_index(order, i), FALSE);
  for (guint i = order->len; i-- > 0;) {
    const LacNodeInfo *info = g_ptr_array_index(order, i);

    if (plan->wants_bar[info->id] && info->op->reverse)
      add_step(plan, info, TRUE);
  }
}
