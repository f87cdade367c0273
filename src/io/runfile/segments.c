/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reader of a run folder's segments. The sessions of a resumed run are merged: one table of names, one of lanes, and
 * a clock without gaps. */
#include "base/error.h"
#include "io/format/segment.h"
#include "io/runfile/format.h"
#include "io/runfile/frame-stream.h"
#include "io/runfile/header.h"
#include "io/runfile/place.h"
#include "io/runfile/run-file-private.h"

#include <math.h>
#include <string.h>

/* Returns text @i of a sequence of zero-terminated texts; "" when the payload ends early. */
static const char *
text_at(const guint8 *data, gsize length, guint i)
{
  gsize at = 0;

  for (guint k = 0;; k++) {
    const guint8 *end = at < length ? memchr(data + at, 0, length - at) : NULL;
    if (end == NULL)
      return "";
    if (k == i)
      return (const char *) data + at;
    at = (gsize) (end - data) + 1;
  }
}

/* ---- journal ---- */

typedef struct {
  LacRunFile *run;
  GArray     *steps, *seconds, *values, *events;
} JournalParse;

static void
parse_metrics_entry(JournalParse *parse, const LacSegment *segment)
{
  LacMetricsEntry entry;
  gsize           n = parse->run->n_metrics;

  if (segment->length != sizeof entry + n * sizeof(double))
    return;
  memcpy(&entry, segment->payload, sizeof entry);
  g_array_append_val(parse->steps, entry.step);
  g_array_append_val(parse->seconds, entry.seconds);
  g_array_append_vals(parse->values, segment->payload + sizeof entry, (guint) n);
  parse->run->steps = entry.step;
  parse->run->seconds = entry.seconds;
}

static void
parse_event_entry(JournalParse *parse, const LacSegment *segment)
{
  LacEventEntry entry;

  if (segment->length < sizeof entry)
    return;
  memcpy(&entry, segment->payload, sizeof entry);
  const guint8 *texts = segment->payload + sizeof entry;
  gsize         length = segment->length - sizeof entry;
  LacRunEvent   event = {
      entry.step,
      entry.seconds,
      g_strdup(text_at(texts, length, 0)),
      g_strdup(text_at(texts, length, 1)),
  };
  g_array_append_val(parse->events, event);
}

static void
parse_end_entry(JournalParse *parse, const LacSegment *segment)
{
  LacEndEntry entry;
  LacRunFile *run = parse->run;

  if (segment->length < sizeof entry)
    return;
  memcpy(&entry, segment->payload, sizeof entry);
  const guint8 *texts = segment->payload + sizeof entry;
  gsize         length = segment->length - sizeof entry;
  g_free(run->outcome);
  g_free(run->detail);
  run->outcome = g_strdup(text_at(texts, length, 0));
  run->detail = g_strdup(text_at(texts, length, 1));
  run->steps = entry.steps;
  run->seconds = entry.seconds;
  run->setup_seconds = entry.setup_seconds;
}

static LacSegmentReader *
open_part(const char *folder, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename(folder, name, NULL);

  return lac_segment_reader_new(path, error);
}

static gboolean
read_header(LacRunFile *run, LacSegmentReader *reader, GError **error)
{
  LacSegment segment;

  if (!lac_segment_reader_next(reader, &segment) || segment.type != LAC_SEGMENT_HEADER ||
      segment.length < 2) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s: the journal does not begin with the description of a run", run->path);
    return FALSE;
  }
  return lac_run_header_parse(run, (const char *) segment.payload, segment.length - 1, run->path,
                              error);
}

LacRunFile *
lac_run_file_read_header(const char *folder, GError **error)
{
  g_autoptr(LacRunFile)       run = lac_run_file_new(folder);
  g_autoptr(LacSegmentReader) reader = open_part(folder, LAC_RUN_JOURNAL, error);

  if (reader == NULL || !read_header(run, reader, error))
    return NULL;
  return g_steal_pointer(&run);
}

