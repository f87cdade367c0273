/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trace writer: format by file name extension; Chrome's and CSV here, Perfetto's in perfetto.c. Files are written
 * atomically, compressed on request. */
#define _GNU_SOURCE
#include "perf/trace/trace.h"

#include "base/error.h"
#include "base/json-quote.h"
#include "base/number.h"
#include "base/text-rows.h"
#include "perf/trace/trace-private.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <unistd.h>

/* ---- Chrome: complete events, counters and instants, one tid per track ---- */

typedef struct {
  FILE         *file;
  char        **names; /* of the capture, as JSON strings */
  guint32       n_names;
  gint64        origin_ns;
  LacTraceFlows flows;
  guint64       n_flows; /* flows written */
} Writer;

static void
put_string(FILE *file, const char *text)
{
  g_autofree char *json = lac_json_quote(text);
  fputs(json, file);
}

/* Writes nanoseconds as microseconds with three decimals: exact. */
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
    /* JSON has no infinity or NaN. */
    g_autofree char *text =
      isfinite(numbers[i].real) ? lac_number_dup_text(numbers[i].real) : g_strdup("null");
    fputs(text, writer->file);
  }
  fputs("}}", writer->file);
}

/* Thread ids start at 1: viewers treat 0 as none. */
static guint
tid_of(guint track)
{
  return track + 1;
}

/* A viewer binds a flow end to the slice at its time and thread; the middle of the slice is safe. */
static void
put_flow_end(Writer     *writer,
             const char *phase,
             const char *kind,
             guint       track,
             gint64      start_ns,
             gint64      width_ns)
{
  fprintf(writer->file,
          ",\n{\"ph\":%s,\"cat\":\"%s\",\"name\":\"%s\",\"id\":%" G_GUINT64_FORMAT
          ",\"pid\":1,\"tid\":%u",
          phase, kind, kind, writer->n_flows, tid_of(track));
  put_time(writer->file, "ts", start_ns + width_ns / 2);
  fputc('}', writer->file);
}

static void
put_flow(Writer *writer, const LacTraceEvent *event)
{
  const LacRecord *target = lac_trace_find_target(&writer->flows, event);
  if (target == NULL)
    return;
  const char *kind = target->kind == LAC_RECORD_KERNEL ? "launch" : "frame";
  writer->n_flows++;
  put_flow_end(writer, "\"s\"", kind, event->track, event->start_ns, event->width_ns);
  put_flow_end(writer, "\"f\",\"bp\":\"e\"", kind, lac_trace_track(target->lane, FALSE),
               target->start_ns - writer->origin_ns, target->duration_ns);
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

static void
put_chrome(const LacCapture *capture, FILE *file)
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
  lac_trace_flows_init(&writer.flows, capture);
  lac_trace_walk(capture, put_event, &writer);
  lac_trace_flows_clear(&writer.flows);
  fputs("\n]}\n", file);
  for (guint32 i = 0; i < writer.n_names; i++)
    g_free(writer.names[i]);
  g_free(writer.names);
}

/* ---- CSV: one row per record, empty cells for members its kind lacks ---- */

static const char *const kinds[] = {
  [LAC_RECORD_SPAN] = "span",
  [LAC_RECORD_AGGREGATE] = "aggregate",
  [LAC_RECORD_COUNTER] = "counter",
  [LAC_RECORD_MARK] = "mark",
  [LAC_RECORD_MEMORY] = "memory",
  [LAC_RECORD_SPANS_DROPPED] = "spans let go",
  [LAC_RECORD_CALLS_DROPPED] = "calls let go",
  [LAC_RECORD_KERNEL] = "kernel",
};

static void
put_text(FILE *file, const char *text)
{
  if (!lac_text_needs_quotes(text)) {
    fputs(text, file);
    return;
  }
  g_autofree char *cell = lac_text_quote(text);
  fputs(cell, file);
}

static void
put_real(FILE *file, gboolean is_known, double value)
{
  g_autofree char *text = is_known ? lac_number_dup_text(value) : g_strdup("");
  fprintf(file, ",%s", text);
}

static void
put_whole(FILE *file, gboolean is_known, gint64 value)
{
  if (is_known)
    fprintf(file, ",%" G_GINT64_FORMAT, value);
  else
    putc(',', file);
}

