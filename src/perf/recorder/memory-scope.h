/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory use of a scope of work: resident bytes and their peak, reported by the system, and device memory, reported
 * by the device's owner. The resident peak is that of the whole process and so includes concurrent work elsewhere. */
#pragma once

#include "perf/recorder/perf.h"

#include <glib.h>

G_BEGIN_DECLS

/* Memory of a device in bytes, or LAC_RECORD_UNKNOWN. */
typedef struct {
  gint64 used, reserved; /* in use; in use and cached by the allocator */
  gint64 peak;           /* peak use since the last reset */
} LacDeviceMemory;

/* Callbacks of a device's owner, called by the threads that open and close scopes, never by two threads at once. */
typedef struct {
  void (*read)(LacDeviceMemory *memory, gpointer user_data);
  void (*reset_peak)(gpointer user_data);
  void (*wait)(
    gpointer
      user_data); /* (nullable): waits until the device is idle, so that a span includes its device work */
  gpointer user_data;
} LacMemoryProbe;

/* Change and peak of memory in a scope, in bytes, or LAC_RECORD_UNKNOWN. */
typedef struct {
  gint64 cpu_delta, cpu_peak;
  gint64 gpu_delta, gpu_peak;
} LacMemoryChange;

/* An open scope. Must not move between begin and end. Scopes may nest and overlap, in any thread: a peak counts for
 * every scope that is open at the time. */
typedef struct _LacMemoryScope LacMemoryScope;
struct _LacMemoryScope {
  LacMemoryScope       *next, *previous;
  const LacMemoryProbe *probe;
  gint64                cpu_begin, cpu_peak;
  gint64                gpu_begin, gpu_peak;
};

/* @probe: (nullable): memory of a device; must outlive the scope. Each call takes a few microseconds, under a lock. */
void lac_memory_scope_begin(LacMemoryScope *scope, const LacMemoryProbe *probe);
void lac_memory_scope_end(LacMemoryScope *scope, LacMemoryChange *change);

/* Begins a scope without resetting the peak of the process, for short, frequent scopes: a reset waits for every other
 * thread that maps or touches new pages. If the process meanwhile exceeds its peak since the last reset, the peak of
 * such a scope is exact; else it is the largest value sampled whenever any scope begins or ends in that time. */
void lac_memory_scope_begin_light(LacMemoryScope *scope, const LacMemoryProbe *probe);

/* A span followed by its memory record. Used like lac_span_begin() and lac_span_end(); memory is read outside the
 * span, and not at all when the lane records nothing. */
typedef struct {
  LacSpan        span;
  LacMemoryScope scope;
} LacMemorySpan;
void lac_memory_span_begin(LacMemorySpan        *self,
                           LacLane              *lane,
                           guint32               name,
                           const LacMemoryProbe *probe);
void lac_memory_span_begin_light(LacMemorySpan        *self,
                                 LacLane              *lane,
                                 guint32               name,
                                 const LacMemoryProbe *probe);
void lac_memory_span_end(LacMemorySpan *self, LacLane *lane, gint64 step);

G_END_DECLS
