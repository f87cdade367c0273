/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Chrome trace: complete events, counters and instants, one tid a track. */
#include "base/json-quote.h"
#include "base/number.h"
#include "perf/trace/trace-private.h"

#include <math.h>

typedef struct {
  FILE   *file;
  char  **names; /* of records, as JSON strings */
  guint32 n_names;
  gint64  origin_ns;
  GArray *flows;   /* LacTraceFlow */
  guint64 n_flows; /* written */
} Writer;

static void
put_string(FILE *file, const char *text)
{
  g_autofree char *json = lac_json_quote(text);
  fputs(json, file);
}

/* Nanoseconds as microseconds with three decimals: exact. */
static void
put_time(FILE *file, const char *key, gint64 ns)
{
  guint64 size = ns < 0 ? 0 - (guint64) ns : (guint64) ns;
  fprintf(file, ",\"%s\":%s%" G_GUINT64_FORMAT ".%03d", key, ns < 0 ? "-" : "", size / 1000,
          (int) (size % 1000));
}

static void
put_numbers(Writer *writer, const LacTraceEvent *event)
{
  LacTraceNumber numbers[LAC_TRACE_N_KEYS];
  const guint    n = lac_trace_numbers(event, writer->origin_ns, numbers);
  fputs(",\"args\":{", writer->file);
  for (guint i = 0; i < n; i++) {
    fprintf(writer->file, "%s\"%s\":", i > 0 ? "," : "", lac_trace_key_text(numbers[i].key));
    if (numbers[i].is_whole) {
      fprintf(writer->file, "%" G_GINT64_FORMAT, numbers[i].whole);
      continue;
    }
    /* JSON has no infinity. */
    g_autofree char *text =
      isfinite(numbers[i].real) ? lac_number_dup_text(numbers[i].real) : g_strdup("null");
    fputs(text, writer->file);
  }
  fputs("}}", writer->file);
}

/* A viewer takes 0 for nobody. */
static guint
tid_of(guint track)
{
  return track + 1;
}

/* A viewer draws it from what is there at its time on its thread; the middle is there for sure. */
static void
put_flow_end(Writer *writer, const char *phase, guint track, gint64 start_ns, gint64 width_ns)
{
  fprintf(writer->file,
          ",\n{\"ph\":%s,\"cat\":\"frame\",\"name\":\"frame\",\"id\":%" G_GUINT64_FORMAT
          ",\"pid\":1,\"tid\":%u",
          phase, writer->n_flows, tid_of(track));
  put_time(writer->file, "ts", start_ns + width_ns / 2);
  fputc('}', writer->file);
}

static void
put_flow(Writer *writer, const LacTraceEvent *event)
{
  const LacRecord *frame = lac_trace_find_frame(writer->flows, event);
  if (frame == NULL)
    return;
  writer->n_flows++;
  put_flow_end(writer, "\"s\"", event->track, event->start_ns, event->width_ns);
  put_flow_end(writer, "\"f\",\"bp\":\"e\"", lac_trace_track(frame->lane, FALSE),
               frame->start_ns - writer->origin_ns, frame->duration_ns);
}

static void
put_event(const LacTraceEvent *event, gpointer user_data)
{
  Writer          *writer = user_data;
  const LacRecord *record = event->record;
  const char      *name = record->name < writer->n_names ? writer->names[record->name] : "\"?\"";
  const char      *phase = "X";
  if (record->kind == LAC_RECORD_COUNTER)
    phase = "C";
  else if (record->kind == LAC_RECORD_MARK)
    phase = "i";
  fprintf(writer->file, ",\n{\"ph\":\"%s\",\"pid\":1,\"tid\":%u,\"name\":%s", phase,
          tid_of(event->track), name);
  put_time(writer->file, "ts", event->start_ns);
  if (phase[0] == 'X')
    put_time(writer->file, "dur", event->width_ns);
  if (phase[0] == 'i')
    fputs(",\"s\":\"t\"", writer->file);
  put_numbers(writer, event);
  put_flow(writer, event);
}

static void
put_threads(Writer *writer, const LacCapture *capture)
{
  g_autoptr(GArray) tracks = lac_trace_dup_tracks(capture);
  for (guint i = 0; i < tracks->len; i++) {
    const LacTraceTrack *track = &g_array_index(tracks, LacTraceTrack, i);
    const guint          tid = tid_of(track->track);
    fprintf(
      writer->file,
      ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":", tid);
    put_string(writer->file, track->name);
    fprintf(writer->file,
            "}},\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_sort_index\",\"args\":{"
            "\"sort_index\":%u}}",
            tid, tid);
  }
}

void
lac_trace_put_chrome(const LacCapture *capture, FILE *file)
{
  const char *title = lac_capture_get_title(capture);
  Writer      writer = {.file = file, .n_names = lac_capture_get_n_names(capture)};
  gint64      end_ns;
  lac_capture_get_extent(capture, &writer.origin_ns, &end_ns);
  writer.names = g_new(char *, writer.n_names);
  for (guint32 i = 0; i < writer.n_names; i++)
    writer.names[i] = lac_json_quote(lac_capture_get_name(capture, i));
  fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"program\":\"" LAC_TRACE_PROGRAM
        "\"},\"traceEvents\":[\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":",
        file);
  put_string(file, title[0] != '\0' ? title : LAC_TRACE_PROGRAM);
  fputs("}}", file);
  put_threads(&writer, capture);
  writer.flows = lac_trace_dup_flows(capture);
  lac_trace_walk(capture, put_event, &writer);
  g_array_unref(writer.flows);
  fputs("\n]}\n", file);
  for (guint32 i = 0; i < writer.n_names; i++)
    g_free(writer.names[i]);
  g_free(writer.names);
}