static gboolean
read_journal(LacRunSource *source, GError **error)
{
  LacRunFile                 *run = &source->run;
  g_autoptr(LacSegmentReader) reader = open_part(run->path, LAC_RUN_JOURNAL, error);
  LacSegment                  segment;

  if (reader == NULL || !read_header(run, reader, error))
    return FALSE;
  JournalParse parse = {
    .run = run,
    .steps = g_array_new(FALSE, FALSE, sizeof(gint64)),
    .seconds = g_array_new(FALSE, FALSE, sizeof(double)),
    .values = g_array_new(FALSE, FALSE, sizeof(double)),
    .events = g_array_new(FALSE, FALSE, sizeof(LacRunEvent)),
  };
  while (lac_segment_reader_next(reader, &segment)) {
    switch (segment.type) {
    case LAC_SEGMENT_METRICS: parse_metrics_entry(&parse, &segment); break;
    case LAC_SEGMENT_EVENT: parse_event_entry(&parse, &segment); break;
    case LAC_SEGMENT_END: parse_end_entry(&parse, &segment); break;
    default: break; /* written by a later minor version */
    }
  }
  source->segment_bytes[0] = lac_segment_reader_get_size(reader);
  run->n_series = parse.steps->len;
  run->n_events = parse.events->len;
  run->series_step = (gint64 *) (gpointer) g_array_free(parse.steps, FALSE);
  run->series_seconds = (double *) (gpointer) g_array_free(parse.seconds, FALSE);
  run->series = (double *) (gpointer) g_array_free(parse.values, FALSE);
  run->events = (LacRunEvent *) (gpointer) g_array_free(parse.events, FALSE);
  lac_run_file_find_last_metrics(run);
  return TRUE;
}

/* A stream replaced by run.h5 no longer exists. */
static gboolean
has_part(const LacRunFile *run, const char *name)
{
  g_autofree char *path = g_build_filename(run->path, name, NULL);

  return g_file_test(path, G_FILE_TEST_EXISTS);
}

/* ---- records ---- */

/* Table of texts of the run, and the mapping from the ids of the current session. */
typedef struct {
  GHashTable *index; /* text -> position */
  GPtrArray  *texts;
  GArray     *of_session; /* guint32 */
} NameTable;

static NameTable
name_table_new(void)
{
  return (NameTable){
    g_hash_table_new(g_str_hash, g_str_equal),
    g_ptr_array_new(),
    g_array_new(FALSE, FALSE, sizeof(guint32)),
  };
}

static char **
name_table_steal(NameTable *table)
{
  g_ptr_array_add(table->texts, NULL);
  g_hash_table_unref(table->index);
  g_array_unref(table->of_session);
  return (char **) g_ptr_array_free(table->texts, FALSE);
}

static void
name_table_add(NameTable *table, const LacSegment *segment)
{
  guint32 range[2];

  if (segment->length < sizeof range)
    return;
  memcpy(range, segment->payload, sizeof range);
  if (range[0] != table->of_session->len || range[1] > segment->length)
    return;
  for (guint i = 0; i < range[1]; i++) {
    const char *text = text_at(segment->payload + sizeof range, segment->length - sizeof range, i);
    gpointer    found;
    guint32     position = table->texts->len;

    if (g_hash_table_lookup_extended(table->index, text, NULL, &found)) {
      position = GPOINTER_TO_UINT(found);
    } else {
      char *copy = g_strdup(text);
      g_ptr_array_add(table->texts, copy);
      g_hash_table_insert(table->index, copy, GUINT_TO_POINTER(position));
    }
    g_array_append_val(table->of_session, position);
  }
}

typedef struct {
  NameTable names, lanes;
  GArray   *records;
  gint64    shift_ns, end_ns; /* clock offset of this session, and end of the last record so far */
  gboolean  shift_known;
} RecordParse;

/* Sums of such times fit 64 bits; a clock needs 36 years to reach it. */
#define MOST_NS (G_GINT64_CONSTANT(1) << 60)

static gboolean
has_time(const LacRecord *record)
{
  return record->start_ns >= -MOST_NS && record->start_ns <= MOST_NS && record->duration_ns >= 0 &&
         record->duration_ns <= MOST_NS;
}

static void
parse_records(RecordParse *parse, const LacSegment *segment)
{
  gsize n = segment->length / sizeof(LacRecord);

  for (gsize i = 0; i < n; i++) {
    LacRecord record;

    memcpy(&record, segment->payload + i * sizeof record, sizeof record);
    if (record.name >= parse->names.of_session->len ||
        record.lane >= parse->lanes.of_session->len || !has_time(&record))
      continue;
    record.name = g_array_index(parse->names.of_session, guint32, record.name);
    record.lane = (guint16) g_array_index(parse->lanes.of_session, guint32, record.lane);
    if (!parse->shift_known) {
      parse->shift_ns = parse->records->len > 0 ? parse->end_ns - record.start_ns : 0;
      parse->shift_known = TRUE;
    }
    record.start_ns += parse->shift_ns;
    parse->end_ns = MIN(MAX(parse->end_ns, record.start_ns + record.duration_ns), MOST_NS);
    g_array_append_val(parse->records, record);
  }
}

static void
begin_session(RecordParse *parse)
{
  g_array_set_size(parse->names.of_session, 0);
  g_array_set_size(parse->lanes.of_session, 0);
  parse->shift_known = FALSE;
}

