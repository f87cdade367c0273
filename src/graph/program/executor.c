/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The replay: packing, tiles over the pool, pairwise reduction of the chunks' gradients. Nothing here allocates. */
#include "base/clock.h"
#include "graph/program/program-private.h"

#include <string.h>

#define REDUCE_ELEMENTS 4096 /* elements of the gradient reduced per item */

typedef struct {
  LacProgram *program;
  LacChunk   *chunk;
  LacWorker  *worker;
  guint8     *bases[LAC_N_PLACES];
} Work;

static inline void *
resolve(const Work *work, const LacSpot *spot, gsize first_point)
{
  return spot->place ? work->bases[spot->place] + spot->offset + spot->stride * first_point : NULL;
}

static LacStatus
zero_bars(const LacOpCall *call, const LacStep *step)
{
  for (guint i = 0; i < LAC_OP_MAX_INPUTS; i++) {
    LacStatus status = LAC_STATUS_OK;

    if (step->zero[i])
      status = call->device.table->fill(call->device.self, call->type, call->x_bar[i], 0,
                                        call->n_points * step->zero[i]);
    if (status != LAC_STATUS_OK)
      return status;
  }
  return LAC_STATUS_OK;
}

static LacStatus
run_step(const Work *work, const LacStep *step, gsize first_point, gsize n_points)
{
  const LacRecorded *recorded = &work->program->recorded;
  LacOpCall          call;

  call.device = work->program->options.device;
  call.type = work->program->options.type;
  call.n_points = n_points;
  call.node = step->node;
  call.inputs = (const LacNodeInfo **) step->inputs;
  for (guint i = 0; i < LAC_OP_MAX_INPUTS; i++) {
    call.x[i] = resolve(work, &step->x[i], first_point);
    call.x_bar[i] = resolve(work, &step->x_bar[i], first_point);
    call.keep[i] = step->keep[i];
  }
  call.y = resolve(work, &step->y, first_point);
  call.y_bar = resolve(work, &step->y_bar, first_point);
  call.saved = resolve(work, &step->saved, first_point);
  call.fused = step->way == LAC_STEP_FUSED;
  call.constants = resolve(work, &step->constants, 0);
  call.packed_forward = resolve(work, &step->packed_forward, 0);
  call.packed_reverse = resolve(work, &step->packed_reverse, 0);
  call.sum = &work->chunk->sums[step->node->id];
  call.seed = step->seed;
  call.device_sum = NULL;
  call.device_seed = NULL;
  if (recorded->wanted && step->node->kind == LAC_NODE_SCALAR) {
    call.device_sum = recorded->sums + recorded->slots[step->node->id];
    call.device_seed = recorded->seeds + recorded->slots[step->node->id];
    call.seed = 1;
  }
  if (step->reverse) {
    LacStatus status = zero_bars(&call, step);

    return status == LAC_STATUS_OK ? step->node->op->reverse(&call) : status;
  }
  return step->node->op->forward(&call);
}

void
lac_program_mark(LacProgram *program, const LacStep *step, guint32 name)
{
  LacDeviceOperation operation = {.name = name, .memory = -1};

  if (!program->recorded.running || !program->timer_names)
    return;
  if (step) {
    const LacTimer *timer = &g_array_index(program->plan->timers, LacTimer, step->timer);
    const double    calls = (double) MAX(timer->calls, 1);

    operation.name = program->timer_names[step->timer];
    operation.flops = timer->flops / calls;
    operation.bytes = timer->bytes / calls;
    operation.memory = (gint64) timer->live_bytes;
  }
  lac_device_times_mark(lac_recorded_step_get_times(program->recorded.running), &operation);
}

/* Begins a merged group at the first small step, ends it before the first step that is not. */
static LacStatus
keep_together(LacProgram *program, const LacStep *step, gsize n_points, gboolean *together)
{
  const LacDevice device = program->options.device;
  const LacOp    *op = step ? step->node->op : NULL;
  const gboolean  wanted = device.table->together_begin && op &&
                          !(program->options.without & LAC_WITHOUT_TOGETHER) &&
                          (step->reverse ? op->small_reverse : op->small_forward);

  if (wanted == *together)
    return LAC_STATUS_OK;
  *together = wanted;
  return wanted ? device.table->together_begin(device.self, n_points)
                : device.table->together_end(device.self);
}

