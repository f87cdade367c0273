/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Perfetto's native format: one sequence of packets, names interned, a track for each track of spans and one for each
 * counter. Slices are begin and end events on a stack, and packets of equal time are ordered by file position: so a
 * track's spans are written by start, each followed by the ends that precede the next start. */
#include "perf/trace/perfetto-fields.h"
#include "perf/trace/trace-private.h"

#include <string.h>

enum { SEQUENCE = 1, PID = 1, PROCESS_UUID = 1 };

typedef struct {
  FILE             *file;
  const LacCapture *capture;
  gint64            origin_ns;
  GByteArray       *packet, *inner, *innermost; /* reused buffers of nested messages */
  GPtrArray        *slices;                     /* by track: GArray of LacTraceEvent; NULL: empty */
  GHashTable       *counters;                   /* gint64: (lane, name) pairs that have a track */
  LacTraceFlows    *flows;
  GHashTable       *arrived; /* record that arrows point to -> GArray of guint64: incoming flows */
} Writer;

static void
put_varint(GByteArray *to, guint64 value)
{
  guint8 bytes[10];
  guint  n = 0;
  do {
    bytes[n++] = (guint8) ((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
    value >>= 7;
  } while (value > 0);
  g_byte_array_append(to, bytes, n);
}

static void
put_number(GByteArray *to, guint field, guint64 value)
{
  put_varint(to, field << 3 | LAC_PROTO_VARINT);
  put_varint(to, value);
}

static void
put_fixed(GByteArray *to, guint field, guint64 bits)
{
  bits = GUINT64_TO_LE(bits);
  put_varint(to, field << 3 | LAC_PROTO_FIXED64);
  g_byte_array_append(to, (const guint8 *) &bits, sizeof bits);
}

static void
put_real(GByteArray *to, guint field, double value)
{
  guint64 bits;
  memcpy(&bits, &value, sizeof bits);
  put_fixed(to, field, bits);
}

static void
put_bytes(GByteArray *to, guint field, gconstpointer bytes, gsize n)
{
  put_varint(to, field << 3 | LAC_PROTO_BYTES);
  put_varint(to, n);
  g_byte_array_append(to, bytes, (guint) n);
}

static void
put_text(GByteArray *to, guint field, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid(text, -1);
  put_bytes(to, field, valid, strlen(valid));
}

/* Appends @inner as one field of @to and empties @inner. */
static void
put_message(GByteArray *to, guint field, GByteArray *inner)
{
  put_bytes(to, field, inner->data, inner->len);
  g_byte_array_set_size(inner, 0);
}

static void
finish_packet(Writer *writer, guint64 flags)
{
  g_autoptr(GByteArray) head = g_byte_array_sized_new(16);
  put_number(writer->packet, LAC_PACKET_SEQUENCE, SEQUENCE);
  put_number(writer->packet, LAC_PACKET_SEQUENCE_FLAGS, flags);
  put_varint(head, LAC_TRACE_PACKET << 3 | LAC_PROTO_BYTES);
  put_varint(head, writer->packet->len);
  fwrite(head->data, 1, head->len, writer->file);
  fwrite(writer->packet->data, 1, writer->packet->len, writer->file);
  g_byte_array_set_size(writer->packet, 0);
}

/* ---- interned names and tracks ---- */

static guint64
uuid_of_track(guint track)
{
  return PROCESS_UUID + 1 + (guint64) track;
}

static void
put_process(Writer *writer)
{
  const char *title = lac_capture_get_title(writer->capture);
  put_number(writer->inner, LAC_TRACK_UUID, PROCESS_UUID);
  put_number(writer->innermost, LAC_PROCESS_PID, PID);
  put_text(writer->innermost, LAC_PROCESS_COMMAND, LAC_TRACE_PROGRAM);
  put_text(writer->innermost, LAC_PROCESS_NAME, title[0] != '\0' ? title : LAC_TRACE_PROGRAM);
  put_message(writer->inner, LAC_TRACK_PROCESS, writer->innermost);
  put_number(writer->inner, LAC_TRACK_CHILD_ORDERING, LAC_ORDER_BY_RANK);
  put_message(writer->packet, LAC_PACKET_TRACK_DESCRIPTOR, writer->inner);
  finish_packet(writer, LAC_STATE_CLEARED);
}

static void
put_track(Writer *writer, const LacTraceTrack *track)
{
  put_number(writer->inner, LAC_TRACK_UUID, uuid_of_track(track->track));
  put_number(writer->inner, LAC_TRACK_PARENT, PROCESS_UUID);
  put_number(writer->innermost, LAC_THREAD_PID, PID);
  put_number(writer->innermost, LAC_THREAD_TID, track->track + 1);
  put_text(writer->innermost, LAC_THREAD_NAME, track->name);
  put_message(writer->inner, LAC_TRACK_THREAD, writer->innermost);
  put_number(writer->inner, LAC_TRACK_RANK, track->track);
  put_message(writer->packet, LAC_PACKET_TRACK_DESCRIPTOR, writer->inner);
  finish_packet(writer, LAC_NEEDS_STATE);
}

/* Ids start at 1: 0 means none. */
static guint64
id_of(guint32 number)
{
  return (guint64) number + 1;
}

static void
put_interned(Writer *writer, guint field, guint64 id, const char *name)
{
  put_number(writer->innermost, LAC_INTERNED_ID, id);
  put_text(writer->innermost, LAC_INTERNED_NAME, name);
  put_message(writer->inner, field, writer->innermost);
  put_message(writer->packet, LAC_PACKET_INTERNED_DATA, writer->inner);
  finish_packet(writer, LAC_NEEDS_STATE);
}

static void
put_names(Writer *writer)
{
  for (guint32 i = 0; i < lac_capture_get_n_names(writer->capture); i++)
    put_interned(writer, LAC_INTERNED_EVENT_NAMES, id_of(i),
                 lac_capture_get_name(writer->capture, i));
  for (guint i = 0; i < LAC_TRACE_N_KEYS; i++)
    put_interned(writer, LAC_INTERNED_ANNOTATION_NAMES, id_of(i), lac_trace_key_text(i));
}

/* ---- events ---- */

static void
put_annotations(Writer *writer, const LacTraceEvent *event)
{
  LacTraceNumber numbers[LAC_TRACE_N_KEYS];
  const guint    n = lac_trace_numbers(event, writer->origin_ns, numbers);
  for (guint i = 0; i < n; i++) {
    put_number(writer->innermost, LAC_ANNOTATION_NAME_ID, id_of(numbers[i].key));
    if (numbers[i].is_whole)
      put_number(writer->innermost, LAC_ANNOTATION_INT, (guint64) numbers[i].whole);
    else
      put_real(writer->innermost, LAC_ANNOTATION_REAL, numbers[i].real);
    put_message(writer->inner, LAC_EVENT_ANNOTATIONS, writer->innermost);
  }
}

static void
finish_event(Writer *writer, gint64 time_ns)
{
  put_number(writer->packet, LAC_PACKET_TIMESTAMP, (guint64) time_ns);
  put_message(writer->packet, LAC_PACKET_TRACK_EVENT, writer->inner);
  finish_packet(writer, LAC_NEEDS_STATE);
}

/* A damaged file may hold a name that is not interned. */
static void
put_name(Writer *writer, const LacRecord *record)
{
  if (record->name < lac_capture_get_n_names(writer->capture))
    put_number(writer->inner, LAC_EVENT_NAME_ID, id_of(record->name));
  else
    put_text(writer->inner, LAC_EVENT_NAME, "?");
}

static guint64
find_counter(Writer *writer, const LacRecord *record)
{
  gint64        key = (gint64) record->lane << 32 | record->name;
  const guint64 uuid = (guint64) key | G_GUINT64_CONSTANT(1) << 63;
  if (g_hash_table_contains(writer->counters, &key))
    return uuid;
  g_hash_table_add(writer->counters, g_memdup2(&key, sizeof key));
  put_number(writer->inner, LAC_TRACK_UUID, uuid);
  put_number(writer->inner, LAC_TRACK_PARENT, uuid_of_track(lac_trace_track(record->lane, FALSE)));
  put_text(writer->inner, LAC_TRACK_NAME, lac_capture_get_name(writer->capture, record->name));
  put_message(writer->inner, LAC_TRACK_COUNTER, writer->innermost);
  put_message(writer->packet, LAC_PACKET_TRACK_DESCRIPTOR, writer->inner);
  finish_packet(writer, LAC_NEEDS_STATE);
  return uuid;
}

static void
put_counter(Writer *writer, const LacRecord *record)
{
  const guint64 uuid = find_counter(writer, record);
  put_number(writer->inner, LAC_EVENT_TYPE, LAC_EVENT_IS_COUNTER);
  put_number(writer->inner, LAC_EVENT_TRACK, uuid);
  put_real(writer->inner, LAC_EVENT_REAL_VALUE, record->value);
  finish_event(writer, record->start_ns - writer->origin_ns);
}

/* Returns the flow from an operation or a launch. */
static guint64
flow_of(const LacRecord *operation)
{
  return (operation->sequence << 16 | operation->lane) + 1;
}

static void
note_flow(Writer *writer, const LacTraceEvent *event)
{
  const LacRecord *target = lac_trace_find_target(writer->flows, event);
  if (target == NULL)
    return;
  const guint64 flow = flow_of(event->record);
  GArray       *flows = g_hash_table_lookup(writer->arrived, target);
  if (flows == NULL) {
    flows = g_array_new(FALSE, FALSE, sizeof flow);
    g_hash_table_insert(writer->arrived, (gpointer) target, flows);
  }
  g_array_append_val(flows, flow);
}

static void
put_flows(Writer *writer, const LacTraceEvent *event)
{
  const GArray *flows = g_hash_table_lookup(writer->arrived, event->record);
  if (lac_trace_find_target(writer->flows, event) != NULL)
    put_fixed(writer->inner, LAC_EVENT_FLOWS, flow_of(event->record));
  for (guint i = 0; flows != NULL && i < flows->len; i++)
    put_fixed(writer->inner, LAC_EVENT_FLOWS, g_array_index(flows, guint64, i));
}

static void
put_named(Writer *writer, const LacTraceEvent *event, guint64 type)
{
  put_number(writer->inner, LAC_EVENT_TYPE, type);
  put_number(writer->inner, LAC_EVENT_TRACK, uuid_of_track(event->track));
  put_name(writer, event->record);
  put_annotations(writer, event);
  put_flows(writer, event);
  finish_event(writer, event->start_ns);
}

/* Writes the ends at or before @until_ns, innermost first. */
static void
put_ends(Writer *writer, guint track, GArray *open, gint64 until_ns)
{
  while (open->len > 0 && g_array_index(open, gint64, open->len - 1) <= until_ns) {
    put_number(writer->inner, LAC_EVENT_TYPE, LAC_EVENT_IS_END);
    put_number(writer->inner, LAC_EVENT_TRACK, uuid_of_track(track));
    finish_event(writer, g_array_index(open, gint64, open->len - 1));
    g_array_set_size(open, open->len - 1);
  }
}

static gint
compare_slices(gconstpointer a, gconstpointer b)
{
  const LacTraceEvent *x = a, *y = b;
  if (x->start_ns != y->start_ns)
    return x->start_ns < y->start_ns ? -1 : 1;
  if (x->width_ns != y->width_ns)
    return x->width_ns > y->width_ns ? -1 : 1;
  return (int) x->record->depth - (int) y->record->depth;
}

static void
put_slices(gpointer data, gpointer user_data)
{
  Writer           *writer = user_data;
  GArray           *slices = data;
  g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(gint64)); /* end times */
  if (slices == NULL)
    return;
  guint track = g_array_index(slices, LacTraceEvent, 0).track;
  g_array_sort(slices, compare_slices);
  for (guint i = 0; i < slices->len; i++) {
    const LacTraceEvent *slice = &g_array_index(slices, LacTraceEvent, i);
    const gint64         end_ns = slice->start_ns + slice->width_ns;
    put_ends(writer, track, open, slice->start_ns);
    put_named(writer, slice, LAC_EVENT_IS_BEGIN);
    g_array_append_val(open, end_ns);
  }
  put_ends(writer, track, open, G_MAXINT64);
}

static void
free_flows(gpointer flows)
{
  g_array_unref(flows);
}

static void
free_slices(gpointer slices)
{
  if (slices != NULL)
    g_array_unref(slices);
}

static void
keep_slice(Writer *writer, const LacTraceEvent *event)
{
  if (writer->slices->len <= event->track)
    g_ptr_array_set_size(writer->slices, (gint) event->track + 1);
  gpointer *slices = &g_ptr_array_index(writer->slices, event->track);
  if (*slices == NULL)
    *slices = g_array_new(FALSE, FALSE, sizeof(LacTraceEvent));
  g_array_append_vals(*slices, event, 1);
  note_flow(writer, event);
}

static void
take_event(const LacTraceEvent *event, gpointer user_data)
{
  Writer *writer = user_data;
  if (event->record->kind == LAC_RECORD_COUNTER)
    put_counter(writer, event->record);
  else if (event->record->kind == LAC_RECORD_MARK)
    put_named(writer, event, LAC_EVENT_IS_INSTANT);
  else
    keep_slice(writer, event);
}

void
lac_trace_put_perfetto(const LacCapture *capture, FILE *file)
{
  g_autoptr(GByteArray) packet = g_byte_array_new(), inner = g_byte_array_new(),
                        innermost = g_byte_array_new();
  g_autoptr(GPtrArray)  slices = g_ptr_array_new_with_free_func(free_slices);
  g_autoptr(GArray)     tracks = lac_trace_dup_tracks(capture);
  g_auto(LacTraceFlows) flows = {NULL};
  g_autoptr(GHashTable) counters = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr(GHashTable) arrived = g_hash_table_new_full(NULL, NULL, NULL, free_flows);
  Writer                writer = {.file = file,
                                  .capture = capture,
                                  .packet = packet,
                                  .inner = inner,
                                  .innermost = innermost,
                                  .slices = slices,
                                  .counters = counters,
                                  .flows = &flows,
                                  .arrived = arrived};
  gint64                end_ns;
  lac_capture_get_extent(capture, &writer.origin_ns, &end_ns);
  lac_trace_flows_init(&flows, capture);
  put_process(&writer);
  for (guint i = 0; i < tracks->len; i++)
    put_track(&writer, &g_array_index(tracks, LacTraceTrack, i));
  put_names(&writer);
  lac_trace_walk(capture, take_event, &writer);
  g_ptr_array_foreach(slices, put_slices, &writer);
}