static gboolean
read_records(LacRunSource *source, GError **error)
{
  LacRunFile                 *run = &source->run;
  g_autoptr(LacSegmentReader) reader = NULL;
  LacSegment                  segment;
  gsize                       n_records;

  if (!has_part(run, LAC_RUN_RECORDS)) {
    lac_run_file_make_capture(run, NULL, NULL);
    return TRUE;
  }
  reader = open_part(run->path, LAC_RUN_RECORDS, error);
  if (reader == NULL)
    return FALSE;
  RecordParse parse = {
    .names = name_table_new(),
    .lanes = name_table_new(),
    .records = g_array_new(FALSE, FALSE, sizeof(LacRecord)),
  };
  while (lac_segment_reader_next(reader, &segment)) {
    switch (segment.type) {
    case LAC_SEGMENT_SESSION: begin_session(&parse); break;
    case LAC_SEGMENT_NAMES: name_table_add(&parse.names, &segment); break;
    case LAC_SEGMENT_LANES: name_table_add(&parse.lanes, &segment); break;
    case LAC_SEGMENT_RECORDS: parse_records(&parse, &segment); break;
    default: break;
    }
  }
  source->segment_bytes[1] = lac_segment_reader_get_size(reader);
  g_auto(GStrv) names = name_table_steal(&parse.names);
  g_auto(GStrv) lanes = name_table_steal(&parse.lanes);
  lac_run_file_make_capture(run, (const char *const *) names, (const char *const *) lanes);
  n_records = parse.records->len;
  lac_capture_adopt(run->capture, (LacRecord *) (gpointer) g_array_free(parse.records, FALSE),
                    n_records);
  return TRUE;
}

/* ---- frames ---- */

/* Retains every stride-th step, and the first and the last frame. */
static void
keep_frames(LacRunSource *source, const GArray *all, gint64 stride)
{
  LacRunFile *run = &source->run;
  guint64    *offsets = g_new(guint64, all->len + 1);

  run->frame_step = g_new(gint64, all->len + 1);
  for (guint i = 0; i < all->len; i++) {
    const LacFrameAt *at = &g_array_index(all, LacFrameAt, i);

    if (at->step % stride != 0 && i > 0 && i + 1 < all->len)
      continue;
    run->frame_step[run->n_frames] = at->step;
    offsets[run->n_frames++] = at->offset;
  }
  source->segment_frames = lac_segment_frames_new(run->path, offsets);
}

static gboolean
read_frames(LacRunSource *source, GError **error)
{
  LacRunFile      *run = &source->run;
  g_autofree char *h5 = g_build_filename(run->path, LAC_RUN_H5, NULL);
  gint64           stride = 1;

  if (!has_part(run, LAC_RUN_FRAMES)) {
    lac_run_file_take_h5_frames(source, h5);
    return TRUE;
  }
  g_autoptr(GArray) all =
    lac_frame_stream_list(run->path, &stride, &source->segment_bytes[2], error);
  if (all == NULL)
    return FALSE;
  keep_frames(source, all, stride);
  return TRUE;
}

LacRunFile *
lac_run_file_read_segments(const char *folder, const char *outcome, GError **error)
{
  g_autoptr(LacRunFile) run = lac_run_file_new(folder);
  LacRunSource         *source = lac_run_source(run);

  run->outcome = g_strdup(outcome);
  run->detail = g_strdup("");
  if (!read_journal(source, error) || !read_records(source, error) || !read_frames(source, error))
    return NULL;
  return g_steal_pointer(&run);
}

/* Determines the outcome of a run whose journal has none. */
static void
find_outcome(LacRunFile *run)
{
  if (*run->outcome != '\0')
    return;
  g_free(run->outcome);
  run->outcome = g_strdup(lac_run_place_is_written(run->path) ? "running" : "interrupted");
}

static LacRunFile *
open_parts(const char *folder, gboolean with_frames, GError **error)
{
  g_autoptr(LacRunFile) run = lac_run_file_new(folder);
  LacRunSource         *source = lac_run_source(run);

  run->outcome = g_strdup("");
  run->detail = g_strdup("");
  if (!read_journal(source, error) || (with_frames && !read_frames(source, error)))
    return NULL;
  return g_steal_pointer(&run);
}

LacRunFile *
lac_run_file_read_ending(const char *folder, GError **error)
{
  return open_parts(folder, FALSE, error);
}

LacRunFile *
lac_run_file_open_journal(const char *folder, GError **error)
{
  LacRunFile *run = open_parts(folder, FALSE, error);

  if (run != NULL)
    find_outcome(run);
  return run;
}

LacRunFile *
lac_run_file_open_fields(const char *folder, GError **error)
{
  LacRunFile *run = open_parts(folder, TRUE, error);

  if (run != NULL)
    find_outcome(run);
  return run;
}
