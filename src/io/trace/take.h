/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events as records, whatever format they were read from. Used by io/trace/ alone. */
#pragma once

#include "io/trace/event.h"
#include "io/trace/trace-private.h"

G_BEGIN_DECLS

/* Sets the lane of @record to the event's thread. Returns: %FALSE where there are too many threads. */
gboolean
lac_trace_find_lane(LacTraceReading *reading, const LacChromeEvent *event, LacRecord *record);

/* What the event's numbers, name and time say; its lane is to be found. */
LacRecord lac_trace_make_record(const LacChromeEvent *event, LacRecordKind kind);

/* A span that has ended, or ours of the sum of a step's calls. */
void lac_trace_take_span(LacTraceReading *reading, LacChromeEvent *event);

/* One series has the counter's name; of several each has that and its own. */
void lac_trace_take_counters(LacTraceReading *reading, const LacChromeEvent *event);

void lac_trace_take_mark(LacTraceReading *reading, const LacChromeEvent *event);

G_END_DECLS
