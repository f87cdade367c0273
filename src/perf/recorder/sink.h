/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profilers of others while they listen: NVTX ranges for NVIDIA's, marks for sysprof. Used by perf alone. */
#pragma once

#include "perf/recorder/perf.h"

G_BEGIN_DECLS

typedef struct _LacSink LacSink;

/* A name of the recorder by its number. */
typedef const char *(*LacSinkGetName)(LacPerf *perf, guint32 id);

/* Returns: %NULL where no collector listens to this process, or none was built in. */
LacSink *lac_sink_new(LacPerf *perf, LacSinkGetName get_name);
void     lac_sink_free(LacSink *sink); /* (nullable) */

/* A range of the calling thread, properly nested. */
void lac_sink_begin(LacSink *sink, guint32 name);
void lac_sink_end(LacSink *sink);

/* What a lane pushed. Any thread. */
void lac_sink_push(LacSink *sink, const char *lane, const LacRecord *record);

G_END_DECLS
