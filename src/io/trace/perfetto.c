/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reader of Perfetto's protobuf, limited to track events; complete for traces written by Lacuna. Packets are read one
 * at a time; an open slice waits on its track's stack. */
#include "base/error.h"
#include "io/trace/take.h"
#include "perf/trace/perfetto-fields.h"

#include <string.h>

#define MOST_PACKET ((gsize) 64 << 20)

typedef struct {
  const guint8 *at, *end;
} Span;

static const Span nothing = {(const guint8 *) "", (const guint8 *) ""};

typedef struct {
  guint   number, kind;
  guint64 whole; /* also the bits of a fixed-size number */
  Span    bytes;
} Field;

typedef struct {
  LacTraceId process, thread;
  guint64    parent;
  guint32    name; /* of a counter; LAC_TRACE_UNNAMED */
  gboolean   is_counter, is_thread;
  GArray    *open; /* LacChromeEvent */
} Track;

typedef struct {
  LacTraceReading *reading;
  GHashTable      *tracks;   /* uuid -> Track */
  GHashTable      *interned; /* interned strings: sequence and number combined -> text */
  guint64          sequence; /* of the packet */
  gint64           time_ns;
  gint64           last_ns; /* latest time of the trace */
  gsize            n_open;  /* slices without an end */
} Perfetto;

static gboolean
read_varint(Span *from, guint64 *value)
{
  *value = 0;
  for (guint shift = 0; shift < 64; shift += 7) {
    if (from->at >= from->end)
      return FALSE;
    const guint8 byte = *from->at++;
    *value |= (guint64) (byte & 0x7f) << shift;
    if (byte < 0x80)
      return TRUE;
  }
  return FALSE;
}

/* Returns: FALSE at the end, or when the bytes are not a valid message. */
static gboolean
next_field(Span *from, Field *field)
{
  guint64 tag;
  if (from->at >= from->end || !read_varint(from, &tag))
    return FALSE;
  field->number = (guint) (tag >> 3);
  field->kind = tag & 7;
  field->whole = 0;
  field->bytes = nothing;
  if (field->kind == LAC_PROTO_VARINT)
    return read_varint(from, &field->whole);
  guint64 n = field->kind == LAC_PROTO_FIXED64 ? 8 : 4;
  if (field->kind == LAC_PROTO_BYTES && !read_varint(from, &n))
    return FALSE;
  if (n > (guint64) (from->end - from->at) || field->kind == 3 || field->kind == 4)
    return FALSE;
  field->bytes = (Span){from->at, from->at + n};
  if (field->kind == LAC_PROTO_FIXED64) {
    memcpy(&field->whole, from->at, sizeof field->whole);
    field->whole = GUINT64_FROM_LE(field->whole);
  }
  from->at += n;
  return TRUE;
}

static double
real_of(const Field *field)
{
  double value;
  memcpy(&value, &field->whole, sizeof value);
  return value;
}

static guint32
intern(Perfetto *perfetto, Span text)
{
  return lac_trace_builder_intern(perfetto->reading->builder, (const char *) text.at,
                                  (gsize) (text.end - text.at));
}

/* ---- what events refer to ---- */

static gint64
interned_key(const Perfetto *perfetto, guint field, guint64 number)
{
  return (gint64) (perfetto->sequence << 40 ^ (guint64) field << 32 ^ number);
}

static void
take_interned(Perfetto *perfetto, Span data)
{
  Field field, part;
  while (next_field(&data, &field)) {
    guint64 number = 0;
    Span    name = nothing;
    if (field.number != LAC_INTERNED_EVENT_NAMES && field.number != LAC_INTERNED_ANNOTATION_NAMES)
      continue;
    while (next_field(&field.bytes, &part)) {
      if (part.number == LAC_INTERNED_ID)
        number = part.whole;
      else if (part.number == LAC_INTERNED_NAME)
        name = part.bytes;
    }
    const gint64 key = interned_key(perfetto, field.number, number);
    g_hash_table_insert(perfetto->interned, g_memdup2(&key, sizeof key),
                        GUINT_TO_POINTER(intern(perfetto, name)));
  }
}

