/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Import of traces: the format, phase by phase, and every kind of invalid file. */
#include "base/error.h"
#include "helpers/folder.h"
#include "io/helpers/trace-checks.h"
#include "io/trace/trace-file.h"
#include "perf/analysis/aggregate.h"
#include "perf/analysis/iterations.h"
#include "perf/recorder/nesting.h"
#include "perf/trace/trace.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

#include <string.h>

static LacCapture *
open_text(const char *text, LacTraceFacts *facts)
{
  g_autoptr(GError) error = NULL;
  g_autofree char  *path = trace_put("some.json", text, -1);
  LacCapture       *capture = lac_trace_open(path, facts, &error);
  g_assert_no_error(error);
  return capture;
}

static void
assert_refused(const char *text, const char *says)
{
  g_autoptr(GError) error = NULL;
  g_autofree char  *path = trace_put("some.json", text, -1);
  g_assert_null(lac_trace_open(path, NULL, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(error->message, path));
  if (strstr(error->message, says) == NULL)
    g_error("\"%s\" does not say %s", error->message, says);
}

/* Returns the only record of this name. */
static const LacRecord *
find(const LacCapture *capture, const char *name)
{
  const LacRecord *found = NULL;
  for (gsize i = 0; i < lac_capture_get_n_records(capture); i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    if (g_str_equal(trace_name_of(capture, record), name) && record->kind != LAC_RECORD_MEMORY) {
      g_assert_null(found);
      found = record;
    }
  }
  g_assert_nonnull(found);
  return found;
}

/* ---- the format ---- */

static void
test_every_phase(void)
{
  g_auto(LacTraceFacts) facts = {0};
  g_autoptr(LacCapture) capture = open_text(
    "[{\"ph\":\"M\",\"pid\":7,\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"main\"}},\n"
    "{\"ph\":\"M\",\"pid\":7,\"tid\":2,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":-1}}"
    ","
    "{\"ph\":\"B\",\"pid\":7,\"tid\":1,\"ts\":10,\"name\":\"outer\",\"args\":{\"step\":3}},"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":1,\"ts\":11.5,\"dur\":0.25,\"name\":\"inner\",\"args\":{"
    "\"flops\":"
    "2e3,\"bytes\":\"640\",\"shape\":[1,{\"a\":\"]\"}]}},"
    "{\"ph\":\"E\",\"pid\":7,\"tid\":1,\"ts\":12.125},"
    "{\"ph\":\"i\",\"pid\":7,\"tid\":2,\"ts\":11,\"name\":\"instant\",\"s\":\"t\"},"
    "{\"args\":{\"a\":1,\"b\":-2.5},\"ph\":\"C\",\"pid\":7,\"tid\":2,\"ts\":12,\"name\":\"two\"},"
    "{\"ph\":\"C\",\"pid\":7,\"tid\":2,\"ts\":13,\"name\":\"one\",\"args\":{\"value\":4}},"
    "{\"ph\":\"b\",\"cat\":\"net\",\"id\":\"0x1\",\"pid\":7,\"tid\":1,\"ts\":1,\"name\":\"send\"},"
    "{\"ph\":\"e\",\"cat\":\"net\",\"id\":\"0x1\",\"pid\":7,\"tid\":2,\"ts\":3,\"name\":\"send\"},"
    "{\"ph\":\"s\",\"id\":1,\"pid\":7,\"tid\":1,\"ts\":2,\"name\":\"flow\"},"
    "{\"ph\":\"Q\",\"pid\":7,\"tid\":1,\"ts\":2,\"name\":\"unknown\"},{}]",
    &facts);
  const LacRecord *outer = find(capture, "outer"), *inner = find(capture, "inner");
  g_assert_cmpint(outer->start_ns, ==, 10000);
  g_assert_cmpint(outer->duration_ns, ==, 2125);
  g_assert_cmpint(outer->step, ==, 3);
  g_assert_cmpuint(outer->depth, ==, 0);
  g_assert_cmpint(inner->start_ns, ==, 11500);
  g_assert_cmpint(inner->duration_ns, ==, 250);
  g_assert_cmpuint(inner->depth, ==, 1);
  g_assert_cmpfloat(inner->flops, ==, 2000);
  g_assert_cmpfloat(inner->bytes, ==, 640);
  g_assert_cmpint(inner->step, ==, 3); /* inherited from the enclosing span */
  g_assert_cmpuint(find(capture, "instant")->kind, ==, LAC_RECORD_MARK);
  g_assert_cmpfloat(find(capture, "two: a")->value, ==, 1);
  g_assert_cmpfloat(find(capture, "two: b")->value, ==, -2.5);
  g_assert_cmpfloat(find(capture, "one")->value, ==, 4);
  g_assert_cmpint(find(capture, "send")->duration_ns, ==, 2000);
  g_assert_cmpuint(facts.n_flows, ==, 1);
  g_assert_cmpuint(facts.n_skipped, ==, 1);
  g_assert_cmpuint(lac_capture_get_n_lanes(capture), ==, 3);
  g_assert_cmpstr(lac_capture_get_lane(capture, 0), ==, "thread 2"); /* sorted first */
  g_assert_cmpstr(lac_capture_get_lane(capture, outer->lane), ==, "main");
  g_assert_cmpstr(lac_capture_get_lane(capture, find(capture, "send")->lane), ==,
                  "net (asynchronous)");
  trace_assert_sequences(capture);
}

