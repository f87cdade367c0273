/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of an event. */
#include "io/trace/event.h"

#include "perf/trace/keys.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Times are limited to this, so that sums and differences of three fit a gint64. */
#define MOST_NS (G_MAXINT64 / 4)
/* Largest exact integer of a double. */
#define MOST_WHOLE 9007199254740992.0

static gboolean
is(LacJsonText text, const char *word)
{
  return text.n == strlen(word) && memcmp(text.bytes, word, text.n) == 0;
}

static void
take_time(LacChromeEvent *event, LacJsonText text, gint64 *to)
{
  gint64 value;
  if (!lac_json_thousandfold(text, &value) || value > MOST_NS || value < -MOST_NS)
    event->is_far = TRUE;
  else
    *to = value;
}

/* Synonyms for flops and bytes in other programs. */
static gint
find_key(LacJsonText key)
{
  static const struct {
    const char *text;
    LacTraceKey key;
  } others[] = {{"step_num", LAC_TRACE_KEY_STEP},
                {"bytes_accessed", LAC_TRACE_KEY_BYTES},
                {"bytes accessed", LAC_TRACE_KEY_BYTES}};
  static const guint8 lengths[] = {
#define K(key, text) sizeof text - 1,
    LAC_TRACE_KEYS(K)
#undef K
  };
  for (guint i = 0; i < G_N_ELEMENTS(lengths); i++) {
    if (key.n == lengths[i] && memcmp(key.bytes, lac_trace_key_text(i), key.n) == 0)
      return (gint) i;
  }
  for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
    if (is(key, others[i].text))
      return (gint) others[i].key;
  }
  return -1;
}

static void
take_memory(LacChromeEvent *event, gint64 *to, double value)
{
  if (!event->has_memory)
    event->memory.cpu_delta = event->memory.cpu_peak = event->memory.gpu_delta =
      event->memory.gpu_peak = LAC_RECORD_UNKNOWN;
  event->has_memory = TRUE;
  *to = (gint64) value;
}

static void
take_known(LacChromeEvent *event, LacTraceKey key, double value)
{
  LacRecord     *record = &event->record;
  const gboolean is_count = value >= 0 && value <= MOST_WHOLE;
  const gboolean is_number = value >= 0 && value <= G_MAXUINT32;
  if ((value > MOST_WHOLE || value < -MOST_WHOLE) && key != LAC_TRACE_KEY_FLOPS &&
      key != LAC_TRACE_KEY_BYTES)
    return;
  switch (key) {
  case LAC_TRACE_KEY_STEP: record->step = (gint64) value; break;
  case LAC_TRACE_KEY_COUNT: record->count = is_count ? (guint64) value : 1; break;
  case LAC_TRACE_KEY_FLOPS: record->flops = MAX(value, 0); break;
  case LAC_TRACE_KEY_BYTES: record->bytes = MAX(value, 0); break;
  case LAC_TRACE_KEY_MEMORY: record->memory = is_count ? (gint64) value : -1; break;
  case LAC_TRACE_KEY_EPOCH: record->epoch = is_number ? (guint32) value : 0; break;
  case LAC_TRACE_KEY_BATCH: record->batch = is_number ? (guint32) value : 0; break;
  case LAC_TRACE_KEY_CPU_DELTA: take_memory(event, &event->memory.cpu_delta, value); break;
  case LAC_TRACE_KEY_CPU_PEAK: take_memory(event, &event->memory.cpu_peak, value); break;
  case LAC_TRACE_KEY_GPU_DELTA: take_memory(event, &event->memory.gpu_delta, value); break;
  case LAC_TRACE_KEY_GPU_PEAK: take_memory(event, &event->memory.gpu_peak, value); break;
  case LAC_TRACE_KEY_BEGIN: event->begin_ns = (gint64) value; break;
  case LAC_TRACE_KEY_TOTAL:
    event->total_ns = (gint64) value;
    event->has_total = TRUE;
    break;
  case LAC_TRACE_KEY_VALUE:
  case LAC_TRACE_N_KEYS: break;
  }
}

/* @key: interned if it may be a counter's */
static void
take_number(LacChromeEvent *event, gint known, guint32 key, LacJsonText text)
{
  double value;
  if (!lac_json_real(text, &value))
    return;
  if (known >= 0)
    take_known(event, (LacTraceKey) known, value);
  if (key != G_MAXUINT32 && event->n_series < LAC_CHROME_MOST_SERIES) {
    event->series[event->n_series].name = key;
    event->series[event->n_series++].value = value;
  }
}

static void
read_argument(LacJsonScan *scan, LacTraceBuilder *builder, LacChromeEvent *event)
{
  LacJsonText    text;
  const gboolean may_count = event->phase == 'C' || event->phase == '\0';
  if (!lac_json_string(scan, &text))
    return;
  const gint     known = find_key(text);
  const gboolean is_name = is(text, "name") || is(text, "labels"), is_rank = is(text, "sort_index");
  const guint32  key =
    may_count ? lac_trace_builder_intern(builder, text.bytes, text.n) : G_MAXUINT32;
  if (!lac_json_take(scan, ':'))
    return;
  const char next = lac_json_peek(scan);
  if (next == '{' || next == '[' || (known < 0 && !may_count && !is_name && !is_rank)) {
    lac_json_skip(scan);
  } else if (next != '"') {
    if (!lac_json_word(scan, &text))
      return;
    if (is_rank && lac_json_thousandfold(text, &event->rank))
      event->rank /= 1000;
    take_number(event, known, key, text);
  } else if (lac_json_string(scan, &text)) {
    if (is_name) {
      event->has_arg_name = TRUE;
      event->arg_name = lac_trace_builder_intern(builder, text.bytes, text.n);
    }
    if (known >= 0)
      take_number(event, known, G_MAXUINT32, text);
  }
}

