/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a stretch of work does to memory: resident bytes and the most of them, as the system says, and those of a device, as
 * its owner says. The peak of the process is one for all its threads: what happens at the same time elsewhere counts too. */
#pragma once

#include "perf/recorder/perf.h"

#include <glib.h>

G_BEGIN_DECLS

/* Bytes, or LAC_RECORD_UNKNOWN. */
typedef struct {
  gint64 used, reserved; /* in use; and with what is held back for later use */
  gint64 peak;           /* most used since the last reset */
} LacDeviceMemory;

/* Of whoever owns a device; called by the threads that open and close scopes, one at a time. */
typedef struct {
  void (*read)(LacDeviceMemory *memory, gpointer user_data);
  void (*reset_peak)(gpointer user_data);
  void (*wait)(gpointer user_data); /* (nullable): until the device has done what it was asked, so
                                     * that a span lasts as long as its work */
  gpointer user_data;
} LacMemoryProbe;

/* Bytes, or LAC_RECORD_UNKNOWN. */
typedef struct {
  gint64 cpu_delta, cpu_peak;
  gint64 gpu_delta, gpu_peak;
} LacMemoryChange;

/* Stays where it is between begin and end. Scopes may nest and overlap, in any thread: the peak of one counts for every other
 * that was open at the time. */
typedef struct _LacMemoryScope LacMemoryScope;
struct _LacMemoryScope {
  LacMemoryScope       *next, *previous;
  const LacMemoryProbe *probe;
  gint64                cpu_begin, cpu_peak;
  gint64                gpu_begin, gpu_peak;
};

/* @probe: (nullable): of a device; outlives the scope. Both take a lock and some microseconds. */
void lac_memory_scope_begin(LacMemoryScope *scope, const LacMemoryProbe *probe);
void lac_memory_scope_end(LacMemoryScope *scope, LacMemoryChange *change);

/* Leaves the peak of the process as it is, for resetting it waits for every other thread that maps or touches new pages: what
 * is short and often. Its peak is then the most of what was seen at its beginning, its end and by scopes within, or the true one
 * where that is higher than any since the last reset. */
void lac_memory_scope_begin_light(LacMemoryScope *scope, const LacMemoryProbe *probe);

/* A span with its memory record just behind it; the reading of memory lies outside of the span. As lac_span_begin() and
 * lac_span_end(); nothing is read where the lane records nothing. */
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