static gboolean
find_interned(Perfetto *perfetto, guint field, guint64 number, guint32 *text)
{
  const gint64 key = interned_key(perfetto, field, number);
  gpointer     found;
  if (!g_hash_table_lookup_extended(perfetto->interned, &key, NULL, &found))
    return FALSE;
  *text = GPOINTER_TO_UINT(found);
  return TRUE;
}

static Track *
find_track(Perfetto *perfetto, guint64 uuid)
{
  const gint64 key = (gint64) uuid;
  Track       *track = g_hash_table_lookup(perfetto->tracks, &key);
  if (track == NULL) {
    track = g_new0(Track, 1);
    track->name = LAC_TRACE_UNNAMED;
    track->open = g_array_new(FALSE, FALSE, sizeof(LacChromeEvent));
    g_hash_table_insert(perfetto->tracks, g_memdup2(&key, sizeof key), track);
  }
  return track;
}

static void
free_track(gpointer data)
{
  Track *track = data;
  g_array_unref(track->open);
  g_free(track);
}

static void
take_process(Perfetto *perfetto, Track *track, Span data)
{
  Field field;
  while (next_field(&data, &field)) {
    if (field.number == LAC_PROCESS_PID)
      track->process = (LacTraceId){LAC_TRACE_NUMBER, (gint64) field.whole};
    else if (field.number == LAC_PROCESS_NAME)
      lac_trace_builder_name_process(perfetto->reading->builder, track->process,
                                     intern(perfetto, field.bytes));
    else if (field.number == LAC_PROCESS_COMMAND) {
      g_autofree char *command =
        g_utf8_make_valid((const char *) field.bytes.at, field.bytes.end - field.bytes.at);
      lac_trace_describe_program(perfetto->reading, command);
    }
  }
}

static void
take_thread(Perfetto *perfetto, Track *track, Span data)
{
  LacTraceBuilder *builder = perfetto->reading->builder;
  guint32          name = LAC_TRACE_UNNAMED;
  Field            field;
  track->is_thread = TRUE;
  while (next_field(&data, &field)) {
    if (field.number == LAC_THREAD_PID)
      track->process = (LacTraceId){LAC_TRACE_NUMBER, (gint64) field.whole};
    else if (field.number == LAC_THREAD_TID)
      track->thread = (LacTraceId){LAC_TRACE_NUMBER, (gint64) field.whole};
    else if (field.number == LAC_THREAD_NAME)
      name = intern(perfetto, field.bytes);
  }
  const gint at = lac_trace_builder_thread(builder, track->process, track->thread);
  perfetto->reading->is_crowded |= at < 0;
  if (at >= 0 && name != LAC_TRACE_UNNAMED)
    lac_trace_builder_name_thread(builder, at, name);
}

static void
take_track(Perfetto *perfetto, Span data)
{
  Span   again = data;
  Field  field;
  Track *track = NULL;
  while (track == NULL && next_field(&again, &field)) {
    if (field.number == LAC_TRACK_UUID)
      track = find_track(perfetto, field.whole);
  }
  while (track != NULL && next_field(&data, &field)) {
    switch (field.number) {
    case LAC_TRACK_NAME: track->name = intern(perfetto, field.bytes); break;
    case LAC_TRACK_PARENT: track->parent = field.whole; break;
    case LAC_TRACK_PROCESS: take_process(perfetto, track, field.bytes); break;
    case LAC_TRACK_THREAD: take_thread(perfetto, track, field.bytes); break;
    case LAC_TRACK_COUNTER: track->is_counter = TRUE; break;
    default: break;
    }
  }
}

/* ---- events ---- */