/* Reads the identifier of a process, a thread or an asynchronous span: a number or a text. */
static LacTraceId
read_id(LacJsonScan *scan, LacTraceBuilder *builder)
{
  LacJsonText text = {0};
  gint64      value;
  LacTraceId  id = {LAC_TRACE_NOBODY, 0};
  if (lac_json_peek(scan) == '"') {
    if (lac_json_string(scan, &text))
      id = (LacTraceId){LAC_TRACE_TEXT, lac_trace_builder_intern(builder, text.bytes, text.n)};
    return id;
  }
  if (lac_json_peek(scan) == '{' || lac_json_peek(scan) == '[')
    lac_json_skip(scan);
  else if (lac_json_word(scan, &text) && lac_json_thousandfold(text, &value))
    id = (LacTraceId){LAC_TRACE_NUMBER, value / 1000};
  else if (text.n > 0 && !is(text, "null")) /* a number too large for a gint64 is used as a name */
    id = (LacTraceId){LAC_TRACE_TEXT, lac_trace_builder_intern(builder, text.bytes, text.n)};
  return id;
}

/* Reads a number, or a string with a number, as some programs write times. */
static gboolean
read_number(LacJsonScan *scan, LacJsonText *text)
{
  if (lac_json_peek(scan) == '"')
    return lac_json_string(scan, text);
  return lac_json_word(scan, text);
}

static void
read_text(LacJsonScan *scan, LacTraceBuilder *builder, guint32 *to)
{
  LacJsonText text;
  if (lac_json_peek(scan) != '"')
    lac_json_skip(scan);
  else if (lac_json_string(scan, &text))
    *to = lac_trace_builder_intern(builder, text.bytes, text.n);
}

static void
read_arguments(LacJsonScan *scan, LacTraceBuilder *builder, LacChromeEvent *event)
{
  if (lac_json_peek(scan) != '{') {
    lac_json_skip(scan);
    return;
  }
  lac_json_take(scan, '{');
  if (lac_json_peek(scan) == '}') {
    lac_json_take(scan, '}');
    return;
  }
  do
    read_argument(scan, builder, event);
  while (lac_json_next(scan, '}'));
}

typedef enum {
  OTHER,
  PHASE,
  NAME,
  CATEGORY,
  PROCESS,
  THREAD,
  ID,
  TIME,
  DURATION,
  ARGUMENTS
} Member;

static Member
find_member(LacJsonText key)
{
#define ROW(text, member)         \
  {                               \
    text, sizeof text - 1, member \
  }
  static const struct {
    const char *text;
    gsize       n;
    Member      member;
  } rows[] = {ROW("ts", TIME),        ROW("dur", DURATION), ROW("ph", PHASE),
              ROW("pid", PROCESS),    ROW("tid", THREAD),   ROW("name", NAME),
              ROW("args", ARGUMENTS), ROW("cat", CATEGORY), ROW("id", ID),
              ROW("id2", ID)};
#undef ROW
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
    if (rows[i].n == key.n && memcmp(rows[i].text, key.bytes, key.n) == 0)
      return rows[i].member;
  }
  return OTHER;
}

static void
read_member(LacJsonScan *scan, LacTraceBuilder *builder, LacChromeEvent *event)
{
  LacJsonText text;
  if (!lac_json_string(scan, &text))
    return;
  const Member member = find_member(text);
  if (!lac_json_take(scan, ':'))
    return;
  switch (member) {
  case OTHER: lac_json_skip(scan); break;
  case PHASE:
    if (lac_json_string(scan, &text) && text.n == 1)
      event->phase = text.bytes[0];
    break;
  case NAME:
    event->has_name = TRUE;
    read_text(scan, builder, &event->name);
    break;
  case CATEGORY: read_text(scan, builder, &event->category); break;
  case PROCESS: event->process = read_id(scan, builder); break;
  case THREAD: event->thread = read_id(scan, builder); break;
  case ID: event->id = read_id(scan, builder); break;
  case TIME:
    event->has_time = TRUE;
    if (read_number(scan, &text))
      take_time(event, text, &event->time_ns);
    break;
  case DURATION:
    if (read_number(scan, &text))
      take_time(event, text, &event->duration_ns);
    break;
  case ARGUMENTS: read_arguments(scan, builder, event); break;
  }
}

void
lac_chrome_event_clear(LacChromeEvent *event)
{
  memset(event, 0, offsetof(LacChromeEvent, series));
  event->record.step = event->record.memory = -1;
  event->record.count = 1;
}

void
lac_chrome_event_take(LacChromeEvent *event, LacJsonText key, double value)
{
  const gint known = find_key(key);
  if (known >= 0 && isfinite(value))
    take_known(event, (LacTraceKey) known, value);
}

void
lac_chrome_read_event(LacJsonScan *scan, LacTraceBuilder *builder, LacChromeEvent *event)
{
  lac_chrome_event_clear(event);
  if (!lac_json_take(scan, '{'))
    return;
  if (lac_json_peek(scan) == '}') {
    event->is_empty = TRUE;
    lac_json_take(scan, '}');
    return;
  }
  do
    read_member(scan, builder, event);
  while (lac_json_next(scan, '}'));
}
