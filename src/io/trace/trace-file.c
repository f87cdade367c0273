/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detection of the trace format, and its description. */
#include "io/trace/trace-file.h"

#include "base/error.h"
#include "io/trace/trace-private.h"
#include "perf/analysis/aggregate.h"
#include "perf/trace/keys.h"

#include <string.h>

/* ---- steps ---- */

/* Steps of other programs. torch.profiler gives each step a new name, ProfilerStep#7: here they become spans of one
 * name with a step number, like JAX's. Spans enclosed by a step on its thread get its number. */

#define TORCH_STEP "ProfilerStep"

typedef struct {
  gint64 begin_ns, end_ns, step;
} Step;

/* Returns: -1: not the name of a step */
static gint64
read_step(const char *name)
{
  const gsize n = strlen(TORCH_STEP "#");
  guint64     step;

  if (strncmp(name, TORCH_STEP "#", n) != 0 ||
      !g_ascii_string_to_unsigned(name + n, 10, 0, G_MAXINT64, &step, NULL))
    return -1;
  return (gint64) step;
}

/* Returns: (transfer full) (nullable): the step number for each text; NULL: none is the name of a step */
static gint64 *
read_names(const LacTraceBuilder *builder)
{
  g_autofree gint64 *steps = g_new(gint64, builder->texts->len + 1);
  gboolean           any = FALSE;

  for (guint32 i = 0; i < builder->texts->len; i++) {
    steps[i] = read_step(lac_trace_builder_get_text(builder, i));
    any |= steps[i] >= 0;
  }
  return any ? g_steal_pointer(&steps) : NULL;
}

/* Renames the steps of the first thread that has them: a device repeats the same steps at its own times. */
static void
take_names(LacTraceBuilder *builder)
{
  g_autofree gint64 *steps = read_names(builder);
  const guint32      n_texts = builder->texts->len;
  gint               thread = -1;

  if (steps == NULL)
    return;
  const guint32 name = lac_trace_builder_intern(builder, TORCH_STEP, strlen(TORCH_STEP));
  for (gsize i = 0; i < builder->n_records; i++) {
    LacRecord *record = &builder->records[i];

    if (record->kind != LAC_RECORD_SPAN || record->name >= n_texts || steps[record->name] < 0)
      continue;
    if (thread < 0)
      thread = record->lane;
    if (record->lane != thread)
      continue;
    record->step = steps[record->name];
    record->name = name;
  }
}

static gint
compare(gconstpointer a, gconstpointer b)
{
  const Step *x = a, *y = b;

  return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

/* Lists, by thread, its steps in order of time; NULL for a thread without steps. */
static GPtrArray *
list_steps(const LacTraceBuilder *builder)
{
  GPtrArray *lists = g_ptr_array_new();

  g_ptr_array_set_size(lists, (gint) builder->threads->len);
  for (gsize i = 0; i < builder->n_records; i++) {
    const LacRecord *record = &builder->records[i];
    Step step = {record->start_ns, record->start_ns + record->duration_ns, record->step};

    if (record->kind != LAC_RECORD_SPAN || record->step < 0)
      continue;
    gpointer *list = &g_ptr_array_index(lists, record->lane);
    if (*list == NULL)
      *list = g_array_new(FALSE, FALSE, sizeof(Step));
    g_array_append_vals(*list, &step, 1);
  }
  for (guint i = 0; i < lists->len; i++) {
    if (g_ptr_array_index(lists, i) != NULL)
      g_array_sort(g_ptr_array_index(lists, i), compare);
  }
  return lists;
}

/* Finds the last step that begins at or before @time_ns. Returns: (nullable) */
static const Step *
find_step(const GArray *steps, gint64 time_ns)
{
  guint low = 0, high = steps->len;

  while (low < high) {
    const guint middle = (low + high) / 2;

    if (g_array_index(steps, Step, middle).begin_ns <= time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? &g_array_index(steps, Step, low - 1) : NULL;
}

/* Numbers the steps of another program's trace, and the spans that they enclose. Called before spans are nested. */
static void
trace_number_steps(LacTraceBuilder *builder)
{
  take_names(builder);
  GPtrArray *lists = list_steps(builder);

  for (gsize i = 0; i < builder->n_records; i++) {
    LacRecord    *record = &builder->records[i];
    const GArray *steps = g_ptr_array_index(lists, record->lane);

    if (record->kind != LAC_RECORD_SPAN || record->step >= 0 || steps == NULL)
      continue;
    const Step *step = find_step(steps, record->start_ns);
    if (step != NULL && record->start_ns + record->duration_ns <= step->end_ns)
      record->step = step->step;
  }
  for (guint i = 0; i < lists->len; i++)
    g_clear_pointer(&g_ptr_array_index(lists, i), g_array_unref);
  g_ptr_array_unref(lists);
}

/* ---- trace file ---- */

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
lac_trace_describe_program(LacTraceReading *reading, const char *program)
{
  if (reading->facts->program == NULL)
    reading->facts->program = g_strdup(program);
}

static void
report_left(LacTraceReading *reading, const LacTraceLeft *left)
{
  if (left->n_open > 0)
    lac_trace_caution(reading,
                      "%" G_GSIZE_FORMAT
                      " spans have no end; they were ended at the last event of their thread.",
                      left->n_open);
  if (left->n_left > 0)
    lac_trace_caution(reading,
                      "%" G_GSIZE_FORMAT
                      " spans were omitted: they overlap with too many others of their thread.",
                      left->n_left);
  if (reading->facts->n_skipped > 0)
    lac_trace_caution(reading,
                      "%" G_GUINT64_FORMAT
                      " events were omitted: their kind is not supported, or they have no time.",
                      reading->facts->n_skipped);
}

static const char *
skip_blanks(const char *at, const char *end)
{
  while (at < end && *at != '\0' && strchr(" \t\r\n", *at) != NULL)
    at++;
  return at;
}

/* Returns TRUE for JSON. A protobuf starts with a newline, the tag of its first packet, followed by a length, which
 * may have the code of a bracket. */
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
              "%s is not a trace that Lacuna supports: use Chrome's JSON or Perfetto's protobuf",
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
    trace_number_steps(builder);
  LacCapture *capture =
    lac_trace_builder_finish(builder, is_own ? lac_trace_builder_get_title(builder) : base, &left);
  report_left(&reading, &left);
  if (facts != NULL) {
    *facts = own;
    facts->program = own.program != NULL ? g_steal_pointer(&own.program) : g_strdup("");
    facts->caution = g_strdup(caution->str);
    own.caution = NULL;
  }
  return capture;
}

/* ---- what to say of one ---- */

/* Appends three significant digits and a unit. */
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
    g_string_append_printf(out, "flows between events: %" G_GUINT64_FORMAT " (not imported)\n",
                           facts->n_flows);
  if (facts->caution[0] != '\0')
    g_string_append_printf(out, "caution: %s\n", facts->caution);
  return g_string_free(out, FALSE);
}
