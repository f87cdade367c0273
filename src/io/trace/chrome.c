/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reader of Chrome's trace events: an array of them, or an object that contains one. Format:
 * docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU (Trace Event Format) */
#include "base/error.h"
#include "io/trace/take.h"

#include <string.h>

typedef struct {
  LacJsonScan      scan;
  LacTraceReading *reading;
  LacTraceBuilder *builder;
  LacChromeEvent   event;
  GHashTable *open; /* asynchronous spans without a thread: interned text -> GArray of LacRecord */
  gboolean    has_list; /* an array of events was found */
  gboolean    is_crowded;
  guint32     thread_name, thread_rank, process_name, process_labels, process_rank; /* interned */
} Chrome;

static guint32
intern(Chrome *chrome, const char *text)
{
  return lac_trace_builder_intern(chrome->builder, text, strlen(text));
}

static void
take_metadata(Chrome *chrome)
{
  const LacChromeEvent *event = &chrome->event;
  LacTraceBuilder      *builder = chrome->builder;
  LacRecord             record;
  if (event->name == chrome->process_name && event->has_arg_name) {
    lac_trace_builder_name_process(builder, event->process, event->arg_name);
    const char *name = lac_trace_builder_get_text(builder, event->arg_name);
    if (g_str_has_prefix(name, "/host:") || g_str_has_prefix(name, "/device:"))
      lac_trace_describe_program(chrome->reading, "JAX or another program of XLA");
  } else if (event->name == chrome->process_labels && event->has_arg_name) {
    lac_trace_builder_label_process(builder, event->process, event->arg_name);
  } else if (event->name == chrome->process_rank) {
    lac_trace_builder_sort_process(builder, event->process, event->rank);
  } else if (event->name == chrome->thread_name && event->has_arg_name) {
    if (lac_trace_find_lane(chrome->reading, event, &record))
      lac_trace_builder_name_thread(builder, record.lane, event->arg_name);
  } else if (event->name == chrome->thread_rank &&
             lac_trace_find_lane(chrome->reading, event, &record)) {
    lac_trace_builder_sort_thread(builder, record.lane, event->rank);
  }
}

/* ---- spans of no thread: begin and end are matched by category and identifier ---- */

static gpointer
open_key(Chrome *chrome)
{
  const LacChromeEvent *event = &chrome->event;
  g_autofree char      *text = g_strdup_printf(
         "%u\n%d\n%" G_GINT64_FORMAT "\n%d\n%" G_GINT64_FORMAT, event->category,
         (int) event->process.kind, event->process.value, (int) event->id.kind, event->id.value);
  return GUINT_TO_POINTER(intern(chrome, text) + 1);
}

static void
begin_async(Chrome *chrome)
{
  gpointer        key = open_key(chrome);
  GArray         *stack = g_hash_table_lookup(chrome->open, key);
  const LacRecord record = lac_trace_make_record(&chrome->event, LAC_RECORD_SPAN);
  if (stack == NULL) {
    stack = g_array_new(FALSE, FALSE, sizeof(LacRecord));
    g_hash_table_insert(chrome->open, key, stack);
  }
  g_array_append_val(stack, record);
}

static void
end_async(Chrome *chrome)
{
  const LacChromeEvent *event = &chrome->event;
  GArray               *stack = g_hash_table_lookup(chrome->open, open_key(chrome));
  if (stack == NULL || stack->len == 0) {
    chrome->reading->facts->n_skipped++;
    return;
  }
  LacRecord        record = g_array_index(stack, LacRecord, stack->len - 1);
  const char      *category = lac_trace_builder_get_text(chrome->builder, event->category);
  g_autofree char *lane =
    g_strdup_printf("%s (asynchronous)", category[0] != '\0' ? category : "spans");
  g_array_set_size(stack, stack->len - 1);
  record.duration_ns = MAX(event->time_ns - record.start_ns, 0);
  chrome->event.thread = (LacTraceId){LAC_TRACE_TEXT, intern(chrome, lane)};
  if (lac_trace_find_lane(chrome->reading, event, &record))
    lac_trace_builder_add(chrome->builder, &record);
}

static void
count_open(gpointer key, gpointer stack, gpointer user_data)
{
  Chrome *chrome = user_data;
  chrome->reading->facts->n_skipped += ((GArray *) stack)->len;
}

/* ---- events ---- */

static void
begin_span(Chrome *chrome)
{
  LacRecord record = lac_trace_make_record(&chrome->event, LAC_RECORD_SPAN);
  if (lac_trace_find_lane(chrome->reading, &chrome->event, &record))
    lac_trace_builder_begin(chrome->builder, &record);
}

static void
end_span(Chrome *chrome)
{
  LacRecord record;
  if (lac_trace_find_lane(chrome->reading, &chrome->event, &record) &&
      !lac_trace_builder_end(chrome->builder, record.lane, chrome->event.time_ns))
    chrome->reading->facts->n_skipped++;
}

static void
take_event(Chrome *chrome)
{
  LacChromeEvent *event = &chrome->event;
  if (event->is_empty) /* some programs end their list with an empty event */
    return;
  chrome->reading->facts->n_events++;
  if (!event->has_name)
    event->name = intern(chrome, "");
  if (event->phase == 'M') {
    take_metadata(chrome);
    return;
  }
  if (event->phase == '\0' || event->is_far || !event->has_time) {
    chrome->reading->facts->n_skipped++;
    return;
  }
  switch (event->phase) {
  case 'X': lac_trace_take_span(chrome->reading, event); break;
  case 'B': begin_span(chrome); break;
  case 'E': end_span(chrome); break;
  case 'C': lac_trace_take_counters(chrome->reading, event); break;
  case 'i':
  case 'I':
  case 'R':
  case 'n': lac_trace_take_mark(chrome->reading, event); break;
  case 's':
  case 't':
  case 'f': chrome->reading->facts->n_flows++; break;
  case 'b':
  case 'S': begin_async(chrome); break;
  case 'e':
  case 'F': end_async(chrome); break;
  default: chrome->reading->facts->n_skipped++; break;
  }
}

