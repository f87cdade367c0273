/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Chrome trace, read back: valid JSON, all records, exact times, events of a tid nested. */
#include "base/error.h"
#include "perf/recorder/gauges.h"
#include "perf/trace/trace.h"

#include <glib/gstdio.h>

#include <json-glib/json-glib.h>
#include <locale.h>
#include <math.h>
#include <string.h>

static const char *const names[] = {
  "step", "a \"quoted\" \\ name\n", "µ-kernel", "value", "pause \xff", LAC_SPAN_FRAME};
static const char *const lanes[] = {"compute", "pool 1"};

static LacCapture *
make_capture(const char *title, const LacRecord *records, gsize n)
{
  LacCapture *capture = lac_capture_new(title);
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    lac_capture_add_name(capture, names[i]);
  for (gsize i = 0; i < G_N_ELEMENTS(lanes); i++)
    lac_capture_add_lane(capture, lanes[i]);
  lac_capture_append(capture, records, n);
  return capture;
}

enum { STEP, QUOTED, KERNEL, VALUE, PAUSE, FRAME };

typedef struct {
  char       *folder, *path;
  JsonParser *parser;
  JsonArray  *events;
} Read;

static void
read_capture(Read *read, const LacCapture *capture)
{
  g_autoptr(GError) error = NULL;
  read->folder = g_dir_make_tmp("lacuna-trace-XXXXXX", &error);
  g_assert_no_error(error);
  read->path = g_build_filename(read->folder, "trace.json", NULL);
  g_assert_true(lac_trace_write(capture, read->path, &error));
  g_assert_no_error(error);
  read->parser = json_parser_new();
  g_assert_true(json_parser_load_from_file(read->parser, read->path, &error));
  g_assert_no_error(error);
  JsonObject *root = json_node_get_object(json_parser_get_root(read->parser));
  read->events = json_object_get_array_member(root, "traceEvents");
}

static void
read_trace(Read *read, const LacRecord *records, gsize n)
{
  g_autoptr(LacCapture) capture = make_capture("run \"1\"", records, n);
  read_capture(read, capture);
}

static void
clear(Read *read)
{
  g_object_unref(read->parser);
  g_assert_cmpint(g_unlink(read->path), ==, 0);
  g_assert_cmpint(g_rmdir(read->folder), ==, 0); /* no temporary file remains */
  g_free(read->path);
  g_free(read->folder);
}

static JsonObject *
event(const Read *read, guint i)
{
  return json_array_get_object_element(read->events, i);
}

static gboolean
is_phase(JsonObject *object, const char *phase)
{
  return strcmp(json_object_get_string_member(object, "ph"), phase) == 0;
}

/* Converts microseconds with three decimals to integer nanoseconds. */
static gint64
ns_of(JsonObject *object, const char *key)
{
  double ns = json_object_get_double_member(object, key) * 1000;
  g_assert_cmpfloat(fabs(ns - rint(ns)), <, 1e-3);
  return (gint64) rint(ns);
}

/* Returns the i-th event with this phase. */
static JsonObject *
nth(const Read *read, const char *phase, guint i)
{
  for (guint k = 0; k < json_array_get_length(read->events); k++) {
    if (is_phase(event(read, k), phase) && i-- == 0)
      return event(read, k);
  }
  g_assert_not_reached();
}