static void
test_times_are_exact(void)
{
  const struct {
    const char *text;
    gint64      ns;
  } rows[] = {{"0", 0},
              {"1", 1000},
              {"0.001", 1},
              {"4416573875410.627", G_GINT64_CONSTANT(4416573875410627)},
              {"1727000000123456.789", G_GINT64_CONSTANT(1727000000123456789)},
              {"-3.5", -3500},
              {"1.5e3", 1500000},
              {"0.0004", 0},
              {"0.0006", 1},
              {"2.71828182845904", 2718},
              {"\"12.25\"", 12250}};
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
    g_autofree char *text =
      g_strdup_printf("[{\"name\":\"a\",\"ph\":\"X\",\"ts\":%s,\"dur\":1}]", rows[i].text);
    g_autoptr(LacCapture) capture = open_text(text, NULL);
    g_assert_cmpint(find(capture, "a")->start_ns, ==, rows[i].ns);
  }
}

static void
test_far_times_are_left_out(void)
{
  g_auto(LacTraceFacts) facts = {0};
  g_autoptr(LacCapture) capture =
    open_text("[{\"name\":\"a\",\"ph\":\"X\",\"ts\":1e300,\"dur\":1},{\"name\":\"b\",\"ph\":\"X\","
              "\"ts\":9223372036854775807,\"dur\":9e15},{\"name\":\"c\",\"ph\":\"X\",\"ts\":1,"
              "\"dur\":-1},{\"name\":\"d\",\"ph\":\"X\",\"ts\":1}]",
              &facts);
  g_assert_cmpuint(lac_capture_get_n_records(capture), ==, 1);
  g_assert_cmpint(find(capture, "d")->duration_ns, ==, 0);
  g_assert_cmpuint(facts.n_skipped, ==, 3);
  g_assert_cmpstr(facts.caution, !=, "");
}

static void
test_names_are_unescaped(void)
{
  g_autoptr(LacCapture) capture =
    open_text("[{\"name\":\"\\u00b5 \\\"q\\\" \\\\ \\ud83d\\ude00 \\n\",\"ph\":\"i\",\"ts\":1},"
              "{\"na\\u006de\":\"plain \xc2\xb5\",\"ph\":\"i\",\"ts\":2}]",
              NULL);
  g_assert_cmpstr(lac_capture_get_name(capture, 0), ==, "µ \"q\" \\ 😀 \n");
  g_assert_cmpstr(lac_capture_get_name(capture, 1), ==, "plain µ");
}

