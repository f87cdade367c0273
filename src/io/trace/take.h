/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion of events of any format to records. Used by io/trace/ alone. */
#pragma once

#include "io/trace/event.h"
#include "io/trace/trace-private.h"

G_BEGIN_DECLS

/* Sets the lane of @record to the event's thread. Returns: %FALSE when there are too many threads. */
gboolean
lac_trace_find_lane(LacTraceReading *reading, const LacChromeEvent *event, LacRecord *record);

/* Makes a record from the event's values, name and time; the lane is not set. */
LacRecord lac_trace_make_record(const LacChromeEvent *event, LacRecordKind kind);

/* Adds a completed span, or Lacuna's own aggregate of the calls of a step. */
void lac_trace_take_span(LacTraceReading *reading, LacChromeEvent *event);

/* Adds a counter: a single series gets the counter's name; several get that name and their own. */
void lac_trace_take_counters(LacTraceReading *reading, const LacChromeEvent *event);

void lac_trace_take_mark(LacTraceReading *reading, const LacChromeEvent *event);

G_END_DECLS