static void
read_events(Chrome *chrome)
{
  LacJsonScan *scan = &chrome->scan;
  if (lac_json_peek(scan) != '[') {
    lac_json_skip(scan);
    return;
  }
  chrome->has_list = TRUE;
  lac_json_take(scan, '[');
  if (lac_json_peek(scan) == ']') {
    lac_json_take(scan, ']');
    return;
  }
  do {
    if (lac_json_peek(scan) != '{') {
      lac_json_skip(scan);
      continue;
    }
    lac_chrome_read_event(scan, chrome->builder, &chrome->event);
    if (scan->state == LAC_JSON_SOUND)
      take_event(chrome);
  } while (!chrome->reading->is_crowded && lac_json_next(scan, ']'));
}

/* ---- what stands beside the events ---- */

static void
read_other_data(Chrome *chrome)
{
  LacJsonScan *scan = &chrome->scan;
  LacJsonText  text;
  if (lac_json_peek(scan) != '{') {
    lac_json_skip(scan);
    return;
  }
  lac_json_take(scan, '{');
  if (lac_json_peek(scan) == '}') {
    lac_json_take(scan, '}');
    return;
  }
  do {
    if (!lac_json_string(scan, &text))
      return;
    const gboolean is_program = text.n == 7 && memcmp(text.bytes, "program", 7) == 0;
    if (!lac_json_take(scan, ':'))
      return;
    if (!is_program || lac_json_peek(scan) != '"') {
      lac_json_skip(scan);
    } else if (lac_json_string(scan, &text)) {
      g_autofree char *name = g_strndup(text.bytes, text.n);
      g_autofree char *valid = g_utf8_make_valid(name, -1);
      lac_trace_describe_program(chrome->reading, valid);
    }
  } while (lac_json_next(scan, '}'));
}

static void
read_whole(Chrome *chrome)
{
  LacJsonScan *scan = &chrome->scan;
  LacJsonText  text;
  if (lac_json_peek(scan) == '[') {
    read_events(chrome);
    return;
  }
  if (!lac_json_take(scan, '{') || lac_json_peek(scan) == '}')
    return;
  do {
    if (!lac_json_string(scan, &text))
      return;
    g_autofree char *key = g_strndup(text.bytes, text.n);
    if (!lac_json_take(scan, ':'))
      return;
    if (g_str_equal(key, "deviceProperties") || g_str_equal(key, "traceName"))
      lac_trace_describe_program(chrome->reading, "torch.profiler");
    else if (g_str_equal(key, "viztracer_metadata"))
      lac_trace_describe_program(chrome->reading, "viztracer");
    if (g_str_equal(key, "traceEvents"))
      read_events(chrome);
    else if (g_str_equal(key, "otherData"))
      read_other_data(chrome);
    else
      lac_json_skip(scan);
  } while (!chrome->reading->is_crowded && lac_json_next(scan, '}'));
}

static gboolean
refuse(const Chrome *chrome, GError **error)
{
  const char *path = chrome->reading->path;
  if (chrome->reading->is_crowded)
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s has events of more than %d threads, the most that Lacuna shows", path,
                LAC_TRACE_MOST_THREADS);
  else if (chrome->scan.state == LAC_JSON_WRONG)
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s is damaged at byte %" G_GUINT64_FORMAT ": invalid JSON; write or copy it again",
                path, chrome->scan.fault);
  else if (!chrome->has_list)
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s is not a trace: it has no list of events (traceEvents)", path);
  else
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s is a trace without a single event", path);
  return FALSE;
}

static gboolean
is_sound(Chrome *chrome)
{
  const LacJsonScan *scan = &chrome->scan;
  if (chrome->reading->is_crowded || scan->state == LAC_JSON_WRONG || !chrome->has_list ||
      chrome->reading->facts->n_events == 0)
    return FALSE;
  if (scan->state == LAC_JSON_ENDS && lac_text_source_is_broken(scan->source))
    lac_trace_caution(
      chrome->reading,
      "The compressed file is damaged or truncated: only the data up to byte %" G_GUINT64_FORMAT
      " could be decompressed.",
      scan->fault);
  else if (scan->state == LAC_JSON_ENDS)
    lac_trace_caution(chrome->reading,
                      "The file is truncated at byte %" G_GUINT64_FORMAT
                      ", as after a program was stopped: everything before was imported.",
                      scan->fault);
  return TRUE;
}

gboolean
lac_trace_read_chrome(LacTraceReading *reading, LacTextSource *source, GError **error)
{
  g_autofree Chrome *chrome = g_new0(Chrome, 1);
  chrome->reading = reading;
  chrome->builder = reading->builder;
  chrome->open = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  chrome->thread_name = intern(chrome, "thread_name");
  chrome->thread_rank = intern(chrome, "thread_sort_index");
  chrome->process_name = intern(chrome, "process_name");
  chrome->process_labels = intern(chrome, "process_labels");
  chrome->process_rank = intern(chrome, "process_sort_index");
  reading->facts->format = "Chrome trace";
  lac_json_scan_init(&chrome->scan, source);
  read_whole(chrome);
  g_hash_table_foreach(chrome->open, count_open, chrome);
  const gboolean sound = is_sound(chrome) || refuse(chrome, error);
  lac_json_scan_clear(&chrome->scan);
  g_hash_table_unref(chrome->open);
  return sound;
}