static void
test_every_kind(void)
{
  Read      read;
  LacRecord records[5] = {0};
  records[0] = (LacRecord){.kind = LAC_RECORD_SPAN,
                           .name = QUOTED,
                           .start_ns = 5000000123,
                           .duration_ns = 1001,
                           .step = 3,
                           .count = 1,
                           .memory = -1};
  records[1] =
    (LacRecord){.kind = LAC_RECORD_COUNTER, .name = VALUE, .start_ns = 5000000200, .value = 0.1};
  records[2] = (LacRecord){
    .kind = LAC_RECORD_COUNTER, .name = VALUE, .start_ns = 5000000201, .value = HUGE_VAL};
  records[3] =
    (LacRecord){.kind = LAC_RECORD_MARK, .name = PAUSE, .start_ns = 5000000300, .step = 4};
  records[4] = (LacRecord){.kind = LAC_RECORD_AGGREGATE,
                           .name = KERNEL,
                           .start_ns = 5000000100,
                           .duration_ns = 77,
                           .step = 3,
                           .count = 9,
                           .flops = 1e15,
                           .memory = 4096,
                           .lane = 1};
  read_trace(&read, records, G_N_ELEMENTS(records));

  JsonObject *span = nth(&read, "X", 0);
  g_assert_cmpstr(json_object_get_string_member(span, "name"), ==, names[QUOTED]);
  g_assert_cmpint(ns_of(span, "ts"), ==, 23); /* the earliest record is the origin */
  g_assert_cmpint(ns_of(span, "dur"), ==, 1001);
  JsonObject *args = json_object_get_object_member(span, "args");
  g_assert_cmpint(json_object_get_int_member(args, "step"), ==, 3);
  g_assert_false(json_object_has_member(args, "memory_bytes"));

  JsonObject *operation = nth(&read, "X", 1);
  g_assert_cmpstr(json_object_get_string_member(operation, "name"), ==, names[KERNEL]);
  args = json_object_get_object_member(operation, "args");
  g_assert_cmpint(json_object_get_int_member(args, "count"), ==, 9);
  g_assert_cmpfloat(json_object_get_double_member(args, "flops"), ==, 1e15);
  g_assert_cmpint(json_object_get_int_member(args, "memory_bytes"), ==, 4096);
  g_assert_cmpint(json_object_get_int_member(args, "total_ns"), ==, 77);

  args = json_object_get_object_member(nth(&read, "C", 0), "args");
  g_assert_cmpfloat(json_object_get_double_member(args, "value"), ==, 0.1);
  args = json_object_get_object_member(nth(&read, "C", 1), "args");
  g_assert_true(json_object_get_null_member(args, "value"));
  g_assert_cmpint(ns_of(nth(&read, "i", 0), "ts"), ==, 200);
  clear(&read);
}

static void
test_threads_are_named(void)
{
  Read      read;
  LacRecord records[] = {
    {.kind = LAC_RECORD_SPAN, .name = STEP, .count = 1},
    {.kind = LAC_RECORD_AGGREGATE, .name = KERNEL, .count = 1, .lane = 1},
  };
  read_trace(&read, records, G_N_ELEMENTS(records));
  g_autoptr(GHashTable) tids = g_hash_table_new(NULL, NULL);
  for (guint i = 0; i < json_array_get_length(read.events); i++) {
    JsonObject *object = event(&read, i);
    const char *name = json_object_get_string_member(object, "name");
    gint64      tid = json_object_get_int_member(object, "tid");
    if (strcmp(name, "thread_name") == 0)
      g_assert_true(g_hash_table_add(tids, GINT_TO_POINTER((gint) tid)));
    else if (!is_phase(object, "M"))
      g_assert_true(g_hash_table_contains(tids, GINT_TO_POINTER((gint) tid)));
  }
  g_assert_cmpuint(g_hash_table_size(tids), ==, 3); /* two lanes, and operations beside one */
  JsonObject *process = nth(&read, "M", 0);
  g_assert_cmpstr(json_object_get_string_member(process, "name"), ==, "process_name");
  JsonObject *args = json_object_get_object_member(process, "args");
  g_assert_cmpstr(json_object_get_string_member(args, "name"), ==, "run \"1\"");
  clear(&read);
}

typedef struct {
  gint64 tid, start_ns, end_ns;
} Interval;

static gint
compare_intervals(gconstpointer a, gconstpointer b)
{
  const Interval *x = a, *y = b;
  if (x->tid != y->tid)
    return x->tid < y->tid ? -1 : 1;
  if (x->start_ns != y->start_ns)
    return x->start_ns < y->start_ns ? -1 : 1;
  return x->end_ns > y->end_ns ? -1 : x->end_ns < y->end_ns;
}