static void
test_overlaps_lie_beside(void)
{
  g_autoptr(LacCapture) capture =
    open_text("[{\"name\":\"a\",\"ph\":\"X\",\"ts\":0,\"dur\":10},{\"name\":\"b\",\"ph\":\"X\","
              "\"ts\":5,\"dur\":10},{\"name\":\"c\",\"ph\":\"X\",\"ts\":12,\"dur\":2},{\"name\":"
              "\"d\",\"ph\":\"X\",\"ts\":6,\"dur\":10}]",
              NULL);
  g_assert_cmpuint(lac_capture_get_n_lanes(capture), ==, 3);
  g_assert_cmpuint(find(capture, "a")->lane, ==, 0);
  g_assert_cmpuint(find(capture, "b")->lane, ==, 1);
  g_assert_cmpuint(find(capture, "d")->lane, ==, 2);
  g_assert_cmpstr(lac_capture_get_lane(capture, 2), ==, "thread (3)");
  trace_assert_nested(capture);
}

/* ---- order ---- */

typedef struct {
  gint64 begin, end;
  guint  depth;
} Box;

/* Fills in nested boxes, outer first. */
static void
fill(GArray *boxes, gint64 begin, gint64 end, guint depth)
{
  Box box = {begin, end, depth};
  g_array_append_val(boxes, box);
  for (gint64 at = begin + 1; depth < 5 && at + 4 < end;) {
    gint64 n = 2 + g_test_rand_int_range(0, (gint32) MAX(2, (end - begin) / 2));
    if (at + n >= end)
      break;
    fill(boxes, at, at + n, depth + 1);
    at += n + g_test_rand_int_range(0, 3);
  }
}

static gint
by_end(gconstpointer a, gconstpointer b)
{
  const Box *x = a, *y = b;
  if (x->end != y->end)
    return x->end < y->end ? -1 : 1;
  return (gint) y->depth - (gint) x->depth;
}

/* Asserts that self times, a box minus those within it, add up to the outermost box. */
static void
assert_own_times(const LacCapture *capture)
{
  g_autoptr(LacNesting) nesting = lac_nesting_new();
  gint64                own_ns = 0, outermost_ns = 0, last_ns = G_MININT64;
  for (gsize i = 0; i < lac_capture_get_n_records(capture); i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    g_assert_cmpint(record->start_ns + record->duration_ns, >=, last_ns);
    last_ns = record->start_ns + record->duration_ns;
    own_ns += lac_nesting_take(nesting, record);
    outermost_ns += record->depth == 0 ? record->duration_ns : 0;
  }
  g_assert_cmpint(own_ns, ==, outermost_ns);
}

static void
test_depth_does_not_depend_on_order(void)
{
  g_autoptr(GArray) boxes = g_array_new(FALSE, FALSE, sizeof(Box));
  for (gint64 at = 0; boxes->len < 300; at += 400)
    fill(boxes, at, at + 380, 0);
  for (guint order = 0; order < 3; order++) {
    g_autoptr(GString) text = g_string_new("[");
    if (order == 1)
      g_array_sort(boxes, by_end);
    for (guint i = 0; order == 2 && i < boxes->len; i++) {
      const gsize k = (gsize) g_test_rand_int_range(0, (gint32) boxes->len);
      const Box   kept = g_array_index(boxes, Box, i);
      g_array_index(boxes, Box, i) = g_array_index(boxes, Box, k);
      g_array_index(boxes, Box, k) = kept;
    }
    for (guint i = 0; i < boxes->len; i++) {
      const Box *box = &g_array_index(boxes, Box, i);
      g_string_append_printf(text,
                             "%s{\"name\":\"%u\",\"ph\":\"X\",\"ts\":%" G_GINT64_FORMAT
                             ",\"dur\":%" G_GINT64_FORMAT "}",
                             i > 0 ? "," : "", box->depth, box->begin, box->end - box->begin);
    }
    g_string_append(text, "]");
    g_autoptr(LacCapture) capture = open_text(text->str, NULL);
    g_assert_cmpuint(lac_capture_get_n_records(capture), ==, boxes->len);
    g_assert_cmpuint(lac_capture_get_n_lanes(capture), ==, 1);
    for (gsize i = 0; i < boxes->len; i++) {
      const LacRecord *record = lac_capture_at(capture, i);
      g_assert_cmpuint(record->depth, ==,
                       g_ascii_strtoull(trace_name_of(capture, record), NULL, 10));
    }
    assert_own_times(capture);
  }
}