/* @stands_for: number of tiles its time represents; 0: not timed. */
static LacStatus
run_tile(const Work      *work,
         const LacRegion *region,
         gsize            first_point,
         gsize            n_points,
         double           stands_for)
{
  const LacStep *steps = (const LacStep *) (gpointer) region->steps->data;
  const gboolean timed = stands_for > 0;
  guint64        before = timed ? lac_clock_ticks() : 0;
  gboolean       together = FALSE;

  for (guint i = 0; i < region->steps->len; i++) {
    const gboolean was_together = together;
    LacStatus      status = keep_together(work->program, &steps[i], n_points, &together);

    if (!together || !was_together)
      lac_program_mark(work->program, together ? NULL : &steps[i], work->program->span_small);
    if (status == LAC_STATUS_OK)
      status = run_step(work, &steps[i], first_point, n_points);
    if (status != LAC_STATUS_OK) {
      work->chunk->culprit = &steps[i];
      keep_together(work->program, NULL, n_points, &together);
      return status;
    }
    if (timed) {
      guint64 now = lac_clock_ticks();

      work->worker->tile_ticks[steps[i].timer] += stands_for * (double) (now - before);
      before = now;
    }
  }
  return keep_together(work->program, NULL, n_points, &together);
}

/* A chunk is the same fraction of every region, so that one gradient serves them all. */
static LacStatus
run_regions(const Work *work, gsize chunk)
{
  LacProgram *program = work->program;
  LacPlan    *plan = program->plan;

  for (guint i = 0; i < plan->regions->len; i++) {
    const LacRegion *region = &g_array_index(plan->regions, LacRegion, i);
    gsize            begin = region->n_tiles * chunk / plan->n_chunks;
    gsize            end = region->n_tiles * (chunk + 1) / plan->n_chunks;

    for (gsize tile = begin; tile < end; tile++) {
      gsize     first = tile * region->tile_points;
      gsize     n = MIN(region->tile_points, region->n_points - first);
      LacSpan   span = {0};
      LacStatus status;

      if (program->tile_spans)
        span = lac_span_begin(work->worker->lane, program->span_tile);
      status = run_tile(work, region, first, n, lac_program_tiles_timed(program, region, tile));
      if (program->tile_spans)
        lac_span_end(work->worker->lane, span, program->step);
      if (status != LAC_STATUS_OK)
        return status;
    }
  }
  return LAC_STATUS_OK;
}

/* Computes the matrices derived from parameters: before the tiles, and in reverse after the chunks are summed. */
static LacStatus
run_weights(LacProgram *program, gboolean reverse, const LacStep **culprit)
{
  LacPlan *plan = program->plan;
  Work     work = {.program = program, .chunk = &program->chunks[0], .worker = program->workers};

  work.bases[LAC_AT_ARENA] = program->arena;
  work.bases[LAC_AT_THETA] = (guint8 *) program->theta;
  work.bases[LAC_AT_GRADIENT] = program->arena + plan->gradient_offset;
  for (guint i = 0; i < plan->weights->len; i++) {
    const LacStep *step = &g_array_index(plan->weights, LacStep, i);
    guint64        before = program->timed ? lac_clock_ticks() : 0;
    LacStatus      status;

    if (step->reverse != reverse)
      continue;
    status = run_step(&work, step, 0, step->node->n_points);
    if (status != LAC_STATUS_OK) {
      *culprit = step;
      return status;
    }
    if (program->timed)
      work.worker->weight_ticks[step->timer] += lac_clock_ticks() - before;
  }
  return LAC_STATUS_OK;
}

static void
run_chunk(gsize item, guint worker, gpointer user_data)
{
  LacProgram *program = user_data;
  LacPlan    *plan = program->plan;
  LacDevice   device = program->options.device;
  LacChunk   *chunk = &program->chunks[item];
  Work        work = {.program = program, .chunk = chunk, .worker = &program->workers[worker]};
  guint64     before = program->timed ? lac_clock_ticks() : 0;

  work.bases[LAC_AT_TILE] = program->arena + plan->scratch_offset + worker * plan->scratch_stride;
  work.bases[LAC_AT_ARENA] = program->arena;
  work.bases[LAC_AT_THETA] = (guint8 *) program->theta;
  work.bases[LAC_AT_GRADIENT] =
    program->arena + plan->gradient_offset + item * plan->gradient_stride;
  memset(chunk->sums, 0, plan->n_nodes * sizeof *chunk->sums);
  chunk->culprit = NULL;
  chunk->status = LAC_STATUS_OK;
  if (program->recorded.n_slots)
    chunk->status = device.table->fill(device.self, LAC_F64, program->recorded.sums, 0,
                                       program->recorded.n_slots);
  if (program->options.gradient && chunk->status == LAC_STATUS_OK) {
    chunk->status = device.table->fill(device.self, program->options.type,
                                       work.bases[LAC_AT_GRADIENT], 0, plan->n_bars);
  }
  if (chunk->status == LAC_STATUS_OK)
    chunk->status = run_regions(&work, item);
  if (program->timed)
    work.worker->chunk_ticks += lac_clock_ticks() - before;
}

static const void *
matrix(const LacProgram *program, const LacNodeInfo *info)
{
  const LacSpot *spot = &program->plan->spots[info->id];

  return spot->place ? program->arena + spot->offset
                     : program->theta + info->offset * lac_type_size(program->options.type);
}

