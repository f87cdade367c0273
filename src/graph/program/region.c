/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One region of the plan: its forward and reverse calls, and the scratch of a tile allocated by lifetimes. */
#include "graph/program/program-private.h"

#include <string.h>
#include <unistd.h>

#define ALIGNMENT         64
#define MOST_TILE_POINTS  512
#define LEAST_TILE_POINTS 8
#define DEFAULT_L2_BYTES  (1 << 20)

/* Scratch of a tile: alive from the call that first writes it to the one that last reads it. */
typedef struct {
  gsize    width; /* elements per point */
  guint    birth, death;
  gsize    offset;
  gboolean placed;
} Buffer;

typedef struct {
  LacPlan   *plan;
  LacRegion *region;
  GArray    *buffers;           /* Buffer */
  guint     *y, *saved, *y_bar; /* [n_nodes] index + 1 of the buffer; 0: none yet */
} Builder;

static LacSpot
buffer_spot(Builder *builder, guint *slot, gsize width)
{
  guint   now = builder->region->steps->len;
  Buffer *buffer;

  if (!*slot) {
    Buffer fresh = {.width = width, .birth = now};

    g_array_append_val(builder->buffers, fresh);
    *slot = builder->buffers->len;
  }
  buffer = &g_array_index(builder->buffers, Buffer, *slot - 1);
  buffer->death = now;
  return (LacSpot){LAC_AT_TILE, *slot - 1, 0};
}

static LacSpot
value_spot(Builder *builder, const LacNodeInfo *info)
{
  if (info->kind == LAC_NODE_PARAMETER && !builder->plan->spots[info->id].place)
    return (LacSpot){LAC_AT_THETA, info->offset * lac_type_size(builder->plan->request.type), 0};
  if (builder->plan->spots[info->id].place)
    return builder->plan->spots[info->id];
  return buffer_spot(builder, &builder->y[info->id], lac_node_width(info));
}

/* Assigns the bar into which the reverse of @step accumulates for operand @i, and whether it is already initialised. */
static void
place_bar(Builder *builder, LacStep *step, guint i)
{
  const LacNodeInfo *input = step->inputs[i];

  if (!builder->plan->wants_bar[input->id])
    return;
  step->keep[i] = 1;
  if (input->kind == LAC_NODE_PARAMETER) {
    step->x_bar[i] = (LacSpot){
      LAC_AT_GRADIENT,
      builder->plan->bar_offset[input->id] * lac_type_size(builder->plan->request.type), 0};
    return;
  }
  if (!builder->y_bar[input->id]) {
    if (step->node->op->writes_bars)
      step->keep[i] = 0;
    else
      step->zero[i] = lac_node_width(input);
  }
  step->x_bar[i] = buffer_spot(builder, &builder->y_bar[input->id], lac_node_width(input));
}

gboolean
lac_pack_serves(const LacPack *pack, const LacNodeInfo *layer)
{
  return pack->weight->id == layer->inputs[1] && pack->node->scalar == layer->scalar &&
         lac_jet_equal(&pack->node->jet, &layer->jet);
}

static void
place_pack(Builder *builder, LacStep *step)
{
  for (guint i = 0; i < builder->plan->packs->len; i++) {
    const LacPack *pack = &g_array_index(builder->plan->packs, LacPack, i);

    if (!lac_pack_serves(pack, step->node))
      continue;
    step->packed_forward = pack->forward;
    step->packed_reverse = pack->reverse;
  }
}

static char *
step_name(const LacStep *step)
{
  GString    *text = g_string_new(step->node->op->name);
  const char *scalars[] = {
#define LAC_SCALAR(ID, name, f, d1, d2, d3, d4, d5) #name,
#include "backend/scalar-ops.def"
#undef LAC_SCALAR
  };
  gboolean elementwise = step->node->op->reads_output || step->node->op->packs;

  if (elementwise)
    g_string_append_printf(text, " %s", scalars[step->node->scalar]);
  if (step->inputs[1] && step->inputs[1]->kind == LAC_NODE_PARAMETER)
    g_string_append_printf(text, " %zux%zu", step->inputs[0]->n_columns, step->node->n_columns);
  else
    g_string_append_printf(text, " %zu", step->node->n_columns);
  if (step->way != LAC_STEP_PLAIN)
    g_string_append(text, step->way == LAC_STEP_FUSED ? " fused" : " composed");
  g_string_append(text, step->reverse ? " reverse" : " forward");
  return g_string_free(text, FALSE);
}

static double
step_flops(const LacStep *step)
{
  const LacNodeInfo *inputs[LAC_OP_MAX_INPUTS];

  memcpy(inputs, step->inputs, sizeof inputs);
  if (step->node->op->flops)
    return step->node->op->flops(step->node, inputs, step->reverse);
  return (step->reverse ? 2.0 : 1.0) * (double) lac_node_width(step->node);
}