/* Longer than the scanner's window, whose edges fall at every kind of position. */
static void
test_a_long_file(void)
{
  enum { N = 40000 };
  g_autoptr(GString) text = g_string_new("{\"traceEvents\":[");
  g_autofree char   *filler = g_strnfill(3 << 20, 'x');
  for (guint i = 0; i < N; i++)
    g_string_append_printf(
      text,
      "%s{ \"ph\" : \"X\", \"name\":\"op \\u00b5 %u\",\"ts\":%u.%03u,\"dur\":0.5,"
      "\"args\":{\"step\":%u,\"text\":\"\\\\ \\\"\"}}\n",
      i > 0 ? "," : "", i % 7, i, i % 1000, i);
  g_string_append_printf(text, ",{\"ph\":\"X\",\"name\":\"%s\",\"ts\":%u,\"dur\":1}]}", filler, N);
  g_auto(LacTraceFacts) facts = {0};
  g_autoptr(LacCapture) capture = open_text(text->str, &facts);
  g_assert_cmpuint(lac_capture_get_n_records(capture), ==, N + 1);
  g_assert_cmpstr(facts.caution, ==, "");
  for (guint i = 0; i < N; i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    g_autofree char *name = g_strdup_printf("op µ %u", i % 7);
    g_assert_cmpint(record->step, ==, i);
    g_assert_cmpint(record->start_ns, ==, (gint64) i * 1000 + i % 1000);
    g_assert_cmpstr(trace_name_of(capture, record), ==, name);
  }
  g_assert_cmpstr(trace_name_of(capture, lac_capture_at(capture, N)), ==, filler);
}

/* ---- what is wrong with a file ---- */

