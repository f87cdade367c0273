/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion of trace events of any format to records. Used by io/trace/ alone. */
#pragma once

#include "io/trace/event.h"
#include "io/trace/trace-private.h"

G_BEGIN_DECLS

/* Sets the lane of @record to the event's thread. Returns: %FALSE when there are too many threads. */
gboolean
lac_trace_find_lane(LacTraceReading *reading, const LacChromeEvent *event, LacRecord *record);

/* Makes a record from the event's values, name and time; the lane is not set. */
LacRecord lac_trace_make_record(const LacChromeEvent *event, LacRecordKind kind);

/* Adds a completed span, or, from a trace written by Lacuna, an aggregate of the calls in one step. */
void lac_trace_take_span(LacTraceReading *reading, LacChromeEvent *event);

/* Adds a counter. A single series gets the name of the counter; each of several gets that name and its own. */
void lac_trace_take_counters(LacTraceReading *reading, const LacChromeEvent *event);

void lac_trace_take_mark(LacTraceReading *reading, const LacChromeEvent *event);

G_END_DECLS