/* Elements per point. */
static gsize
step_elements(const LacStep *step)
{
  const LacOpPasses  passes = {step->reverse, step->way == LAC_STEP_FUSED, step->saved.place,
                               step->x_bar[0].place};
  const LacNodeInfo *inputs[LAC_OP_MAX_INPUTS];
  gsize              elements = lac_node_width(step->node);

  memcpy(inputs, step->inputs, sizeof inputs);
  if (step->way != LAC_STEP_PLAIN && step->node->op->moved)
    return step->node->op->moved(step->node, inputs, &passes);
  for (guint k = 0; k < LAC_OP_MAX_INPUTS && inputs[k]; k++)
    if (inputs[k]->kind == LAC_NODE_PER_POINT || step->node->kind == LAC_NODE_PARAMETER)
      elements += lac_node_width(inputs[k]);
  return elements * (step->reverse ? 2 : 1);
}

guint
lac_plan_timer(LacPlan *plan, const LacStep *step, gsize n_points)
{
  g_autofree char *name = step_name(step);
  GArray          *timers = plan->timers;
  guint            i = 0;
  LacTimer        *timer;

  while (i < timers->len && strcmp(g_array_index(timers, LacTimer, i).name, name) != 0)
    i++;
  if (i == timers->len) {
    LacTimer fresh = {.name = g_steal_pointer(&name)};

    g_array_append_val(timers, fresh);
  }
  timer = &g_array_index(timers, LacTimer, i);
  timer->flops += (double) n_points * step_flops(step);
  timer->bytes += (double) (n_points * step_elements(step) * lac_type_size(plan->request.type));
  return i;
}

static gboolean
has_reverse(const LacPlan *plan, const LacNodeInfo *info)
{
  return plan->wants_bar[info->id] && info->op->reverse;
}

/* Selects the variant. The fused reverse requires x_bar. */
static LacStepWay
choose_way(const Builder *builder, const LacStep *step)
{
  const LacPlanRequest *request = &builder->plan->request;
  const LacBackend     *table = request->device.table;
  const LacLayer        layer = {.scalar = step->node->scalar,
                                 .type = request->type,
                                 .jet = &step->node->jet,
                                 .n_points = builder->region->n_points,
                                 .n_in = step->inputs[0]->n_columns,
                                 .n_out = step->node->n_columns};
  LacFusion             fusion;

  if (!table->layer_fusion)
    return LAC_STEP_PLAIN;
  if (request->without & LAC_WITHOUT_FUSED_JETS || (step->reverse && !step->x_bar[0].place))
    return LAC_STEP_COMPOSED;
  fusion = table->layer_fusion(request->device.self, &layer, step->reverse);
  if (request->without & LAC_WITHOUT_FUSION_RULE)
    return fusion == LAC_FUSION_NONE ? LAC_STEP_COMPOSED : LAC_STEP_FUSED;
  return fusion == LAC_FUSION_PAYS ? LAC_STEP_FUSED : LAC_STEP_COMPOSED;
}

static void
add_step(Builder *builder, const LacNodeInfo *info, gboolean reverse)
{
  LacPlan     *plan = builder->plan;
  const LacOp *op = info->op;
  LacStep      step = {.node = info, .reverse = reverse};

  for (guint i = 0; i < info->n_inputs; i++) {
    step.inputs[i] = lac_graph_get(plan->request.graph, info->inputs[i]);
    if (!reverse || op->reads_inputs)
      step.x[i] = value_spot(builder, step.inputs[i]);
    if (reverse)
      place_bar(builder, &step, i);
  }
  if (info->kind == LAC_NODE_PER_POINT && (!reverse || op->reads_output))
    step.y = value_spot(builder, info);
  if (info->kind == LAC_NODE_PER_POINT && reverse)
    step.y_bar = buffer_spot(builder, &builder->y_bar[info->id], lac_node_width(info));
  if (op->packs)
    step.way = choose_way(builder, &step);
  if (op->saves && (step.way != LAC_STEP_FUSED || has_reverse(plan, info)))
    step.saved = buffer_spot(builder, &builder->saved[info->id], lac_node_width(info));
  if (op->packs)
    place_pack(builder, &step);
  step.constants = plan->constants[info->id];
  step.timer = lac_plan_timer(plan, &step, builder->region->n_points);
  g_array_append_val(builder->region->steps, step);
}