static void
take_annotation(Perfetto *perfetto, LacChromeEvent *event, Span data)
{
  Field       field;
  guint32     text;
  double      value = 0;
  LacJsonText key = {"", 0};
  while (next_field(&data, &field)) {
    switch (field.number) {
    case LAC_ANNOTATION_NAME_ID:
      if (find_interned(perfetto, LAC_INTERNED_ANNOTATION_NAMES, field.whole, &text)) {
        key.bytes = lac_trace_builder_get_text(perfetto->reading->builder, text);
        key.n = strlen(key.bytes);
      }
      break;
    case LAC_ANNOTATION_NAME:
      key =
        (LacJsonText){(const char *) field.bytes.at, (gsize) (field.bytes.end - field.bytes.at)};
      break;
    case LAC_ANNOTATION_UINT: value = (double) field.whole; break;
    case LAC_ANNOTATION_INT: value = (double) (gint64) field.whole; break;
    case LAC_ANNOTATION_REAL: value = real_of(&field); break;
    default: break;
    }
  }
  lac_chrome_event_take(event, key, value);
}

/* Sets the thread of a track: that of the nearest ancestor with one; a track without any is treated as a thread
 * itself. */
static void
place(Perfetto *perfetto, const Track *track, LacChromeEvent *event)
{
  enum { DEEPEST = 16 };
  const Track *above = track;
  for (guint i = 0; i < DEEPEST && !above->is_thread && above->parent != 0; i++)
    above = find_track(perfetto, above->parent);
  event->process = above->process;
  event->thread = above->thread;
  if (!above->is_thread && !track->is_counter && track->name != LAC_TRACE_UNNAMED)
    event->thread = (LacTraceId){LAC_TRACE_TEXT, track->name};
}

static void
end_slice(Perfetto *perfetto, Track *track)
{
  if (track->open->len == 0) {
    perfetto->reading->facts->n_skipped++;
    return;
  }
  LacChromeEvent *event = &g_array_index(track->open, LacChromeEvent, track->open->len - 1);
  event->duration_ns = perfetto->time_ns - event->time_ns;
  lac_trace_take_span(perfetto->reading, event);
  g_array_set_size(track->open, track->open->len - 1);
}

static void
finish_event(Perfetto *perfetto, guint64 type, guint64 uuid, LacChromeEvent *event)
{
  Track *track = find_track(perfetto, uuid);
  perfetto->reading->facts->n_events++;
  perfetto->last_ns = MAX(perfetto->last_ns, perfetto->time_ns);
  event->time_ns = perfetto->time_ns;
  place(perfetto, track, event);
  if (!event->has_name)
    event->name = track->name != LAC_TRACE_UNNAMED
                    ? track->name
                    : lac_trace_builder_intern(perfetto->reading->builder, "", 0);
  if (type == LAC_EVENT_IS_BEGIN)
    g_array_append_vals(track->open, event, 1);
  else if (type == LAC_EVENT_IS_END)
    end_slice(perfetto, track);
  else if (type == LAC_EVENT_IS_INSTANT)
    lac_trace_take_mark(perfetto->reading, event);
  else if (type == LAC_EVENT_IS_COUNTER)
    lac_trace_take_counters(perfetto->reading, event);
  else
    perfetto->reading->facts->n_skipped++;
}

static void
take_event(Perfetto *perfetto, Span data)
{
  LacChromeEvent event;
  guint64        type = 0, uuid = 0;
  Field          field;
  lac_chrome_event_clear(&event);
  while (next_field(&data, &field)) {
    switch (field.number) {
    case LAC_EVENT_TYPE: type = field.whole; break;
    case LAC_EVENT_TRACK: uuid = field.whole; break;
    case LAC_EVENT_ANNOTATIONS: take_annotation(perfetto, &event, field.bytes); break;
    case LAC_EVENT_FLOWS: perfetto->reading->facts->n_flows++; break;
    case LAC_EVENT_NAME_ID:
      event.has_name = find_interned(perfetto, LAC_INTERNED_EVENT_NAMES, field.whole, &event.name);
      break;
    case LAC_EVENT_NAME:
      event.has_name = TRUE;
      event.name = intern(perfetto, field.bytes);
      break;
    case LAC_EVENT_WHOLE_VALUE:
    case LAC_EVENT_REAL_VALUE:
      event.n_series = 1;
      event.series[0].value =
        field.number == LAC_EVENT_REAL_VALUE ? real_of(&field) : (double) (gint64) field.whole;
      break;
    default: break;
    }
  }
  finish_event(perfetto, type, uuid, &event);
}