static const char sound[] = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[{\"ph\":\"X\",\"name\":"
                            "\"a \\u00b5\",\"ts\":1.5,\"dur\":2"
                            ",\"args\":{\"step\":1}},{\"ph\":\"B\",\"name\":\"b\",\"ts\":5},{"
                            "\"ph\":\"i\",\"name\":\"c\",\"ts\":9}]"
                            ",\"otherData\":{\"program\":\"Some\"}}";

/* Truncated at any length it opens with the complete events and a caution; before the first event it is refused. */
static void
test_cut_anywhere(void)
{
  gsize n_before = 0;
  for (gsize n = 1; n < sizeof sound - 1; n++) {
    g_auto(LacTraceFacts) facts = {0};
    g_autoptr(GError)     error = NULL;
    g_autofree char      *path = trace_put("cut.json", sound, (gssize) n);
    g_autoptr(LacCapture) capture = lac_trace_open(path, &facts, &error);
    if (capture == NULL) {
      g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
      g_assert_cmpuint(n_before, ==, 0);
      continue;
    }
    g_assert_nonnull(strstr(facts.caution, "is truncated"));
    g_assert_cmpuint(lac_capture_get_n_records(capture), >=, n_before);
    n_before = lac_capture_get_n_records(capture);
  }
  g_assert_cmpuint(n_before, ==, 3);
}

static void
test_a_list_without_its_bracket(void)
{
  g_auto(LacTraceFacts) facts = {0};
  g_autoptr(LacCapture) capture =
    open_text("[\n{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2},\n", &facts);
  g_assert_cmpuint(lac_capture_get_n_records(capture), ==, 1);
  g_assert_nonnull(strstr(facts.caution, "is truncated"));
}

static void
test_what_is_no_trace_is_refused(void)
{
  assert_refused("hello", "is not a trace");
  assert_refused("{\"a\":1}", "traceEvents");
  assert_refused("[]", "without a single event");
  assert_refused("{\"traceEvents\":{}}", "traceEvents");
  assert_refused("[{\"ph\":\"X\",\"ts\":1,\"dur\":2} {]", "damaged at byte 27");
  assert_refused("[{\"ph\":\"X\",\"ts\":1,\"name\":\"\\q\"}]", "damaged at byte");
  assert_refused("", "empty");
}

static char *
pack(const char *text, gsize n, gsize *n_packed)
{
  g_autoptr(GZlibCompressor) packer = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9);
  char                      *out = g_malloc(n + 1000);
  gsize                      n_read;
  g_assert_cmpint(g_converter_convert(G_CONVERTER(packer), text, n, out, n + 1000,
                                      G_CONVERTER_INPUT_AT_END, &n_read, n_packed, NULL),
                  ==, G_CONVERTER_FINISHED);
  return out;
}

static void
test_packed(void)
{
  gsize            n;
  g_autofree char *packed = pack(sound, sizeof sound - 1, &n);
  for (gsize cut = 0; cut < 24; cut += 12) {
    g_auto(LacTraceFacts) facts = {0};
    g_autoptr(GError)     error = NULL;
    g_autofree char      *path = trace_put("some.json.gz", packed, (gssize) (n - cut));
    g_autoptr(LacCapture) capture = lac_trace_open(path, &facts, &error);
    if (cut > 0 && capture == NULL) { /* too little was decompressed */
      g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
      continue;
    }
    g_assert_no_error(error);
    g_assert_cmpuint(facts.n_events, <=, 3);
    if (cut == 0)
      g_assert_cmpstr(facts.caution, ==,
                      "1 spans have no end; they were ended at the last event of their thread.");
    else
      g_assert_nonnull(strstr(facts.caution, "damaged or truncated"));
  }
}

static void
test_description(void)
{
  g_auto(LacTraceFacts) facts = {0};
  g_autoptr(LacCapture) capture = open_text(sound, &facts);
  g_autofree char      *text = lac_trace_describe(capture, "x.json", &facts);
  g_assert_nonnull(strstr(text, "x.json: a Chrome trace of Some of 3 events"));
  g_assert_nonnull(strstr(text, "2 spans"));
  g_assert_nonnull(strstr(text, "4 us in 1 calls: b")); /* ends with the last event */
  g_assert_nonnull(strstr(text, "2 us in 1 calls: a µ"));
  g_assert_nonnull(strstr(text, "1 spans have no end"));
}

/* Writes a step like torch.profiler: with a unique name, within its caller's span, and repeated later on the device's
 * lane. */
static void
put_torch_step(GString *text, guint i, guint duration)
{
  const guint at = 1000 * i;

  g_string_append_printf(text,
                         ",{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%u\","
                         "\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":%u}",
                         i, at, duration);
  g_string_append_printf(text,
                         ",{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,"
                         "\"tid\":1,\"ts\":%u,\"dur\":%u}",
                         at + 10, duration - 20);
  g_string_append_printf(text,
                         ",{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"backward\",\"pid\":1,"
                         "\"tid\":2,\"ts\":%u,\"dur\":%u}",
                         at + 10, duration - 20);
  g_string_append_printf(text,
                         ",{\"ph\":\"X\",\"cat\":\"gpu_user_annotation\",\"name\":"
                         "\"ProfilerStep#%u\",\"pid\":0,\"tid\":7,\"ts\":%u,\"dur\":900}",
                         i, at + 50);
}

static void
test_steps_of_torch(void)
{
  enum { FIRST = 2, N = 9, SLOW = 6 };
  g_autoptr(GString) text =
    g_string_new("[{\"ph\":\"X\",\"name\":\"run\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":100000}");
  for (guint i = FIRST; i < FIRST + N; i++)
    put_torch_step(text, i, i == SLOW ? 800 : 300);
  g_string_append_c(text, ']');
  g_autoptr(LacCapture) capture = open_text(text->str, NULL);
  g_auto(LacIterations) all = lac_iterations_find(capture);

  g_assert_cmpuint(all.n, ==, N);
  g_assert_cmpstr(lac_capture_get_name(capture, all.name), ==, "ProfilerStep");
  g_assert_cmpuint(all.n_outliers, ==, 1);
  for (guint i = 0; i < N; i++) {
    g_assert_cmpint(all.iterations[i].step, ==, FIRST + i);
    g_assert_cmpint(all.iterations[i].start_ns, ==, 1000000 * (FIRST + i));
    g_assert_true(all.iterations[i].is_outlier == (FIRST + i == SLOW));
  }
  for (gsize i = 0; i < lac_capture_get_n_records(capture); i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    const char      *name = trace_name_of(capture, record);

    if (g_str_equal(name, "aten::mm"))
      g_assert_cmpint(record->step, ==, record->start_ns / 1000000);
    if (g_str_equal(name, "backward") || g_str_equal(name, "run"))
      g_assert_cmpint(record->step, ==, -1);
  }
}