static void
assert_nested(const Read *read)
{
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(Interval));
  g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(Interval));
  for (guint i = 0; i < json_array_get_length(read->events); i++) {
    JsonObject *object = event(read, i);
    if (!is_phase(object, "X"))
      continue;
    Interval interval = {.tid = json_object_get_int_member(object, "tid"),
                         .start_ns = ns_of(object, "ts")};
    interval.end_ns = interval.start_ns + ns_of(object, "dur");
    g_array_append_val(all, interval);
  }
  g_array_sort(all, compare_intervals);
  for (guint i = 0; i < all->len; i++) {
    const Interval *interval = &g_array_index(all, Interval, i);
    while (open->len > 0) {
      const Interval *outer = &g_array_index(open, Interval, open->len - 1);
      if (outer->tid == interval->tid && outer->end_ns > interval->start_ns) {
        g_assert_cmpint(interval->end_ns, <=, outer->end_ns);
        break;
      }
      g_array_set_size(open, open->len - 1);
    }
    g_array_append_vals(open, interval, 1);
  }
}

/* Operations summed over threads may exceed their step; drawn, they stay within it with their proportions. */
static void
test_operations_stay_in_their_step(void)
{
  enum { STEPS = 50, OPERATIONS = 4, STEP_NS = 100000, PER_STEP = OPERATIONS + 2 };
  Read                  read;
  g_autofree LacRecord *records = g_new0(LacRecord, STEPS * PER_STEP);
  for (gint64 s = 0; s < STEPS; s++) {
    LacRecord *r = &records[s * PER_STEP];
    gint64     start = s * STEP_NS;
    for (gsize k = 0; k < OPERATIONS; k++)
      r[k] = (LacRecord){.kind = LAC_RECORD_AGGREGATE,
                         .name = KERNEL,
                         .start_ns = start + 10,
                         .duration_ns = (gint64) (k + 1) * (s % 2 ? 5000 : 20000),
                         .count = 1,
                         .step = s};
    r[OPERATIONS] = (LacRecord){.kind = LAC_RECORD_SPAN,
                                .name = QUOTED,
                                .start_ns = start + 10,
                                .duration_ns = 60000,
                                .step = s,
                                .count = 1,
                                .depth = 1};
    r[OPERATIONS + 1] = (LacRecord){.kind = LAC_RECORD_SPAN,
                                    .name = STEP,
                                    .start_ns = start,
                                    .duration_ns = STEP_NS,
                                    .step = s,
                                    .count = 1};
  }
  read_trace(&read, records, STEPS * PER_STEP);
  assert_nested(&read);
  guint n = 0;
  for (guint i = 0; i < json_array_get_length(read.events); i++) {
    JsonObject *object = event(&read, i);
    if (!is_phase(object, "X") ||
        strcmp(json_object_get_string_member(object, "name"), names[KERNEL]) != 0)
      continue;
    JsonObject *args = json_object_get_object_member(object, "args");
    gint64      s = json_object_get_int_member(args, "step");
    gint64      total = json_object_get_int_member(args, "total_ns"), width = ns_of(object, "dur");
    gint64      sum = 10 * (s % 2 ? 5000 : 20000);
    gboolean    narrow = sum > STEP_NS && s + 1 < STEPS;
    gint64      expected =
      narrow ? (gint64) floor((double) total * ((double) STEP_NS / (double) sum)) : total;
    g_assert_cmpint(width, ==, expected);
    g_assert_cmpint(ns_of(object, "ts"), >=, s * STEP_NS);
    if (s + 1 < STEPS)
      g_assert_cmpint(ns_of(object, "ts") + width, <=, (s + 1) * STEP_NS + 10);
    n++;
  }
  g_assert_cmpuint(n, ==, STEPS * OPERATIONS);
  clear(&read);
}

