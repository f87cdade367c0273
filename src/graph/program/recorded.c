/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs on devices that record a step: single calls once, then replays; loss and terms are read back. */
#include "backend/device-log.h"
#include "graph/program/program-private.h"

#include <string.h>

/* A device with several concurrent callers has no single order to record. */
static gboolean
device_records(LacDevice device)
{
  return device.table->record_begin && !device.table->concurrent;
}

LacStatus
lac_recorded_open(LacProgram *program)
{
  LacDevice    device = program->options.device;
  LacPlan     *plan = program->plan;
  LacRecorded *recorded = &program->recorded;
  void        *memory = NULL;
  LacStatus    status;

  if (!device_records(device))
    return LAC_STATUS_OK;
  recorded->slots = g_new0(guint, plan->n_nodes + 1);
  for (guint id = 0; id < plan->n_nodes; id++)
    if (lac_graph_get(program->graph, id)->kind == LAC_NODE_SCALAR && plan->live[id])
      recorded->slots[id] = recorded->n_slots++;
  recorded->n_watched = MIN(program->options.n_watched, plan->n_parameters);
  recorded->numbers = g_new0(double, recorded->n_slots + recorded->n_watched + 1);
  recorded->n_bytes =
    recorded->n_slots * sizeof(double) + recorded->n_watched * lac_type_size(program->options.type);
  status = device.table->alloc(
    device.self, (2 * recorded->n_slots + recorded->n_watched + 1) * sizeof(double), &memory);
  if (status == LAC_STATUS_OK && recorded->n_bytes)
    recorded->readback = lac_readback_new(device, recorded->n_bytes, 1);
  recorded->sums = memory;
  recorded->seeds = recorded->sums + recorded->n_slots + recorded->n_watched;
  recorded->wanted = status == LAC_STATUS_OK;
  return status;
}

gboolean
lac_recorded_make_room(LacProgram *program)
{
  LacRecorded *recorded = &program->recorded;
  LacReadback *larger;

  if (!recorded->wanted || !recorded->readback || recorded->has_room)
    return recorded->has_room;
  larger = lac_readback_new(program->options.device, recorded->n_bytes, LAC_PROGRAM_MOST_OPEN);
  if (!larger)
    return FALSE;
  lac_readback_free(recorded->readback);
  recorded->readback = larger;
  return recorded->has_room = TRUE;
}

void
lac_recorded_close(LacProgram *program)
{
  LacDevice    device = program->options.device;
  LacRecorded *recorded = &program->recorded;

  for (guint i = 0; i < LAC_MAX_RECORDINGS; i++)
    lac_recorded_step_free(recorded->recordings[i].step);
  lac_readback_free(recorded->readback);
  if (recorded->sums)
    device.table->release(device.self, recorded->sums);
  g_free(recorded->slots);
  g_free(recorded->numbers);
}

/* Sends the derivatives of the loss with respect to the sums of its terms, as planned for the steps. */
static LacStatus
send_seeds(LacProgram *program)
{
  LacDevice    device = program->options.device;
  LacPlan     *plan = program->plan;
  LacRecorded *recorded = &program->recorded;

  if (recorded->seeds_sent || !recorded->n_slots)
    return LAC_STATUS_OK;
  for (guint id = 0; id < plan->n_nodes; id++) {
    const LacNodeInfo *info = lac_graph_get(program->graph, id);

    if (info->kind == LAC_NODE_SCALAR && plan->live[id])
      recorded->numbers[recorded->slots[id]] =
        plan->coefficient[id] / (double) (info->n_points * info->n_columns);
  }
  recorded->seeds_sent = TRUE;
  return lac_device_upload(device, recorded->seeds, recorded->numbers,
                           recorded->n_slots * sizeof *recorded->numbers);
}

static gboolean
is_same(const LacWanted *one, const LacWanted *other)
{
  return one->theta == other->theta && one->gradient == other->gradient &&
         one->follow == other->follow && one->user_data == other->user_data;
}

static LacStatus
enqueue(gpointer user_data)
{
  LacProgram  *program = user_data;
  LacDevice    device = program->options.device;
  LacRecorded *recorded = &program->recorded;
  LacStatus    status = lac_program_call(program, &recorded->culprit);
  LacStrided   copy = {
      .type = program->options.type,
      .n_rows = 1,
      .n_columns = recorded->n_watched,
      .alpha = 1,
      .x = program->theta,
      .y = recorded->sums + recorded->n_slots,
  };

  lac_program_mark(program, NULL, program->span_follow);
  if (status == LAC_STATUS_OK)
    status = lac_program_conclude(program);
  return status == LAC_STATUS_OK && recorded->n_watched ? device.table->strided(device.self, &copy)
                                                        : status;
}