/* PyTorch names the processor and each GPU "python"; the labels of the processes tell them apart. */
static void
test_lanes_of_gpus(void)
{
  g_autoptr(LacCapture) capture = open_text(
    "[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":9,\"args\":{\"name\":\"python\"}}"
    ",{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":9,\"args\":{\"labels\":\"CPU\"}}"
    ",{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,\"args\":{\"name\":\"python\"}}"
    ",{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":0,\"args\":{\"labels\":\"GPU 0\"}}"
    ",{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":0,\"tid\":7,\"args\":{\"name\":\"stream 7\"}}"
    ",{\"ph\":\"X\",\"name\":\"launch\",\"pid\":9,\"tid\":1,\"ts\":0,\"dur\":9}"
    ",{\"ph\":\"X\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":5,\"dur\":9}]",
    NULL);

  g_assert_cmpstr(lac_capture_get_lane(capture, find(capture, "gemm")->lane), ==,
                  "GPU 0: stream 7");
  g_assert_cmpstr(lac_capture_get_lane(capture, find(capture, "launch")->lane), ==,
                  "CPU: thread 1");
}

/* JAX numbers the steps in an argument, as text. */
static void
test_steps_of_jax(void)
{
  g_autoptr(GString) text = g_string_new("[{}");
  for (guint i = 0; i < 5; i++)
    g_string_append_printf(text,
                           ",{\"ph\":\"X\",\"name\":\"train\",\"pid\":1,\"tid\":1,\"ts\":%u,"
                           "\"dur\":90,\"args\":{\"step_num\":\"%u\"}},{\"ph\":\"X\",\"name\":"
                           "\"dot\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":9}",
                           100 * i, i, 100 * i + 3);
  g_string_append_c(text, ']');
  g_autoptr(LacCapture) capture = open_text(text->str, NULL);
  g_auto(LacIterations) all = lac_iterations_find(capture);

  g_assert_cmpuint(all.n, ==, 5);
  g_assert_cmpstr(lac_capture_get_name(capture, all.name), ==, "train");
  for (gsize i = 0; i < lac_capture_get_n_records(capture); i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    g_assert_cmpint(record->step, ==, record->start_ns / 100000);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  trace_folder = test_folder_new();
  g_test_add_func("/io/trace/every-phase-is-read", test_every_phase);
  g_test_add_func("/io/trace/times-are-exact", test_times_are_exact);
  g_test_add_func("/io/trace/far-times-are-left-out", test_far_times_are_left_out);
  g_test_add_func("/io/trace/names-are-unescaped", test_names_are_unescaped);
  g_test_add_func("/io/trace/overlapping-spans-lie-beside", test_overlaps_lie_beside);
  g_test_add_func("/io/trace/depth-does-not-depend-on-order", test_depth_does_not_depend_on_order);
  g_test_add_func("/io/trace/longer-than-the-window", test_a_long_file);
  g_test_add_func("/io/trace/cut-anywhere-it-opens-or-is-refused", test_cut_anywhere);
  g_test_add_func("/io/trace/a-list-without-its-bracket-opens", test_a_list_without_its_bracket);
  g_test_add_func("/io/trace/what-is-no-trace-is-refused", test_what_is_no_trace_is_refused);
  g_test_add_func("/io/trace/packed", test_packed);
  g_test_add_func("/io/trace/description", test_description);
  g_test_add_func("/io/trace/steps-of-torch-are-iterations", test_steps_of_torch);
  g_test_add_func("/io/trace/gpu-lanes-have-the-labels-of-their-process", test_lanes_of_gpus);
  g_test_add_func("/io/trace/steps-of-jax-are-iterations", test_steps_of_jax);
  const int status = g_test_run();
  test_folder_remove(g_steal_pointer(&trace_folder));
  return status;
}