static void
test_any_records(void)
{
  enum { N = 3000 };
  Read                  read;
  g_autofree LacRecord *records = g_new0(LacRecord, N);
  for (gsize i = 0; i < N; i++)
    records[i] = (LacRecord){
      .kind = (guint8) g_test_rand_int_range(0, 6), /* 5 is not a valid kind */
      .name = (guint32) g_test_rand_int_range(0, 8),
      .lane = (guint16) g_test_rand_int_range(0, 6),
      .start_ns = g_test_rand_int(),
      .duration_ns = g_test_rand_int_range(0, G_MAXINT32),
      .value = g_test_rand_double(),
      .count = 1,
    };
  guint kinds[6] = {0};
  for (gsize i = 0; i < N; i++)
    kinds[records[i].kind]++;
  read_trace(&read, records, N);
  guint complete = 0, counters = 0, marks = 0;
  for (guint i = 0; i < json_array_get_length(read.events); i++) {
    complete += is_phase(event(&read, i), "X");
    counters += is_phase(event(&read, i), "C");
    marks += is_phase(event(&read, i), "i");
  }
  g_assert_cmpuint(complete, ==, kinds[LAC_RECORD_SPAN] + kinds[LAC_RECORD_AGGREGATE]);
  g_assert_cmpuint(counters, ==, kinds[LAC_RECORD_COUNTER]);
  g_assert_cmpuint(marks, ==, kinds[LAC_RECORD_MARK]);
  clear(&read);
}

static void
test_no_records(void)
{
  Read read;
  read_trace(&read, NULL, 0);
  g_assert_cmpuint(json_array_get_length(read.events), ==, 1 + 2 * G_N_ELEMENTS(lanes));
  clear(&read);
}

static void
test_unwritable(void)
{
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacCapture) capture = make_capture("run", NULL, 0);
  g_assert_false(lac_trace_write(capture, "/nonexistent/folder/trace.json", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE);
  g_assert_true(g_str_has_prefix(
    error->message, "the trace cannot be written to /nonexistent/folder/trace.json: "));
}