static void
put_row(FILE *file, const LacCapture *capture, const LacRecord *record, gint64 origin_ns)
{
  const gint64 unknown = LAC_RECORD_UNKNOWN;
  gboolean     is_memory = record->kind == LAC_RECORD_MEMORY;
  gboolean     is_counter = record->kind == LAC_RECORD_COUNTER;
  gboolean     has_work = !is_memory && !is_counter;
  gboolean     is_span = record->kind == LAC_RECORD_SPAN;
  fprintf(file, "%s,", kinds[record->kind]);
  put_text(file, lac_capture_get_name(capture, record->name));
  putc(',', file);
  put_text(file, lac_capture_get_lane(capture, record->lane));
  put_whole(file, TRUE, record->depth);
  put_whole(file, TRUE, record->start_ns - origin_ns);
  put_whole(file, !is_counter && record->kind != LAC_RECORD_MARK, record->duration_ns);
  put_whole(file, record->step >= 0, record->step);
  put_whole(file, is_span && record->epoch != 0, record->epoch);
  put_whole(file, is_span && record->batch != 0, record->batch);
  put_whole(file, has_work, (gint64) record->count);
  put_real(file, has_work, record->flops);
  put_real(file, has_work, record->bytes);
  put_real(file, is_counter, record->value);
  put_whole(file, has_work && record->memory >= 0, record->memory);
  put_whole(file, is_memory && record->cpu_delta != unknown, record->cpu_delta);
  put_whole(file, is_memory && record->cpu_peak != unknown, record->cpu_peak);
  put_whole(file, is_memory && record->gpu_delta != unknown, record->gpu_delta);
  put_whole(file, is_memory && record->gpu_peak != unknown, record->gpu_peak);
  putc('\n', file);
}

static void
put_csv(const LacCapture *capture, FILE *file)
{
  gint64 begin_ns, end_ns;
  lac_capture_get_extent(capture, &begin_ns, &end_ns);
  fputs("kind,name,lane,depth,start [ns],duration [ns],step,epoch,batch,count,flops,bytes [B],"
        "value,memory [B],cpu_delta [B],cpu_peak [B],gpu_delta [B],gpu_peak [B]\n",
        file);
  for (gsize i = 0, n = lac_capture_get_n_records(capture); i < n; i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    if (record->kind < G_N_ELEMENTS(kinds)) /* other kinds come from newer files */
      put_row(file, capture, record, begin_ns);
  }
}

/* ---- format and file ---- */

#define BLOCK         65536
#define PACKED_ENDING ".gz"
/* Traces are repetitive: level 1 already reaches a tenth of the size, several times as fast as the default 6. */
#define PACK_LEVEL 1

static const struct {
  const char *ending;
  void (*put)(const LacCapture *capture, FILE *file);
} formats[] = {
  {".json", put_chrome},
  {".pftrace", lac_trace_put_perfetto},
  {".csv", put_csv},
};

typedef struct {
  GConverter *converter;
  FILE       *file;
} Packer;

static gboolean
pack(Packer *packer, const char *bytes, gsize n, GConverterFlags flags)
{
  GConverterResult result = G_CONVERTER_CONVERTED;
  while (n > 0 || (flags == G_CONVERTER_INPUT_AT_END && result != G_CONVERTER_FINISHED)) {
    guint8 block[BLOCK];
    gsize  n_read, n_written;
    result = g_converter_convert(packer->converter, bytes, n, block, sizeof block, flags, &n_read,
                                 &n_written, NULL);
    if (result == G_CONVERTER_ERROR || fwrite(block, 1, n_written, packer->file) != n_written)
      return FALSE;
    bytes += n_read;
    n -= n_read;
  }
  return TRUE;
}

static ssize_t
write_packed(void *cookie, const char *bytes, size_t n)
{
  return pack(cookie, bytes, n, G_CONVERTER_NO_FLAGS) ? (ssize_t) n : 0;
}

static int
close_packed(void *cookie)
{
  return pack(cookie, NULL, 0, G_CONVERTER_INPUT_AT_END) ? 0 : EOF;
}

/* Returns: errno on failure; 0 */
static int
put_packed(const LacCapture *capture, FILE *file, gsize format)
{
  g_autoptr(GZlibCompressor) compressor =
    g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, PACK_LEVEL);
  Packer packer = {G_CONVERTER(compressor), file};
  FILE  *unpacked = fopencookie(
     &packer, "w", (cookie_io_functions_t){.write = write_packed, .close = close_packed});
  if (unpacked == NULL)
    return errno;
  formats[format].put(capture, unpacked);
  gboolean is_wrong = ferror(unpacked) != 0;
  if (fclose(unpacked) != 0 || is_wrong)
    return errno != 0 ? errno : EIO;
  return 0;
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

static gboolean
write_format(const LacCapture *capture, const char *path, gsize format, GError **error)
{
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
  int cause = 0;
  errno = 0;
  if (g_str_has_suffix(path, PACKED_ENDING))
    cause = put_packed(capture, file, format);
  else
    formats[format].put(capture, file);
  if ((fflush(file) != 0 || ferror(file) != 0) && cause == 0)
    cause = errno != 0 ? errno : EIO;
  if (fclose(file) != 0 && cause == 0)
    cause = errno;
  if (cause == 0 && g_rename(temporary, path) != 0)
    cause = errno;
  return cause == 0 ? TRUE : refuse(path, temporary, cause, error);
}

gboolean
lac_trace_write(const LacCapture *capture, const char *path, GError **error)
{
  g_return_val_if_fail(capture != NULL && path != NULL, FALSE);
  for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
    g_autofree char *packed = g_strconcat(formats[i].ending, PACKED_ENDING, NULL);
    if (g_str_has_suffix(path, formats[i].ending) || g_str_has_suffix(path, packed))
      return write_format(capture, path, i, error);
  }
  g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
              _("%s: unknown trace format; use the extension .json, .json.gz, .pftrace or .csv"),
              path);
  return FALSE;
}
