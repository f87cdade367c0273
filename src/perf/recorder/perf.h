/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recorder of a run: names, lanes (one producing thread each), and the single consumer that drains them. No
 * record is ever lost: a lane is a chain of lock-free rings, prepared in advance and recycled, which grows while the consumer is late. */
#pragma once

#include "perf/recorder/record.h"

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_PERF_OFF,
  LAC_PERF_COARSE, /* steps, phases, and one aggregate per operation and step, timed on a sample of the tiles */
  LAC_PERF_FULL, /* also every tile */
} LacPerfDetail;

typedef struct _LacPerf LacPerf;
typedef struct _LacLane LacLane;

LacPerf *lac_perf_new(LacPerfDetail detail);
void     lac_perf_free(LacPerf *perf); /* call after every producer has ended */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPerf, lac_perf_free)

LacPerfDetail lac_perf_get_detail(const LacPerf *perf);

/* Interns a name for the lifetime of the recorder. Any thread. Takes a lock, so must not be called within a step. */
guint32     lac_perf_name(LacPerf *perf, const char *name);
const char *lac_perf_get_name(LacPerf *perf, guint32 id);
guint32     lac_perf_get_n_names(LacPerf *perf);

/* Creates a lane, which has one producing thread. Any thread may call this; the lane exists as long as the recorder. */
LacLane    *lac_perf_lane(LacPerf *perf, const char *name);
const char *lac_perf_get_lane_name(LacPerf *perf, guint16 lane);
guint       lac_perf_get_n_lanes(LacPerf *perf);

/* Producer: pushes a record, without a lock and without allocating unless the ring is full. Fills in the sequence and
 * lane of @record. Does nothing when recording is off. */
void lac_lane_push(LacLane *lane, LacRecord record);

/* A span of the calling thread: begin, then end on the same lane, properly nested. The members below may be set in
 * between. */
typedef struct {
  gint64  start_ns;
  guint32 name;
  double  flops, bytes; /* initially 0 */
  gint64  memory;       /* live bytes; initially -1, unknown */
  /* private: resident bytes at the beginning, -1: not read; the largest reading outside the span */
  gint64 resident, outer_most;
} LacSpan;
LacSpan lac_span_begin(LacLane *lane, guint32 name);
void    lac_span_end(LacLane *lane, LacSpan span, gint64 step);

/* Producer: from now on, or no longer, spans that begin read the resident bytes of the process at both ends, outside
 * their time, and push a memory record. Costs a microsecond or two per end, so that only some steps are read. Returns:
 * the nanoseconds spent reading since the last call. */
gint64 lac_lane_read_memory(LacLane *lane, gboolean is_read);

/* Producer: assigns spans that end from now on to this epoch and batch, counted from 1; 0: none. */
void lac_lane_set_batch(LacLane *lane, guint32 epoch, guint32 batch);

typedef void (*LacRecordFunc)(const LacRecord *records, gsize n_records, gpointer user_data);

/* Consumer, one thread at a time: calls @func with batches of records, ordered within a lane. Returns: the number of
 * records delivered. */
gsize lac_perf_drain(LacPerf *perf, LacRecordFunc func, gpointer user_data);

guint64 lac_perf_get_n_pushed(LacPerf *perf); /* number of records pushed on all lanes */

/* Returns the number of records drained. Pushed minus drained is what the rings still hold; none is ever
 * lost. */
guint64 lac_perf_get_n_drained(LacPerf *perf);

/* Returns the number of rings that producers had to allocate because all prepared ones were full: the consumer was very
 * late. */
guint64 lac_perf_get_n_spilled(LacPerf *perf);

G_END_DECLS