/* Returns: the step for the present arguments, if it is known */
static LacRecordedStep *
find_step(const LacProgram *program)
{
  const LacRecorded *recorded = &program->recorded;

  for (guint i = 0; i < MIN(recorded->n_recordings, LAC_MAX_RECORDINGS); i++)
    if (is_same(&recorded->recordings[i].wanted, &program->wanted))
      return recorded->recordings[i].step;
  return NULL;
}

/* Replaces the oldest. */
static LacRecordedStep *
add_step(LacProgram *program)
{
  LacRecorded                  *recorded = &program->recorded;
  const guint                   at = recorded->n_recordings++ % LAC_MAX_RECORDINGS;
  const LacRecordedStepSettings settings = {
    .device = program->options.device,
    .enqueue = enqueue,
    .user_data = program,
    .perf = program->timer_names ? program->options.perf : NULL,
    .lane = program->options.lane,
  };

  lac_recorded_step_free(recorded->recordings[at].step);
  recorded->recordings[at].wanted = program->wanted;
  recorded->recordings[at].step = lac_recorded_step_new(&settings);
  return recorded->recordings[at].step;
}

static LacStatus
send_sums(LacProgram *program)
{
  LacRecorded *recorded = &program->recorded;
  LacStatus    status;

  if (!recorded->readback)
    return LAC_STATUS_OK;
  status = lac_readback_put(recorded->readback, 0, recorded->sums, recorded->n_bytes);
  return status == LAC_STATUS_OK
           ? lac_readback_send(recorded->readback,
                               &recorded->sent[recorded->n_runs % LAC_PROGRAM_MOST_OPEN])
           : status;
}

/* One step; its sums are then in flight to the host. */
static LacStatus
run_recorded(LacProgram *program, const LacStep **culprit)
{
  LacRecorded     *recorded = &program->recorded;
  LacRecordedStep *step = find_step(program);
  LacStatus        status = send_seeds(program);

  recorded->culprit = NULL;
  recorded->running = step ? step : add_step(program);
  if (status == LAC_STATUS_OK)
    status = lac_recorded_step_run(recorded->running, program->step);
  recorded->running = NULL;
  recorded->n_runs++;
  *culprit = recorded->culprit;
  return status == LAC_STATUS_OK ? send_sums(program) : status;
}

static LacStatus
read_sums(LacProgram *program, guint64 run)
{
  LacDevice    device = program->options.device;
  LacRecorded *recorded = &program->recorded;
  LacStatus    status = LAC_STATUS_OK;
  const void  *host = NULL;

  if (recorded->readback)
    status =
      lac_readback_open(recorded->readback, &recorded->sent[run % LAC_PROGRAM_MOST_OPEN], &host);
  else if (recorded->n_bytes)
    status = lac_device_download(device, recorded->numbers, recorded->sums, recorded->n_bytes);
  if (host && status == LAC_STATUS_OK)
    memcpy(recorded->numbers, host, recorded->n_bytes);
  return status;
}

LacStatus
lac_recorded_collect(LacProgram *program, guint64 run)
{
  LacPlan        *plan = program->plan;
  LacRecorded    *recorded = &program->recorded;
  const LacStatus status = read_sums(program, run);

  for (guint id = 0; id < plan->n_nodes && status == LAC_STATUS_OK; id++)
    if (lac_graph_get(program->graph, id)->kind == LAC_NODE_SCALAR && plan->live[id])
      program->chunks[0].sums[id] = recorded->numbers[recorded->slots[id]];
  return status;
}

LacStatus
lac_program_execute(LacProgram *program, const LacStep **culprit)
{
  LacDevice device = program->options.device;
  LacStatus status;

  if (program->recorded.wanted) {
    status = run_recorded(program, culprit);
    return status == LAC_STATUS_OK && !program->later
             ? lac_recorded_collect(program, program->recorded.n_runs)
             : status;
  }
  status = lac_program_call(program, culprit);
  if (status == LAC_STATUS_OK)
    status = lac_program_conclude(program);
  return status == LAC_STATUS_OK ? device.table->synchronise(device.self) : status;
}
