/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kind of trace it is, and what to say of it. */
#include "io/trace/trace-file.h"

#include "base/error.h"
#include "io/trace/trace-private.h"
#include "perf/analysis/aggregate.h"
#include "perf/trace/keys.h"

#include <string.h>

void
lac_trace_facts_clear(LacTraceFacts *facts)
{
  g_clear_pointer(&facts->program, g_free);
  g_clear_pointer(&facts->caution, g_free);
}

gboolean
lac_trace_is_named(const char *path)
{
  static const char *const endings[] = {".json", ".pftrace", ".perfetto-trace"};
  g_autofree char         *small = g_ascii_strdown(path, -1);
  if (g_str_has_suffix(small, ".gz"))
    small[strlen(small) - 3] = '\0';
  for (gsize i = 0; i < G_N_ELEMENTS(endings); i++) {
    if (g_str_has_suffix(small, endings[i]))
      return TRUE;
  }
  return FALSE;
}

void
lac_trace_caution(LacTraceReading *reading, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  if (reading->caution->len > 0)
    g_string_append_c(reading->caution, ' ');
  g_string_append_vprintf(reading->caution, format, args);
  va_end(args);
}

void
lac_trace_tell_program(LacTraceReading *reading, const char *program)
{
  if (reading->facts->program == NULL)
    reading->facts->program = g_strdup(program);
}

static void
tell_left(LacTraceReading *reading, const LacTraceLeft *left)
{
  if (left->n_open > 0)
    lac_trace_caution(reading,
                      "%" G_GSIZE_FORMAT " spans had not ended; they end here with the last event "
                      "of their thread.",
                      left->n_open);
  if (left->n_left > 0)
    lac_trace_caution(reading,
                      "%" G_GSIZE_FORMAT " spans overlap with too many others of their thread and "
                      "are left out.",
                      left->n_left);
  if (reading->facts->n_skipped > 0)
    lac_trace_caution(reading,
                      "%" G_GUINT64_FORMAT " events are of kinds that are not shown, or lack their "
                      "time, and are left out.",
                      reading->facts->n_skipped);
}

static const char *
skip_blanks(const char *at, const char *end)
{
  while (at < end && *at != '\0' && strchr(" \t\r\n", *at) != NULL)
    at++;
  return at;
}

/* A protobuf begins with the newline that is the tag of its first packet; then comes a length, which may be a bracket. */
static gboolean
is_json(const LacTextSource *source)
{
  const char *first = skip_blanks(source->at, source->end);
  const char *next = first < source->end ? skip_blanks(first + 1, source->end) : first;
  return (*first == '[' || *first == '{') && strchr("{[\"]}", *next) != NULL;
}

static gboolean
read_format(LacTraceReading *reading, LacTextSource *source, GError **error)
{
  if (is_json(source))
    return lac_trace_read_chrome(reading, source, error);
  if (*source->at == '\n')
    return lac_trace_read_perfetto(reading, source, error);
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "%s is no trace that this program reads: Chrome's JSON, or Perfetto's protobuf",
              reading->path);
  return FALSE;
}

LacCapture *
lac_trace_open(const char *path, LacTraceFacts *facts, GError **error)
{
  g_return_val_if_fail(path != NULL, NULL);
  g_auto(LacTraceFacts)      own = {.format = ""};
  g_autoptr(GString)         caution = g_string_new(NULL);
  g_autoptr(LacTraceBuilder) builder = lac_trace_builder_new();
  g_autoptr(LacTextSource)   source = lac_text_source_open(path, error);
  LacTraceReading            reading = {builder, &own, path, caution, FALSE};
  LacTraceLeft               left;

  if (source == NULL || !read_format(&reading, source, error))
    return NULL;
  g_autofree char *base = g_path_get_basename(path);
  const gboolean   is_own = g_strcmp0(own.program, LAC_TRACE_PROGRAM) == 0;
  if (!is_own)
    lac_trace_number_steps(builder);
  LacCapture *capture =
    lac_trace_builder_finish(builder, is_own ? lac_trace_builder_get_title(builder) : base, &left);
  tell_left(&reading, &left);
  if (facts != NULL) {
    *facts = own;
    facts->program = own.program != NULL ? g_steal_pointer(&own.program) : g_strdup("");
    facts->caution = g_strdup(caution->str);
    own.caution = NULL;
  }
  return capture;
}

