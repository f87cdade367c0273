/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Concurrent scopes share the peak of the process, which a beginning scope may reset. So at each begin and end the
 * present peak is recorded for all open scopes, unless it has not risen since it was last read. */
#include "perf/recorder/memory-scope.h"

#include "perf/recorder/heap.h"
#include "perf/recorder/lane.h"

#include <pthread.h>

/* Guards the process-wide peak and the list of open scopes. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static LacMemoryScope *open_scopes;
static gsize           highest; /* peak when last read, or when reset */

/* Returns the larger; a known value wins over LAC_RECORD_UNKNOWN. */
static gint64
higher(gint64 a, gint64 b)
{
  return MAX(a, b);
}

static gint64
known(gsize n_bytes)
{
  return n_bytes > 0 ? (gint64) n_bytes : LAC_RECORD_UNKNOWN;
}

static gint64
difference(gint64 end, gint64 begin)
{
  return end == LAC_RECORD_UNKNOWN || begin == LAC_RECORD_UNKNOWN ? LAC_RECORD_UNKNOWN
                                                                  : end - begin;
}

static gboolean
is_same(const LacMemoryProbe *a, const LacMemoryProbe *b)
{
  return a == b || (a != NULL && b != NULL && a->read == b->read && a->user_data == b->user_data);
}

/* Returns: bytes resident now. */
static gint64
note_resident(void)
{
  gint64 resident = known(lac_heap_get_resident());
  gsize  peak = lac_heap_get_peak();
  gint64 most = peak > highest ? higher(resident, known(peak)) : resident;

  highest = MAX(highest, peak);
  for (LacMemoryScope *scope = open_scopes; scope != NULL; scope = scope->next)
    scope->cpu_peak = higher(scope->cpu_peak, most);
  return resident;
}

static gint64
note_device(const LacMemoryProbe *probe)
{
  LacDeviceMemory memory = {LAC_RECORD_UNKNOWN, LAC_RECORD_UNKNOWN, LAC_RECORD_UNKNOWN};

  if (probe == NULL)
    return LAC_RECORD_UNKNOWN;
  probe->read(&memory, probe->user_data);
  for (LacMemoryScope *scope = open_scopes; scope != NULL; scope = scope->next) {
    if (is_same(scope->probe, probe))
      scope->gpu_peak = higher(scope->gpu_peak, higher(memory.used, memory.peak));
  }
  return memory.used;
}

static void
wait_for(const LacMemoryProbe *probe)
{
  if (probe != NULL && probe->wait != NULL)
    probe->wait(probe->user_data);
}

static void
begin_scope(LacMemoryScope *scope, const LacMemoryProbe *probe, gboolean resets)
{
  wait_for(probe);
  pthread_mutex_lock(&lock);
  gint64 resident = note_resident();
  gint64 device = note_device(probe);
  if (resets && lac_heap_reset_peak())
    highest = lac_heap_get_peak();
  if (probe != NULL)
    probe->reset_peak(probe->user_data);
  *scope = (LacMemoryScope){
    .next = open_scopes,
    .probe = probe,
    .cpu_begin = resident,
    .cpu_peak = resident,
    .gpu_begin = device,
    .gpu_peak = device,
  };
  if (open_scopes != NULL)
    open_scopes->previous = scope;
  open_scopes = scope;
  pthread_mutex_unlock(&lock);
}

void
lac_memory_scope_begin(LacMemoryScope *scope, const LacMemoryProbe *probe)
{
  g_return_if_fail(scope != NULL);
  begin_scope(scope, probe, TRUE);
}

void
lac_memory_scope_begin_light(LacMemoryScope *scope, const LacMemoryProbe *probe)
{
  g_return_if_fail(scope != NULL);
  begin_scope(scope, probe, FALSE);
}

void
lac_memory_scope_end(LacMemoryScope *scope, LacMemoryChange *change)
{
  g_return_if_fail(scope != NULL && change != NULL);
  wait_for(scope->probe);
  pthread_mutex_lock(&lock);
  gint64 resident = note_resident();
  gint64 device = note_device(scope->probe);
  if (scope->next != NULL)
    scope->next->previous = scope->previous;
  if (scope->previous != NULL)
    scope->previous->next = scope->next;
  else
    open_scopes = scope->next;
  pthread_mutex_unlock(&lock);
  *change = (LacMemoryChange){
    .cpu_delta = difference(resident, scope->cpu_begin),
    .cpu_peak = scope->cpu_peak,
    .gpu_delta = difference(device, scope->gpu_begin),
    .gpu_peak = scope->gpu_peak,
  };
}

void
lac_memory_span_begin(LacMemorySpan *self, LacLane *lane, guint32 name, const LacMemoryProbe *probe)
{
  g_return_if_fail(self != NULL);
  if (lac_lane_is_recording(lane))
    lac_memory_scope_begin(&self->scope, probe);
  self->span = lac_span_begin(lane, name);
}

void
lac_memory_span_begin_light(LacMemorySpan        *self,
                            LacLane              *lane,
                            guint32               name,
                            const LacMemoryProbe *probe)
{
  g_return_if_fail(self != NULL);
  if (lac_lane_is_recording(lane))
    lac_memory_scope_begin_light(&self->scope, probe);
  self->span = lac_span_begin(lane, name);
}

void
lac_memory_span_end(LacMemorySpan *self, LacLane *lane, gint64 step)
{
  LacMemoryChange change;

  g_return_if_fail(self != NULL);
  if (!lac_lane_is_recording(lane))
    return;
  wait_for(self->scope.probe);
  LacRecord record = lac_lane_end_span(lane, self->span, step);
  lac_memory_scope_end(&self->scope, &change);
  record.kind = LAC_RECORD_MEMORY;
  record.cpu_delta = change.cpu_delta;
  record.cpu_peak = change.cpu_peak;
  record.gpu_delta = change.gpu_delta;
  record.gpu_peak = change.gpu_peak;
  lac_lane_push(lane, record);
}
