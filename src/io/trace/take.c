/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion of an event to records. */
#include "io/trace/take.h"

#include <string.h>

gboolean
lac_trace_find_lane(LacTraceReading *reading, const LacChromeEvent *event, LacRecord *record)
{
  const gint at = lac_trace_builder_thread(reading->builder, event->process, event->thread);
  reading->is_crowded |= at < 0;
  record->lane = (guint16) MAX(at, 0);
  return at >= 0;
}

LacRecord
lac_trace_make_record(const LacChromeEvent *event, LacRecordKind kind)
{
  LacRecord record = event->record;
  record.kind = (guint8) kind;
  record.name = event->name;
  record.start_ns = event->time_ns;
  return record;
}

/* Aggregates are drawn on a track next to their lane's, and as narrower spans than their total. */
static void
take_aggregate(LacTraceReading *reading, LacChromeEvent *event)
{
  LacRecord record = lac_trace_make_record(event, LAC_RECORD_AGGREGATE);
  event->thread.value -= event->thread.kind == LAC_TRACE_NUMBER;
  record.start_ns = event->begin_ns;
  record.duration_ns = event->total_ns;
  if (lac_trace_find_lane(reading, event, &record))
    lac_trace_builder_add(reading->builder, &record);
}

void
lac_trace_take_span(LacTraceReading *reading, LacChromeEvent *event)
{
  LacRecord record = lac_trace_make_record(event, LAC_RECORD_SPAN);
  record.duration_ns = event->duration_ns;
  if (event->has_total) {
    take_aggregate(reading, event);
    return;
  }
  if (record.duration_ns < 0) {
    reading->facts->n_skipped++;
    return;
  }
  if (!lac_trace_find_lane(reading, event, &record))
    return;
  lac_trace_builder_add(reading->builder, &record);
  if (!event->has_memory)
    return;
  event->memory.kind = LAC_RECORD_MEMORY;
  event->memory.name = record.name;
  event->memory.lane = record.lane;
  event->memory.start_ns = record.start_ns;
  event->memory.duration_ns = record.duration_ns;
  event->memory.step = record.step;
  lac_trace_builder_add(reading->builder, &event->memory);
}

void
lac_trace_take_counters(LacTraceReading *reading, const LacChromeEvent *event)
{
  LacTraceBuilder *builder = reading->builder;
  LacRecord        record = lac_trace_make_record(event, LAC_RECORD_COUNTER);
  if (event->n_series == 0)
    reading->facts->n_skipped++;
  if (!lac_trace_find_lane(reading, event, &record))
    return;
  for (guint i = 0; i < event->n_series; i++) {
    if (event->n_series > 1) {
      g_autofree char *name =
        g_strdup_printf("%s: %s", lac_trace_builder_get_text(builder, event->name),
                        lac_trace_builder_get_text(builder, event->series[i].name));
      record.name = lac_trace_builder_intern(builder, name, strlen(name));
    }
    record.value = event->series[i].value;
    lac_trace_builder_add(builder, &record);
  }
}

void
lac_trace_take_mark(LacTraceReading *reading, const LacChromeEvent *event)
{
  LacRecord record = lac_trace_make_record(event, LAC_RECORD_MARK);
  if (lac_trace_find_lane(reading, event, &record))
    lac_trace_builder_add(reading->builder, &record);
}
