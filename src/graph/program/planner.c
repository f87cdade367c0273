/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan: nodes to compute, their regions, and the layout of the arena. */
#include "graph/program/program-private.h"

/* ---- weights ---- */

/* Steps of the matrices derived from parameters: whole matrices, once per replay, with their bars after those of
 * theta. */

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

/* Gradients start as zeros, so that every bar is accumulated. */
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

/* Lists the steps of the matrices. */
static void
weights_build(LacPlan *plan)
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

/* ---- planner ---- */

#define ALIGNMENT 64
/* Number of chunks whose gradients are stored until they are summed: memory against load balance. */
#define MANY_CHUNKS   16
#define FEW_CHUNKS    8
#define LARGE_NETWORK (1u << 17) /* number of parameters from which FEW_CHUNKS are used */

gsize
lac_node_length(const LacNodeInfo *info)
{
  return info->n_points * lac_node_width(info);
}

static gsize
take(LacPlan *plan, gsize n_bytes)
{
  gsize offset = plan->arena_bytes;

  plan->arena_bytes += (n_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return offset;
}

static void
mark_live(LacPlan *plan, guint id)
{
  const LacNodeInfo *info = lac_graph_get(plan->request.graph, id);

  if (plan->live[id])
    return;
  plan->live[id] = TRUE;
  for (guint i = 0; i < info->n_inputs; i++)
    mark_live(plan, info->inputs[i]);
}

/* The loss is linear in its terms, so that its derivatives with respect to them depend only on the factors. */
static void
find_coefficients(LacPlan *plan)
{
  if (!plan->request.loss.graph)
    return;
  plan->coefficient[plan->request.loss.id] = 1;
  for (guint id = plan->n_nodes; id-- > 0;) {
    const LacNodeInfo *info = lac_graph_get(plan->request.graph, id);

    if (info->kind != LAC_NODE_SCALAR || !info->numbers)
      continue;
    for (guint i = 0; i < info->n_inputs; i++)
      plan->coefficient[info->inputs[i]] += plan->coefficient[id] * info->numbers[i];
  }
}

/* Sets the seeds of all steps. */
static void
set_seeds(LacPlan *plan)
{
  find_coefficients(plan);
  for (guint i = 0; i < plan->regions->len; i++) {
    GArray *steps = g_array_index(plan->regions, LacRegion, i).steps;

    for (guint t = 0; t < steps->len; t++) {
      LacStep           *step = &g_array_index(steps, LacStep, t);
      const LacNodeInfo *info = step->node;

      step->seed = plan->coefficient[info->id] / (double) (info->n_points * info->n_columns);
    }
  }
}

static void
mark_bars(LacPlan *plan)
{
  g_autofree gboolean *trained = g_new0(gboolean, plan->n_nodes);
  g_autofree gboolean *reaches_loss = g_new0(gboolean, plan->n_nodes);

  if (!plan->request.loss.graph)
    return;
  reaches_loss[plan->request.loss.id] = TRUE;
  for (guint id = plan->n_nodes; id-- > 0;) {
    const LacNodeInfo *info = lac_graph_get(plan->request.graph, id);

    for (guint i = 0; reaches_loss[id] && i < info->n_inputs; i++)
      reaches_loss[info->inputs[i]] = TRUE;
  }
  for (guint id = 0; id < plan->n_nodes && plan->request.gradient; id++) {
    const LacNodeInfo *info = lac_graph_get(plan->request.graph, id);

    trained[id] = info->kind == LAC_NODE_PARAMETER && !info->fixed && !info->op->forward;
    for (guint i = 0; i < info->n_inputs; i++)
      trained[id] |= trained[info->inputs[i]];
    plan->wants_bar[id] = trained[id] && reaches_loss[id];
  }
}

static void
place_nodes(LacPlan *plan)
{
  gsize size = lac_type_size(plan->request.type);

  for (guint id = 0; id < plan->n_nodes; id++) {
    const LacNodeInfo *info = lac_graph_get(plan->request.graph, id);
    gboolean           kept = info->kind == LAC_NODE_PER_POINT && !info->op->forward;

    for (gsize i = 0; i < plan->request.n_outputs; i++)
      kept |= plan->request.outputs[i].id == id && info->kind == LAC_NODE_PER_POINT;
    if (kept && plan->live[id]) {
      plan->spots[id] = (LacSpot){LAC_AT_ARENA, take(plan, lac_node_length(info) * size),
                                  lac_node_width(info) * size};
    }
    if (plan->live[id] && info->kind == LAC_NODE_PARAMETER && (info->fixed || info->op->forward))
      plan->spots[id] = (LacSpot){LAC_AT_ARENA, take(plan, lac_node_length(info) * size), 0};
    plan->bar_offset[id] = info->offset;
    if (plan->live[id] && info->kind == LAC_NODE_PARAMETER && info->op->forward) {
      plan->bar_offset[id] = plan->n_bars;
      plan->n_bars += lac_node_length(info);
    }
    if (plan->live[id] && info->op->forward && info->n_numbers)
      plan->constants[id] = (LacSpot){LAC_AT_ARENA, take(plan, info->n_numbers * size), 0};
  }
}

static const LacPack *
find_pack(const LacPlan *plan, const LacNodeInfo *layer)
{
  for (guint i = 0; i < plan->packs->len; i++) {
    const LacPack *pack = &g_array_index(plan->packs, LacPack, i);

    if (lac_pack_serves(pack, layer))
      return pack;
  }
  return NULL;
}

static void
place_packs(LacPlan *plan)
{
  for (guint id = 0; id < plan->n_nodes; id++) {
    const LacNodeInfo *info = lac_graph_get(plan->request.graph, id);
    LacLayer args = {.scalar = info->scalar, .type = plan->request.type, .jet = &info->jet};
    LacPack  pack = {.node = info};
    gsize    n_bytes;

    if (!plan->live[id] || !info->op->packs || find_pack(plan, info))
      continue;
    pack.weight = lac_graph_get(plan->request.graph, info->inputs[1]);
    pack.n_in = args.n_in = pack.weight->n_columns;
    pack.n_out = args.n_out = pack.weight->n_points;
    n_bytes = plan->request.device.table->layer_pack_bytes(plan->request.device.self, &args);
    pack.forward = (LacSpot){LAC_AT_ARENA, take(plan, n_bytes), 0};
    pack.reverse = (LacSpot){LAC_AT_ARENA, take(plan, n_bytes), 0};
    g_array_append_val(plan->packs, pack);
  }
}

static void
find_regions(LacPlan *plan)
{
  for (guint id = 0; id < plan->n_nodes; id++) {
    const LacNodeInfo *info = lac_graph_get(plan->request.graph, id);
    LacRegion          region = {.set = info->set, .n_points = info->n_points};
    gboolean           known = !plan->live[id] || info->kind != LAC_NODE_PER_POINT;

    for (guint i = 0; i < plan->regions->len; i++)
      known |= g_array_index(plan->regions, LacRegion, i).set == info->set;
    if (known)
      continue;
    region.steps = g_array_new(FALSE, TRUE, sizeof(LacStep));
    g_array_append_val(plan->regions, region);
  }
}

static void
build_regions(LacPlan *plan)
{
  const LacBackend *table = plan->request.device.table;
  gsize             most_tiles = 1;

  plan->n_chunks = !table->concurrent                   ? 1
                   : plan->n_parameters < LARGE_NETWORK ? MANY_CHUNKS
                                                        : FEW_CHUNKS;
  for (guint i = 0; i < plan->regions->len; i++) {
    LacRegion *region = &g_array_index(plan->regions, LacRegion, i);

    lac_region_build(plan, region);
    most_tiles = MAX(most_tiles, region->n_tiles);
    plan->scratch_stride = MAX(plan->scratch_stride, region->scratch_bytes);
  }
  plan->n_chunks = (guint) MIN(plan->n_chunks, most_tiles);
}

LacPlan *
lac_plan_new(const LacPlanRequest *request)
{
  LacPlan *plan = g_new0(LacPlan, 1);
  gsize    vector_bytes;

  plan->request = *request;
  plan->n_nodes = request->graph->nodes->len;
  plan->n_parameters = plan->n_bars = request->graph->n_parameters;
  plan->live = g_new0(gboolean, plan->n_nodes);
  plan->wants_bar = g_new0(gboolean, plan->n_nodes);
  plan->coefficient = g_new0(double, plan->n_nodes);
  plan->bar_offset = g_new0(gsize, plan->n_nodes);
  plan->spots = g_new0(LacSpot, plan->n_nodes);
  plan->constants = g_new0(LacSpot, plan->n_nodes);
  plan->weights = g_array_new(FALSE, TRUE, sizeof(LacStep));
  plan->regions = g_array_new(FALSE, TRUE, sizeof(LacRegion));
  plan->packs = g_array_new(FALSE, TRUE, sizeof(LacPack));
  plan->timers = g_array_new(FALSE, TRUE, sizeof(LacTimer));
  plan->guards = g_array_new(FALSE, TRUE, sizeof(gsize));

  if (request->loss.graph)
    mark_live(plan, request->loss.id);
  for (gsize i = 0; i < request->n_outputs; i++)
    mark_live(plan, request->outputs[i].id);
  mark_bars(plan);
  vector_bytes = plan->n_parameters * lac_type_size(request->type);
  plan->theta_offset = take(plan, vector_bytes);
  place_nodes(plan);
  place_packs(plan);
  find_regions(plan);
  build_regions(plan);
  weights_build(plan);
  set_seeds(plan);
  plan->gradient_offset = plan->arena_bytes;
  for (guint i = 0; i < plan->n_chunks && request->gradient; i++)
    take(plan, plan->n_bars * lac_type_size(request->type));
  plan->gradient_stride =
    request->gradient ? (plan->arena_bytes - plan->gradient_offset) / plan->n_chunks : 0;
  plan->scratch_offset = plan->arena_bytes;
  for (guint i = 0; i < request->n_workers; i++)
    take(plan, plan->scratch_stride);
  plan->scratch_stride = (plan->arena_bytes - plan->scratch_offset) / request->n_workers;
  for (guint i = 0; i < plan->timers->len; i++)
    g_array_index(plan->timers, LacTimer, i).live_bytes += plan->scratch_offset;
  plan->request.outputs = NULL;
  return plan;
}

void
lac_plan_free(LacPlan *plan)
{
  if (!plan)
    return;
  for (guint i = 0; i < plan->regions->len; i++)
    g_array_unref(g_array_index(plan->regions, LacRegion, i).steps);
  for (guint i = 0; i < plan->timers->len; i++)
    g_free(g_array_index(plan->timers, LacTimer, i).name);
  g_array_unref(plan->weights);
  g_array_unref(plan->regions);
  g_array_unref(plan->packs);
  g_array_unref(plan->timers);
  g_array_unref(plan->guards);
  g_free(plan->live);
  g_free(plan->wants_bar);
  g_free(plan->coefficient);
  g_free(plan->bar_offset);
  g_free(plan->spots);
  g_free(plan->constants);
  g_free(plan);
}
