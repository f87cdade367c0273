/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs on devices that record a step: single calls once, then replays; loss and terms are read back. */
#include "backend/recording.h"
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
  lac_device_timing_open(program);
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
    if (recorded->recordings[i].recording)
      device.table->recording_free(device.self, recorded->recordings[i].recording);
  lac_device_timing_close(program);
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
  return device.table->upload(device.self, recorded->seeds, recorded->numbers,
                              recorded->n_slots * sizeof *recorded->numbers);
}

static gboolean
is_same(const LacWanted *one, const LacWanted *other)
{
  return one->theta == other->theta && one->gradient == other->gradient &&
         one->follow == other->follow && one->user_data == other->user_data;
}

/* Returns: the index of the recording for the present arguments; LAC_MAX_RECORDINGS: none */
static guint
find_recording(const LacProgram *program)
{
  guint i = 0;

  while (i < MIN(program->recorded.n_recordings, LAC_MAX_RECORDINGS) &&
         !is_same(&program->recorded.recordings[i].wanted, &program->wanted))
    i++;
  return i < MIN(program->recorded.n_recordings, LAC_MAX_RECORDINGS) ? i : LAC_MAX_RECORDINGS;
}

/* Replaces the oldest. */
static guint
note(LacProgram *program)
{
  LacDevice    device = program->options.device;
  LacRecorded *recorded = &program->recorded;
  const guint  at = recorded->n_recordings++ % LAC_MAX_RECORDINGS;

  if (recorded->recordings[at].recording)
    device.table->recording_free(device.self, recorded->recordings[at].recording);
  recorded->recordings[at].wanted = program->wanted;
  recorded->recordings[at].recording = NULL;
  return at;
}

static LacStatus
call(LacProgram *program, const LacStep **culprit)
{
  LacDevice    device = program->options.device;
  LacRecorded *recorded = &program->recorded;
  LacStatus    status = lac_program_call(program, culprit);
  LacStrided   copy = {
      .type = program->options.type,
      .n_rows = 1,
      .n_columns = recorded->n_watched,
      .alpha = 1,
      .x = program->theta,
      .y = recorded->sums + recorded->n_slots,
  };

  if (status == LAC_STATUS_OK)
    status = lac_device_timing_mark(program, NULL, program->device_timing.name_follow);
  if (status == LAC_STATUS_OK)
    status = lac_program_conclude(program);
  if (status == LAC_STATUS_OK && recorded->n_watched)
    status = device.table->strided(device.self, &copy);
  return status == LAC_STATUS_OK ? lac_device_timing_mark(program, NULL, 0) : status;
}

static LacStatus
enqueue(gpointer program)
{
  const LacStep *culprit = NULL;

  return call(program, &culprit);
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

/* Returns TRUE when a recording with time stamps matches the present arguments; without one the step is not timed. */
static gboolean
has_timed(LacProgram *program)
{
  LacDeviceTiming *timing = &program->device_timing;

  if (timing->recording)
    return is_same(&timing->wanted, &program->wanted);
  timing->wanted = program->wanted;
  timing->is_marking = TRUE;
  lac_device_record(program->options.device, enqueue, program, &timing->recording);
  timing->is_marking = FALSE;
  if (!timing->recording)
    lac_device_timing_give_up(program);
  return timing->recording != NULL;
}

/* Replays the plain recording, or the one with time stamps; single calls without a recording. */
static LacStatus
replay(LacProgram *program, guint at, const LacStep **culprit)
{
  const LacDevice device = program->options.device;
  LacRecorded    *recorded = &program->recorded;

  if (lac_device_timing_is_due(program) && has_timed(program)) {
    lac_device_timing_requested(program);
    return device.table->replay(device.self, program->device_timing.recording);
  }
  if (!recorded->recordings[at].recording)
    recorded->is_plain =
      !lac_device_record(device, enqueue, program, &recorded->recordings[at].recording);
  return recorded->is_plain ? call(program, culprit)
                            : device.table->replay(device.self, recorded->recordings[at].recording);
}

/* One replay, recorded first if new; its sums are then in flight to the host. The first time, the kernels after the
 * gradient may not have run yet: then everything runs as single calls. */
static LacStatus
run_recorded(LacProgram *program, const LacStep **culprit)
{
  LacRecorded *recorded = &program->recorded;
  guint        at = find_recording(program);
  gboolean     is_new = !recorded->warm || (program->wanted.follow && at == LAC_MAX_RECORDINGS);
  LacStatus    status = send_seeds(program);

  *culprit = NULL;
  if (at == LAC_MAX_RECORDINGS && recorded->warm)
    at = note(program);
  if (status == LAC_STATUS_OK && (is_new || recorded->is_plain))
    status = call(program, culprit);
  else if (status == LAC_STATUS_OK)
    status = replay(program, at, culprit);
  recorded->warm = TRUE;
  recorded->n_runs++;
  return status == LAC_STATUS_OK ? send_sums(program) : status;
}

LacStatus
lac_recorded_collect(LacProgram *program, guint64 run)
{
  LacDevice    device = program->options.device;
  LacPlan     *plan = program->plan;
  LacRecorded *recorded = &program->recorded;
  LacStatus    status = LAC_STATUS_OK;
  const void  *host = NULL;

  if (recorded->readback)
    status =
      lac_readback_open(recorded->readback, &recorded->sent[run % LAC_PROGRAM_MOST_OPEN], &host);
  else if (recorded->n_bytes)
    status =
      device.table->download(device.self, recorded->numbers, recorded->sums, recorded->n_bytes);
  if (host && status == LAC_STATUS_OK)
    memcpy(recorded->numbers, host, recorded->n_bytes);
  for (guint id = 0; id < plan->n_nodes && status == LAC_STATUS_OK; id++)
    if (lac_graph_get(program->graph, id)->kind == LAC_NODE_SCALAR && plan->live[id])
      program->chunks[0].sums[id] = recorded->numbers[recorded->slots[id]];
  if (status == LAC_STATUS_OK)
    lac_device_timing_read(program, run);
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