/* A name that is a folder cannot be replaced: the folder stays, and no temporary file remains. */
static void
test_failed_rename(void)
{
  g_autoptr(GError)     error = NULL;
  g_autofree char      *folder = g_dir_make_tmp("lacuna-trace-XXXXXX", NULL);
  g_autofree char      *path = g_build_filename(folder, "taken.json", NULL);
  g_autoptr(LacCapture) capture = make_capture("run", NULL, 0);
  g_assert_cmpint(g_mkdir(path, 0700), ==, 0);
  g_assert_false(lac_trace_write(capture, path, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE);
  g_assert_cmpint(g_rmdir(path), ==, 0);
  g_assert_cmpint(g_rmdir(folder), ==, 0);
}

/* Two steps of two operations each, and a frame after the second, on another lane. */
static gsize
put_steps(LacRecord *records)
{
  gsize n = 0;
  for (gint64 step = 1; step <= 2; step++) {
    const gint64 at = 1000 * step;
    for (guint32 i = 0; i < 2; i++)
      records[n++] = (LacRecord){.kind = LAC_RECORD_AGGREGATE,
                                 .start_ns = at + 100,
                                 .duration_ns = 200,
                                 .step = -1, /* as from a solver without step numbers */
                                 .count = 4,
                                 .memory = -1,
                                 .name = i == 0 ? QUOTED : KERNEL};
    records[n++] = (LacRecord){
      .start_ns = at, .duration_ns = 600, .step = step, .count = 1, .memory = -1, .name = STEP};
  }
  records[n++] = (LacRecord){.start_ns = 2700,
                             .duration_ns = 80,
                             .step = 2,
                             .count = 1,
                             .memory = -1,
                             .lane = 1,
                             .name = FRAME};
  for (gsize i = 0; i < n; i++)
    records[i].sequence = i;
  return n;
}

/* An arrow begins within an operation of the frame's step, and ends within the frame's span. */
static void
test_flows(void)
{
  LacRecord records[8];
  Read      read;
  read_trace(&read, records, put_steps(records));
  for (guint i = 0; i < 2; i++) {
    JsonObject *from = nth(&read, "s", i), *to = nth(&read, "f", i);
    g_assert_cmpint(json_object_get_int_member(from, "id"), ==,
                    json_object_get_int_member(to, "id"));
    g_assert_cmpint(json_object_get_int_member(from, "tid"), ==, 2); /* operations of compute */
    g_assert_cmpint(json_object_get_int_member(to, "tid"), ==, 3);
    /* times are relative to the first step, which began at 1000 */
    g_assert_cmpint(ns_of(from, "ts"), >, 1100 + 200 * (gint64) i);
    g_assert_cmpint(ns_of(from, "ts"), <, 1100 + 200 * (gint64) (i + 1));
    g_assert_cmpint(ns_of(to, "ts"), >, 1700);
    g_assert_cmpint(ns_of(to, "ts"), <, 1780);
  }
  guint n = 0;
  for (guint i = 0; i < json_array_get_length(read.events); i++)
    n += is_phase(event(&read, i), "s") || is_phase(event(&read, i), "f");
  g_assert_cmpuint(n, ==, 4);
  clear(&read);
}

/* Two launches of one step, then their kernels: each launch has an arrow to its first kernel. */
static void
test_launches(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new("device");
  const guint32         launch = lac_capture_add_name(capture, LAC_SPAN_LAUNCH);
  const guint32         kernel = lac_capture_add_name(capture, "tile_kernel");
  const gint64          starts[] = {100, 200, 1000, 1050, 1200}, widths[] = {10, 10, 50, 50, 50};
  Read                  read;
  lac_capture_add_lane(capture, "compute");
  lac_capture_add_lane(capture, LAC_LANE_DEVICE);
  for (guint i = 0; i < 5; i++) {
    const LacRecord record = {.kind = i < 2 ? LAC_RECORD_SPAN : LAC_RECORD_KERNEL,
                              .start_ns = starts[i],
                              .duration_ns = widths[i],
                              .step = 7,
                              .count = 1,
                              .memory = -1,
                              .lane = i >= 2,
                              .depth = i >= 2,
                              .name = i < 2 ? launch : kernel,
                              .sequence = i};
    lac_capture_append(capture, &record, 1);
  }
  read_capture(&read, capture);
  for (guint i = 0; i < 2; i++) {
    JsonObject *from = nth(&read, "s", i), *to = nth(&read, "f", i);
    g_assert_cmpint(json_object_get_int_member(from, "id"), ==,
                    json_object_get_int_member(to, "id"));
    g_assert_cmpint(ns_of(from, "ts"), ==, starts[i] - 100 + 5);
    g_assert_cmpint(ns_of(to, "ts"), ==, starts[i == 0 ? 2 : 4] - 100 + 25);
    g_assert_cmpstr(json_object_get_string_member(to, "cat"), ==, "launch");
  }
  clear(&read);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/trace/every-kind-has-its-event", test_every_kind);
  g_test_add_func("/perf/trace/threads-are-named", test_threads_are_named);
  g_test_add_func("/perf/trace/operations-stay-in-their-step", test_operations_stay_in_their_step);
  g_test_add_func("/perf/trace/operations-have-arrows-to-their-frame", test_flows);
  g_test_add_func("/perf/trace/launches-have-arrows-to-their-kernels", test_launches);
  g_test_add_func("/perf/trace/any-records-give-valid-json", test_any_records);
  g_test_add_func("/perf/trace/no-records-give-valid-json", test_no_records);
  g_test_add_func("/perf/trace/unwritable-folder-is-said", test_unwritable);
  g_test_add_func("/perf/trace/failed-rename-leaves-nothing-behind", test_failed_rename);
  return g_test_run();
}