/* ---- what to say of one ---- */

/* Three digits and a unit. */
static void
append_duration(GString *out, double ns)
{
  static const struct {
    const char *unit;
    double      ns;
  } units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
  gsize i = 0;
  char  text[G_ASCII_DTOSTR_BUF_SIZE];
  while (i + 1 < G_N_ELEMENTS(units) && ns < units[i].ns)
    i++;
  g_ascii_formatd(text, sizeof text, "%.4g", ns / units[i].ns);
  g_string_append_printf(out, "%s %s", text, units[i].unit);
}

static void
append_lanes(GString *out, const LacCapture *capture)
{
  enum { MOST = 8 };
  const guint n = lac_capture_get_n_lanes(capture);
  g_string_append_printf(out, "lanes: %u", n);
  for (guint i = 0; i < MIN(n, MOST); i++)
    g_string_append_printf(out, "%s%s", i == 0 ? " (" : ", ",
                           lac_capture_get_lane(capture, (guint16) i));
  g_string_append(out, n > MOST ? ", ...)\n" : n > 0 ? ")\n" : "\n");
}

static void
append_operations(GString *out, const LacCapture *capture)
{
  enum { MOST = 5 };
  g_autoptr(LacAggregates) sums = lac_aggregates_new();
  gsize                    n;
  lac_aggregates_add_capture(sums, capture);
  const LacAggregate *rows = lac_aggregates_get(sums, &n);
  g_string_append_printf(out, "operations: %" G_GSIZE_FORMAT "\n", n);
  for (gsize i = 0; i < MIN(n, MOST); i++) {
    g_string_append(out, "  ");
    append_duration(out, rows[i].total_ns);
    g_string_append_printf(out, " in %" G_GUINT64_FORMAT " calls: %s\n", rows[i].count,
                           lac_capture_get_name(capture, rows[i].name));
  }
}

char *
lac_trace_describe(const LacCapture *capture, const char *path, const LacTraceFacts *facts)
{
  GString    *out = g_string_new(NULL);
  const gsize n = lac_capture_get_n_records(capture);
  gsize       kinds[LAC_RECORD_MEMORY + 1] = {0};
  gint64      begin_ns, end_ns;
  for (gsize i = 0; i < n; i++)
    kinds[MIN(lac_capture_at(capture, i)->kind, LAC_RECORD_MEMORY)]++;
  lac_capture_get_extent(capture, &begin_ns, &end_ns);
  g_string_append_printf(out, "%s: a %s%s%s of %" G_GUINT64_FORMAT " events\n", path, facts->format,
                         facts->program[0] != '\0' ? " of " : "", facts->program, facts->n_events);
  g_string_append_printf(out,
                         "records: %" G_GSIZE_FORMAT " (%" G_GSIZE_FORMAT " spans, %" G_GSIZE_FORMAT
                         " sums of steps, %" G_GSIZE_FORMAT " counter values, %" G_GSIZE_FORMAT
                         " marks) over ",
                         n, kinds[LAC_RECORD_SPAN], kinds[LAC_RECORD_AGGREGATE],
                         kinds[LAC_RECORD_COUNTER], kinds[LAC_RECORD_MARK]);
  append_duration(out, (double) end_ns - (double) begin_ns);
  g_string_append_c(out, '\n');
  append_lanes(out, capture);
  append_operations(out, capture);
  if (facts->n_flows > 0)
    g_string_append_printf(out, "flows between events: %" G_GUINT64_FORMAT " (not kept)\n",
                           facts->n_flows);
  if (facts->caution[0] != '\0')
    g_string_append_printf(out, "caution: %s\n", facts->caution);
  return g_string_free(out, FALSE);
}
