/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Chrome trace, streamed. Complete events of one tid must nest. Spans do; the aggregates of a step have a duration
 * and no place, so they are laid one after the other on a tid beside that of their lane. Their sum over several threads
 * may be longer than the step took: then all are drawn narrower by one factor, and their arguments have the true time. */
#include "perf/trace.h"

#include "base/error.h"
#include "base/json-quote.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FOREVER G_MAXINT64

/* The aggregates of a lane that began together, until it is known when the next begin. */
typedef struct {
  GArray *group;  /* gsize: places in the trace's records */
  gint64  end_ns; /* of what is drawn already */
  gint64  sum_ns;
} Operations;

typedef struct {
  FILE             *file;
  const LacCapture *capture;
  char            **names; /* of records, as JSON strings */
  guint32           n_names;
  gint64            origin_ns;  /* of the time axis: the earliest start */
  Operations       *operations; /* by lane */
  gsize             n_lanes;
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
put_number(FILE *file, const char *key, double value)
{
  g_autofree char *text = lac_json_dup_number(value);
  fprintf(file, "\"%s\":%s", key, text);
}

static void
put_name(Writer *writer, const LacRecord *record, const char *phase, guint tid)
{
  const char *name = record->name < writer->n_names ? writer->names[record->name] : "\"?\"";
  fprintf(writer->file, ",\n{\"ph\":\"%s\",\"pid\":1,\"tid\":%u,\"name\":%s", phase, tid, name);
}

static void
put_work(FILE *file, const LacRecord *record)
{
  fprintf(file, ",\"args\":{\"step\":%" G_GINT64_FORMAT ",\"count\":%" G_GUINT64_FORMAT,
          record->step, record->count);
  if (record->flops != 0) {
    putc(',', file);
    put_number(file, "flops", record->flops);
  }
  if (record->bytes != 0) {
    putc(',', file);
    put_number(file, "bytes", record->bytes);
  }
  if (record->memory >= 0)
    fprintf(file, ",\"memory_bytes\":%" G_GINT64_FORMAT, record->memory);
}

static guint
span_tid(gsize lane)
{
  return 2 * (guint) lane + 1;
}

static guint
operation_tid(gsize lane)
{
  return 2 * (guint) lane + 2;
}

static void
put_operation(Writer *writer, const LacRecord *record, gint64 start_ns, gint64 width_ns)
{
  put_name(writer, record, "X", operation_tid(record->lane));
  put_time(writer->file, "ts", start_ns - writer->origin_ns);
  put_time(writer->file, "dur", width_ns);
  put_work(writer->file, record);
  put_time(writer->file, "total_us", record->duration_ns);
  fputs("}}", writer->file);
}

/* @until_ns: where the next group begins, or FOREVER */
static void
put_group(Writer *writer, Operations *operations, gint64 until_ns)
{
  if (operations->group->len == 0)
    return;
  gint64 start_ns =
    lac_capture_at(writer->capture, g_array_index(operations->group, gsize, 0))->start_ns;
  gint64 at_ns = MAX(start_ns, operations->end_ns);
  gint64 room_ns = until_ns == FOREVER ? operations->sum_ns : MAX(until_ns - at_ns, 0);
  double narrow = 1;
  if (operations->sum_ns > room_ns)
    narrow = (double) room_ns / (double) operations->sum_ns;
  for (guint i = 0; i < operations->group->len; i++) {
    const LacRecord *record =
      lac_capture_at(writer->capture, g_array_index(operations->group, gsize, i));
    gint64 width_ns = record->duration_ns;
    if (narrow < 1)
      width_ns = (gint64) floor(narrow * (double) width_ns);
    put_operation(writer, record, at_ns, width_ns);
    at_ns += width_ns;
  }
  operations->end_ns = at_ns;
  operations->sum_ns = 0;
  g_array_set_size(operations->group, 0);
}

static void
take_aggregate(Writer *writer, gsize place)
{
  const LacRecord *record = lac_capture_at(writer->capture, place);
  Operations      *operations = &writer->operations[record->lane];
  if (operations->group->len > 0) {
    gsize first = g_array_index(operations->group, gsize, 0);
    if (lac_capture_at(writer->capture, first)->start_ns != record->start_ns)
      put_group(writer, operations, record->start_ns);
  }
  g_array_append_val(operations->group, place);
  operations->sum_ns += record->duration_ns;
}

static void
put_record(Writer *writer, gsize place)
{
  const LacRecord *record = lac_capture_at(writer->capture, place);
  FILE            *file = writer->file;
  if (record->kind > LAC_RECORD_MEMORY)
    return; /* of a newer file */
  switch ((LacRecordKind) record->kind) {
  case LAC_RECORD_AGGREGATE: take_aggregate(writer, place); return;
  case LAC_RECORD_MEMORY: return; /* has no place of its own in this format */
  case LAC_RECORD_SPAN:
    put_name(writer, record, "X", span_tid(record->lane));
    put_time(file, "ts", record->start_ns - writer->origin_ns);
    put_time(file, "dur", record->duration_ns);
    put_work(file, record);
    break;
  case LAC_RECORD_COUNTER:
    put_name(writer, record, "C", span_tid(record->lane));
    put_time(file, "ts", record->start_ns - writer->origin_ns);
    fputs(",\"args\":{", file);
    put_number(file, "value", record->value);
    break;
  case LAC_RECORD_MARK:
    put_name(writer, record, "i", span_tid(record->lane));
    put_time(file, "ts", record->start_ns - writer->origin_ns);
    fputs(",\"s\":\"t\"", file);
    put_work(file, record);
    break;
  }
  fputs("}}", file);
}

static void
put_thread(Writer *writer, guint tid, const char *name)
{
  FILE *file = writer->file;
  fprintf(
    file,
    ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":", tid);
  put_string(file, name);
  fprintf(file,
          "}},\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_sort_index\",\"args\":{\"sort_"
          "index\":%u}}",
          tid, tid);
}

static void
put_threads(Writer *writer)
{
  const LacCapture    *capture = writer->capture;
  g_autofree gboolean *has_operations = g_new0(gboolean, writer->n_lanes);
  for (gsize i = 0, n = lac_capture_get_n_records(capture); i < n; i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    has_operations[record->lane] |= record->kind == LAC_RECORD_AGGREGATE;
  }
  for (gsize lane = 0; lane < writer->n_lanes; lane++) {
    const char *name = lac_capture_get_lane(capture, (guint16) lane);
    put_thread(writer, span_tid(lane), name);
    if (has_operations[lane]) {
      g_autofree char *operations = g_strdup_printf("%s: operations", name);
      put_thread(writer, operation_tid(lane), operations);
    }
  }
}

static void
put_trace(Writer *writer)
{
  const char *title = lac_capture_get_title(writer->capture);
  fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":",
        writer->file);
  put_string(writer->file, title[0] != '\0' ? title : "Lacuna");
  fputs("}}", writer->file);
  put_threads(writer);
  for (gsize i = 0, n = lac_capture_get_n_records(writer->capture); i < n; i++)
    put_record(writer, i);
  for (gsize lane = 0; lane < writer->n_lanes; lane++)
    put_group(writer, &writer->operations[lane], FOREVER);
  fputs("\n]}\n", writer->file);
}