static void
pack_weight(gsize item, guint worker, gpointer user_data)
{
  LacProgram    *program = user_data;
  LacDevice      device = program->options.device;
  const LacPack *pack = &g_array_index(program->plan->packs, LacPack, item);
  LacLayer       args = {
          .scalar = pack->node->scalar,
          .type = program->options.type,
          .jet = &pack->node->jet,
          .n_in = pack->n_in,
          .n_out = pack->n_out,
          .w = matrix(program, pack->weight),
  };
  LacStatus status =
    device.table->layer_pack(device.self, &args, program->arena + pack->forward.offset,
                             program->arena + pack->reverse.offset);

  if (status != LAC_STATUS_OK)
    program->pack_status[item] = status;
}

/* Adds pairs of neighbours, then pairs of pairs: the order of summation is independent of threads. */
static void
reduce_range(gsize item, guint worker, gpointer user_data)
{
  LacProgram *program = user_data;
  LacPlan    *plan = program->plan;
  LacDevice   device = program->options.device;
  gsize       first = item * REDUCE_ELEMENTS;
  guint8     *base =
    program->arena + plan->gradient_offset + first * lac_type_size(program->options.type);
  LacStrided args = {
    .type = program->options.type,
    .n_rows = 1,
    .n_columns = MIN(REDUCE_ELEMENTS, plan->n_bars - first),
    .alpha = 1,
    .beta = 1,
  };

  for (guint reach = 1; reach < plan->n_chunks; reach *= 2) {
    for (guint i = 0; i + reach < plan->n_chunks; i += 2 * reach) {
      args.x = base + (i + reach) * plan->gradient_stride;
      args.y = base + i * plan->gradient_stride;
      device.table->strided(device.self, &args);
    }
  }
}

static void
over_pool(LacProgram *program, gsize n_items, LacPoolFunc func)
{
  if (program->options.device.table->concurrent && program->options.pool) {
    lac_pool_run(program->options.pool, n_items, func, program);
    return;
  }
  for (gsize i = 0; i < n_items; i++)
    func(i, 0, program);
}

static LacSpan
begin(LacProgram *program, guint32 name)
{
  return program->timed ? lac_span_begin(program->options.lane, name) : (LacSpan){0};
}

static void
end(LacProgram *program, LacSpan span)
{
  if (program->timed)
    lac_span_end(program->options.lane, span, program->step);
}

static LacStatus
pack_weights(LacProgram *program)
{
  memset(program->pack_status, 0, program->plan->packs->len * sizeof *program->pack_status);
  over_pool(program, program->plan->packs->len, pack_weight);
  for (guint i = 0; i < program->plan->packs->len; i++) {
    if (program->pack_status[i] != LAC_STATUS_OK)
      return program->pack_status[i];
  }
  return LAC_STATUS_OK;
}

LacStatus
lac_program_call(LacProgram *program, const LacStep **culprit)
{
  LacPlan  *plan = program->plan;
  LacSpan   span = begin(program, program->span_pack);
  LacStatus status;

  *culprit = NULL;
  lac_program_mark(program, NULL, program->span_pack);
  status = run_weights(program, FALSE, culprit);
  if (status == LAC_STATUS_OK)
    status = pack_weights(program);
  end(program, span);
  if (status != LAC_STATUS_OK)
    return status;
  span = begin(program, program->span_tiles);
  over_pool(program, plan->n_chunks, run_chunk);
  end(program, span);
  for (guint i = 0; i < plan->n_chunks; i++) {
    *culprit = program->chunks[i].culprit;
    if (program->chunks[i].status != LAC_STATUS_OK)
      return program->chunks[i].status;
  }
  if (program->options.gradient && program->plan->weights->len > 0)
    lac_program_mark(program, NULL, program->span_reduce);
  if (program->options.gradient && status == LAC_STATUS_OK) {
    span = begin(program, program->span_reduce);
    over_pool(program, (plan->n_bars + REDUCE_ELEMENTS - 1) / REDUCE_ELEMENTS, reduce_range);
    status = run_weights(program, TRUE, culprit);
    end(program, span);
  }
  return status;
}

LacStatus
lac_program_conclude(LacProgram *program)
{
  LacDevice        device = program->options.device;
  const LacWanted *wanted = &program->wanted;
  LacStatus        status = LAC_STATUS_OK;
  const LacStrided copy = {
    .type = program->options.type,
    .n_rows = 1,
    .n_columns = program->plan->n_parameters,
    .alpha = 1,
    .x = program->arena + program->plan->gradient_offset,
    .y = wanted->gradient,
  };

  if (wanted->gradient)
    status = device.table->strided(device.self, &copy);
  if (status == LAC_STATUS_OK && wanted->follow)
    status = wanted->follow(wanted->user_data);
  return status;
}
