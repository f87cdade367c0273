/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forwards records to attached external profilers: NVTX ranges for NVIDIA's, marks for sysprof. Private to perf. */
#pragma once

#include "perf/recorder/perf.h"

G_BEGIN_DECLS

typedef struct _LacSink LacSink;

/* Looks up a name of the recorder by its id. */
typedef const char *(*LacSinkGetName)(LacPerf *perf, guint32 id);

/* Returns: %NULL when no profiler is attached to this process, or this build supports none. */
LacSink *lac_sink_new(LacPerf *perf, LacSinkGetName get_name);
void     lac_sink_free(LacSink *sink); /* (nullable) */

/* Begin and end a range of the calling thread; ranges are properly nested. */
void lac_sink_begin(LacSink *sink, guint32 name);
void lac_sink_end(LacSink *sink);

/* Forwards a record pushed on @lane. Any thread. */
void lac_sink_push(LacSink *sink, const char *lane, const LacRecord *record);

G_END_DECLS
