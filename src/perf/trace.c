/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Chrome trace, streamed. X events of one tid must nest: the aggregates of a step, which have a duration and no place,
 * are laid one after the other on a tid of their own beside their lane. */
#include "perf/trace.h"

#include "base/error.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  FILE           *file;
  const LacTrace *trace;
  gint64          begin_ns;
  gint64         *aggregate_end; /* by lane: where the next aggregate may start */
} Writer;

/* A JSON string with its quotes. */
static void
put_text(FILE *file, const char *text)
{
  putc('"', file);
  for (const char *c = text; *c; c++) {
    if (*c == '"' || *c == '\\')
      fprintf(file, "\\%c", *c);
    else if ((guchar) *c < 0x20)
      fprintf(file, "\\u%04x", (guint) *c);
    else
      putc(*c, file);
  }
  putc('"', file);
}

/* Nanoseconds as microseconds with three decimals, without the locale. */
static void
put_microseconds(FILE *file, const char *key, gint64 ns)
{
  fprintf(file, ",\"%s\":%s%" G_GINT64_FORMAT ".%03d", key, ns < 0 ? "-" : "", ABS(ns) / 1000,
          (int) (ABS(ns) % 1000));
}

static void
put_double(FILE *file, const char *key, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  fprintf(file, "\"%s\":%s", key, g_ascii_formatd(text, sizeof text, "%.9g", value));
}

static void
put_metadata(Writer *writer, const char *what, guint tid, const char *name)
{
  fprintf(writer->file,
          ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"%s\",\"args\":{\"name\":", tid, what);
  put_text(writer->file, name);
  fputs("}}", writer->file);
}

static guint
tid_of(const LacRecord *record)
{
  return 2u * record->lane + (record->kind == LAC_RECORD_AGGREGATE ? 2 : 1);
}

static void
put_record(Writer *writer, const LacRecord *record)
{
  static const char *const phases[] = {[LAC_RECORD_SPAN] = "X",
                                       [LAC_RECORD_AGGREGATE] = "X",
                                       [LAC_RECORD_COUNTER] = "C",
                                       [LAC_RECORD_MARK] = "i"};
  FILE                    *file = writer->file;
  gint64                   start_ns = record->start_ns;

  if (record->kind >= G_N_ELEMENTS(phases))
    return;
  if (record->kind == LAC_RECORD_AGGREGATE) {
    start_ns = MAX(start_ns, writer->aggregate_end[record->lane]);
    writer->aggregate_end[record->lane] = start_ns + record->duration_ns;
  }
  fprintf(file, ",\n{\"ph\":\"%s\",\"pid\":1,\"tid\":%u,\"name\":", phases[record->kind],
          tid_of(record));
  put_text(file, record->name < writer->trace->n_names ? writer->trace->names[record->name] : "?");
  put_microseconds(file, "ts", start_ns - writer->begin_ns);
  if (*phases[record->kind] == 'X')
    put_microseconds(file, "dur", record->duration_ns);
  fputs(*phases[record->kind] == 'i' ? ",\"s\":\"t\",\"args\":{" : ",\"args\":{", file);
  if (record->kind == LAC_RECORD_COUNTER) {
    put_double(file, "value", record->value);
  } else {
    fprintf(file, "\"step\":%" G_GINT64_FORMAT ",\"count\":%" G_GUINT64_FORMAT, record->step,
            record->count);
    if (record->flops > 0) {
      putc(',', file);
      put_double(file, "flops", record->flops);
    }
    if (record->memory >= 0)
      fprintf(file, ",\"memory_bytes\":%" G_GINT64_FORMAT, record->memory);
  }
  fputs("}}", file);
}

static void
write_events(Writer *writer)
{
  const LacTrace *trace = writer->trace;

  fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":"
        "\"process_name\",\"args\":{\"name\":",
        writer->file);
  put_text(writer->file, trace->title ? trace->title : "lacuna");
  fputs("}}", writer->file);
  for (gsize i = 0; i < trace->n_lanes; i++) {
    g_autofree char *operations = g_strdup_printf("%s: operations per step", trace->lanes[i]);

    put_metadata(writer, "thread_name", 2 * (guint) i + 1, trace->lanes[i]);
    put_metadata(writer, "thread_name", 2 * (guint) i + 2, operations);
  }
  for (gsize i = 0; i < trace->n_records; i++)
    put_record(writer, &trace->records[i]);
  fputs("\n]}\n", writer->file);
}

gboolean
lac_trace_write_chrome(const LacTrace *trace, const char *path, GError **error)
{
  g_autofree char   *temporary = g_strdup_printf("%s.part", path);
  g_autofree gint64 *ends = g_new0(gint64, trace->n_lanes + G_MAXUINT8);
  Writer             writer = {.trace = trace, .begin_ns = G_MAXINT64, .aggregate_end = ends};
  gboolean           whole;

  for (gsize i = 0; i < trace->n_records; i++)
    writer.begin_ns = MIN(writer.begin_ns, trace->records[i].start_ns);
  writer.file = g_fopen(temporary, "w");
  if (writer.file) {
    write_events(&writer);
    whole = !ferror(writer.file);
    whole = !fclose(writer.file) && whole;
    if (whole && !g_rename(temporary, path))
      return TRUE;
  }
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE, "the trace cannot be written to %s: %s", path,
              g_strerror(errno));
  g_unlink(temporary);
  return FALSE;
}