/* Reads a packet in two passes, because its header fields may be anywhere in it. */
static void
take_packet(Perfetto *perfetto, Span packet)
{
  Span  again = packet;
  Field field;
  while (next_field(&packet, &field)) {
    if (field.number == LAC_PACKET_TIMESTAMP)
      perfetto->time_ns = (gint64) MIN(field.whole, G_MAXINT64 / 4);
    else if (field.number == LAC_PACKET_SEQUENCE)
      perfetto->sequence = field.whole;
    else if (field.number == LAC_PACKET_INTERNED_DATA)
      take_interned(perfetto, field.bytes);
  }
  while (next_field(&again, &field)) {
    if (field.number == LAC_PACKET_TRACK_DESCRIPTOR)
      take_track(perfetto, field.bytes);
    else if (field.number == LAC_PACKET_TRACK_EVENT)
      take_event(perfetto, field.bytes);
  }
}

static void
end_open(gpointer key, gpointer value, gpointer user_data)
{
  Perfetto *perfetto = user_data;
  Track    *track = value;
  perfetto->time_ns = perfetto->last_ns;
  perfetto->n_open += track->open->len;
  while (track->open->len > 0)
    end_slice(perfetto, track);
}

/* Moves the complete next packet into the window. Returns: FALSE at the end, or when it is invalid. */
static gboolean
next_packet(LacTextSource *source, Span *packet)
{
  for (;;) {
    Span    window = {(const guint8 *) source->at, (const guint8 *) source->end};
    guint64 tag, n;
    if (read_varint(&window, &tag) && read_varint(&window, &n)) {
      if (tag != (LAC_TRACE_PACKET << 3 | LAC_PROTO_BYTES) || n > MOST_PACKET)
        return FALSE;
      if (n <= (guint64) (window.end - window.at)) {
        *packet = (Span){window.at, window.at + n};
        source->at = (const char *) window.at + n;
        return TRUE;
      }
    }
    if (!lac_text_source_more(source, NULL))
      return FALSE;
  }
}

gboolean
lac_trace_read_perfetto(LacTraceReading *reading, LacTextSource *source, GError **error)
{
  Perfetto perfetto = {.reading = reading};
  Span     packet;
  reading->facts->format = "Perfetto trace";
  perfetto.tracks = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_track);
  perfetto.interned = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
  while (!reading->is_crowded && next_packet(source, &packet))
    take_packet(&perfetto, packet);
  g_hash_table_foreach(perfetto.tracks, end_open, &perfetto);
  g_hash_table_unref(perfetto.tracks);
  g_hash_table_unref(perfetto.interned);
  if (perfetto.n_open > 0)
    lac_trace_caution(reading,
                      "%" G_GSIZE_FORMAT " spans have no end; they were ended at the last event.",
                      perfetto.n_open);
  if (source->at < source->end || lac_text_source_is_broken(source))
    lac_trace_caution(reading,
                      "The file is truncated or damaged from byte %" G_GUINT64_FORMAT
                      " on: everything before was imported.",
                      lac_text_source_tell(source));
  if (reading->facts->n_events > 0 && !reading->is_crowded)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              reading->is_crowded ? "%s has events of more threads than this program shows"
                                  : "%s is not a trace: it has no Perfetto track events",
              reading->path);
  return FALSE;
}