static gsize
buffer_bytes(const Builder *builder, const Buffer *buffer, gsize tile_points)
{
  gsize n_bytes = buffer->width * tile_points * lac_type_size(builder->plan->request.type);

  return (n_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + builder->plan->request.guard_bytes;
}

static gboolean
overlap(const Builder *builder, const Buffer *a, const Buffer *b)
{
  return builder->plan->request.guard_bytes || (a->birth <= b->death && b->birth <= a->death);
}

/* First fit, in order of birth: the lowest gap between the buffers alive at the same time. Returns: the total bytes
 * for tiles of @tile_points. */
static gsize
place_buffers(Builder *builder, gsize tile_points)
{
  gsize total = 0;

  for (guint i = 0; i < builder->buffers->len; i++) {
    Buffer  *buffer = &g_array_index(builder->buffers, Buffer, i);
    gsize    n_bytes = buffer_bytes(builder, buffer, tile_points);
    gboolean moved = TRUE;

    buffer->offset = 0;
    while (moved) {
      moved = FALSE;
      for (guint j = 0; j < i; j++) {
        const Buffer *other = &g_array_index(builder->buffers, Buffer, j);
        gsize         end = other->offset + buffer_bytes(builder, other, tile_points);

        if (overlap(builder, buffer, other) && other->offset < buffer->offset + n_bytes &&
            buffer->offset < end) {
          buffer->offset = end;
          moved = TRUE;
        }
      }
    }
    total = MAX(total, buffer->offset + n_bytes);
  }
  return total;
}

static gsize
l2_bytes(void)
{
  long answer = sysconf(_SC_LEVEL2_CACHE_SIZE);

  return answer > 0 ? (gsize) answer : DEFAULT_L2_BYTES;
}

/* Small networks get large tiles, so that call overhead vanishes; large ones tiles that fit in the cache with a
 * layer's weights. */
static gsize
choose_tile(Builder *builder)
{
  const LacPlanRequest *request = &builder->plan->request;
  gsize                 n_points = builder->region->n_points, tile;

  if (request->tile_points)
    return MIN(request->tile_points, n_points);
  if (request->whole)
    return (n_points + request->n_workers - 1) / request->n_workers;
  if (!request->device.table->tile_points)
    return n_points;
  tile = (n_points + builder->plan->n_chunks - 1) / builder->plan->n_chunks;
  tile = CLAMP(tile, 4 * LEAST_TILE_POINTS, MOST_TILE_POINTS);
  tile = (tile + LEAST_TILE_POINTS - 1) / LEAST_TILE_POINTS * LEAST_TILE_POINTS;
  while (tile > LEAST_TILE_POINTS && place_buffers(builder, tile) > l2_bytes() * 3 / 4)
    tile = MAX(tile / 2 / LEAST_TILE_POINTS * LEAST_TILE_POINTS, LEAST_TILE_POINTS);
  return tile;
}

static void
settle_spot(const Builder *builder, LacSpot *spot)
{
  if (spot->place == LAC_AT_TILE)
    spot->offset = g_array_index(builder->buffers, Buffer, spot->offset).offset;
}

/* Replaces buffer indices by offsets and records the live bytes of each call. */
static void
settle(Builder *builder)
{
  GArray *steps = builder->region->steps;

  for (guint t = 0; t < steps->len; t++) {
    LacStep  *step = &g_array_index(steps, LacStep, t);
    LacTimer *timer = &g_array_index(builder->plan->timers, LacTimer, step->timer);
    gsize     alive = 0;

    for (guint i = 0; i < LAC_OP_MAX_INPUTS; i++) {
      settle_spot(builder, &step->x[i]);
      settle_spot(builder, &step->x_bar[i]);
    }
    settle_spot(builder, &step->y);
    settle_spot(builder, &step->y_bar);
    settle_spot(builder, &step->saved);
    for (guint i = 0; i < builder->buffers->len; i++) {
      const Buffer *buffer = &g_array_index(builder->buffers, Buffer, i);

      if (buffer->birth <= t && t <= buffer->death)
        alive += buffer_bytes(builder, buffer, builder->region->tile_points);
    }
    timer->live_bytes = MAX(timer->live_bytes, alive * builder->plan->request.n_workers);
    timer->calls += builder->region->n_tiles;
  }
}

static void
note_guards(Builder *builder)
{
  gsize guard = builder->plan->request.guard_bytes;

  for (guint i = 0; i < builder->buffers->len && guard; i++) {
    const Buffer *buffer = &g_array_index(builder->buffers, Buffer, i);
    gsize         offset =
      buffer->offset + buffer_bytes(builder, buffer, builder->region->tile_points) - guard;

    g_array_append_val(builder->plan->guards, offset);
  }
}

void
lac_region_build(LacPlan *plan, LacRegion *region)
{
  g_autoptr(GArray)    buffers = g_array_new(FALSE, TRUE, sizeof(Buffer));
  g_autofree guint    *slots = g_new0(guint, 3 * plan->n_nodes);
  g_autoptr(GPtrArray) order = g_ptr_array_new();
  Builder              builder = {
                 plan, region, buffers, slots, slots + plan->n_nodes, slots + 2 * plan->n_nodes};

  for (guint id = 0; id < plan->n_nodes; id++) {
    LacNodeInfo *info = lac_graph_get(plan->request.graph, id);

    if (plan->live[id] && info->kind != LAC_NODE_PARAMETER && info->set == region->set &&
        info->op->forward)
      g_ptr_array_add(order, info);
  }
  for (guint i = 0; i < order->len; i++)
    add_step(&builder, g_ptr_array_index(order, i), FALSE);
  for (guint i = order->len; i-- > 0;) {
    if (has_reverse(plan, g_ptr_array_index(order, i)))
      add_step(&builder, g_ptr_array_index(order, i), TRUE);
  }
  region->tile_points = choose_tile(&builder);
  region->n_tiles = (region->n_points + region->tile_points - 1) / region->tile_points;
  region->scratch_bytes = place_buffers(&builder, region->tile_points);
  settle(&builder);
  note_guards(&builder);
}