static void
write_to(FILE *file, const LacCapture *capture)
{
  Writer writer = {.file = file,
                   .capture = capture,
                   .n_names = lac_capture_get_n_names(capture),
                   .n_lanes = lac_capture_get_n_lanes(capture)};
  gint64 end_ns;
  lac_capture_get_extent(capture, &writer.origin_ns, &end_ns);
  for (gsize i = 0, n = lac_capture_get_n_records(capture); i < n; i++)
    writer.n_lanes = MAX(writer.n_lanes, lac_capture_at(capture, i)->lane + (gsize) 1);
  writer.names = g_new(char *, writer.n_names);
  for (guint32 i = 0; i < writer.n_names; i++)
    writer.names[i] = lac_json_quote(lac_capture_get_name(capture, i));
  writer.operations = g_new(Operations, writer.n_lanes);
  for (gsize i = 0; i < writer.n_lanes; i++)
    writer.operations[i] = (Operations){g_array_new(FALSE, FALSE, sizeof(gsize)), G_MININT64, 0};
  put_trace(&writer);
  for (gsize i = 0; i < writer.n_lanes; i++)
    g_array_unref(writer.operations[i].group);
  g_free(writer.operations);
  for (guint32 i = 0; i < writer.n_names; i++)
    g_free(writer.names[i]);
  g_free(writer.names);
}

static gboolean
refuse(const char *path, const char *temporary, int cause, GError **error)
{
  g_set_error(error, LAC_ERROR, cause == ENOSPC ? LAC_ERROR_DISK_FULL : LAC_ERROR_UNWRITABLE,
              _("the trace cannot be written to %s: %s"), path, g_strerror(cause));
  if (temporary != NULL)
    g_unlink(temporary);
  return FALSE;
}

gboolean
lac_trace_write_chrome(const LacCapture *capture, const char *path, GError **error)
{
  g_return_val_if_fail(capture != NULL && path != NULL, FALSE);
  g_autofree char *temporary = g_strdup_printf("%s.XXXXXX", path);
  int              fd = g_mkstemp_full(temporary, O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0)
    return refuse(path, NULL, errno, error);
  FILE *file = fdopen(fd, "w");
  if (file == NULL) {
    int cause = errno;
    close(fd);
    return refuse(path, temporary, cause, error);
  }
  errno = 0;
  write_to(file, capture);
  int cause = fflush(file) != 0 || ferror(file) != 0 ? errno : 0;
  if (fclose(file) != 0 && cause == 0)
    cause = errno;
  if (cause == 0 && g_rename(temporary, path) != 0)
    cause = errno;
  return cause == 0 ? TRUE : refuse(path, temporary, cause, error);
}
