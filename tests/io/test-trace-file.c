/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening traces: those of others against the tables of those who made them, ours against what was written, and everything
 * a file may do wrong. */
#include "base/error.h"
#include "io/trace-file.h"
#include "perf/aggregate.h"
#include "perf/trace.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

#include <string.h>

static char *folder;

static char *
put(const char *name, const char *text, gssize n)
{
  g_autoptr(GError) error = NULL;
  char             *path = g_build_filename(folder, name, NULL);
  g_file_set_contents(path, text, n, &error);
  g_assert_no_error(error);
  return path;
}

static LacCapture *
open_text(const char *text, LacTraceFacts *facts)
{
  g_autoptr(GError) error = NULL;
  g_autofree char  *path = put("some.json", text, -1);
  LacCapture       *capture = lac_trace_open(path, facts, &error);
  g_assert_no_error(error);
  return capture;
}

static void
assert_refused(const char *text, const char *says)
{
  g_autoptr(GError) error = NULL;
  g_autofree char  *path = put("some.json", text, -1);
  g_assert_null(lac_trace_open(path, NULL, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(error->message, path));
  if (strstr(error->message, says) == NULL)
    g_error("\"%s\" does not say %s", error->message, says);
}

static const char *
name_of(const LacCapture *capture, const LacRecord *record)
{
  return lac_capture_get_name(capture, record->name);
}

/* The only record called so. */
static const LacRecord *
find(const LacCapture *capture, const char *name)
{
  const LacRecord *found = NULL;
  for (gsize i = 0; i < lac_capture_get_n_records(capture); i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    if (g_str_equal(name_of(capture, record), name) && record->kind != LAC_RECORD_MEMORY) {
      g_assert_null(found);
      found = record;
    }
  }
  g_assert_nonnull(found);
  return found;
}

/* Within a lane every span lies within the one before it that is less deep, and none of one depth overlap. */
static void
assert_nested(const LacCapture *capture)
{
  const gsize n = lac_capture_get_n_records(capture);
  for (gsize i = 0; i < n; i++) {
    const LacRecord *a = lac_capture_at(capture, i);
    gboolean         is_within = a->depth == 0;
    if (a->kind != LAC_RECORD_SPAN)
      continue;
    for (gsize k = 0; k < n; k++) {
      const LacRecord *b = lac_capture_at(capture, k);
      if (b->kind != LAC_RECORD_SPAN || b->lane != a->lane || k == i)
        continue;
      const gint64 end_a = a->start_ns + a->duration_ns, end_b = b->start_ns + b->duration_ns;
      if (b->depth == a->depth)
        g_assert_true(end_a <= b->start_ns || end_b <= a->start_ns);
      is_within |= b->depth + 1 == a->depth && b->start_ns <= a->start_ns && end_a <= end_b;
    }
    g_assert_true(is_within);
  }
}

static void
assert_sequences(const LacCapture *capture)
{
  g_autofree guint64 *next = g_new0(guint64, lac_capture_get_n_lanes(capture));
  for (gsize i = 0; i < lac_capture_get_n_records(capture); i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    g_assert_cmpuint(record->sequence, ==, next[record->lane]++);
  }
}

/* ---- the traces of others ---- */

typedef struct {
  const char *name, *program;
  gboolean merges; /* its table takes a call straight out of one of the same name for one with it */
} Peer;

/* Calls and nanoseconds of an operation, by the rule of @peer. */
static void
sum(const Peer *peer, const LacCapture *capture, const char *name, guint64 *calls, gint64 *total)
{
  const LacRecord *before = NULL;
  *calls = 0;
  *total = 0;
  for (gsize i = 0; i < lac_capture_get_n_records(capture); i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    if (record->kind != LAC_RECORD_SPAN)
      continue;
    gboolean is_inner = before != NULL && before->lane == record->lane &&
                        before->name == record->name && before->depth + 1 == record->depth;
    before = record;
    if (!g_str_equal(name_of(capture, record), name) || (peer->merges && is_inner))
      continue;
    ++*calls;
    *total += record->duration_ns;
  }
}

static void
test_peer(gconstpointer data)
{
  const Peer           *peer = data;
  const char           *root = g_getenv("LACUNA_SOURCE_ROOT");
  g_autofree char      *base = g_build_filename(root, "tests", "io", "traces", peer->name, NULL);
  g_autofree char      *trace = g_strconcat(base, ".json.gz", NULL);
  g_autofree char      *table = g_strconcat(base, ".csv", NULL), *text = NULL;
  g_auto(LacTraceFacts) facts = {0};
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacCapture) capture = lac_trace_open(trace, &facts, &error);
  guint                 n = 0;
  g_assert_no_error(error);
  g_assert_cmpstr(facts.program, ==, peer->program);
  g_assert_cmpstr(facts.caution, ==, "");
  assert_nested(capture);
  assert_sequences(capture);
  g_assert_true(g_file_get_contents(table, &text, NULL, NULL));
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  for (gsize i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++, n++) {
    /* name, calls and total; names of these have no comma */
    g_auto(GStrv) cells = g_strsplit(lines[i], ",", -1);
    guint64       calls;
    gint64        total;
    g_assert_cmpuint(g_strv_length(cells), ==, 3);
    sum(peer, capture, cells[0], &calls, &total);
    g_assert_cmpuint(calls, ==, g_ascii_strtoull(cells[1], NULL, 10));
    g_assert_cmpint(total, ==, g_ascii_strtoll(cells[2], NULL, 10));
  }
  g_assert_cmpuint(n, >=, 9);
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
  g_assert_cmpint(inner->step, ==, -1);
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
  assert_sequences(capture);
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
  assert_nested(capture);
}

/* ---- order ---- */

typedef struct {
  gint64 begin, end;
  guint  depth;
} Box;

/* Boxes within boxes, outer first. */
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
      g_assert_cmpuint(record->depth, ==, g_ascii_strtoull(name_of(capture, record), NULL, 10));
    }
  }
}

/* Longer than the window of the scanner, whose edges come to lie in the middle of everything. */
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
    g_assert_cmpstr(name_of(capture, record), ==, name);
  }
  g_assert_cmpstr(name_of(capture, lac_capture_at(capture, N)), ==, filler);
}

/* ---- what is wrong with a file ---- */

static const char sound[] = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[{\"ph\":\"X\",\"name\":"
                            "\"a \\u00b5\",\"ts\":1.5,\"dur\":2"
                            ",\"args\":{\"step\":1}},{\"ph\":\"B\",\"name\":\"b\",\"ts\":5},{"
                            "\"ph\":\"i\",\"name\":\"c\",\"ts\":9}]"
                            ",\"otherData\":{\"program\":\"Some\"}}";

/* Cut anywhere it opens with what came before, and says so; before the first event it is refused. */
static void
test_cut_anywhere(void)
{
  gsize n_before = 0;
  for (gsize n = 1; n < sizeof sound - 1; n++) {
    g_auto(LacTraceFacts) facts = {0};
    g_autoptr(GError)     error = NULL;
    g_autofree char      *path = put("cut.json", sound, (gssize) n);
    g_autoptr(LacCapture) capture = lac_trace_open(path, &facts, &error);
    if (capture == NULL) {
      g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
      g_assert_cmpuint(n_before, ==, 0);
      continue;
    }
    g_assert_nonnull(strstr(facts.caution, "ends early"));
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
  g_assert_nonnull(strstr(facts.caution, "ends early"));
}

static void
test_what_is_no_trace_is_refused(void)
{
  assert_refused("hello", "is no trace");
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
    g_autofree char      *path = put("some.json.gz", packed, (gssize) (n - cut));
    g_autoptr(LacCapture) capture = lac_trace_open(path, &facts, &error);
    if (cut > 0 && capture == NULL) { /* too little came out of it */
      g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
      continue;
    }
    g_assert_no_error(error);
    g_assert_cmpuint(facts.n_events, <=, 3);
    if (cut == 0)
      g_assert_cmpstr(facts.caution, ==,
                      "1 spans had not ended; they end here with the last event of their thread.");
    else
      g_assert_nonnull(strstr(facts.caution, "packed and damaged or cut off"));
  }
}

/* ---- ours ---- */

static const char *const names[] = {"step", "a \"quoted\" \\ name\n", "µ-kernel", "loss", "pause"};
enum { STEP, QUOTED, KERNEL, LOSS, PAUSE };

/* Two operations of a pool thread, and a phase of the step with what it changed in memory. */
static void
add_step(LacCapture *capture, gint64 s)
{
  const gint64 at = 5000000123 + s * 100001;
  LacRecord    kernel = {.kind = LAC_RECORD_AGGREGATE, .name = KERNEL, .step = s, .lane = 1};
  LacRecord    phase = {.kind = LAC_RECORD_SPAN, .name = QUOTED, .step = s, .depth = 1};
  LacRecord    loss = {.kind = LAC_RECORD_COUNTER, .name = LOSS, .value = 0.1 * (double) s};
  LacRecord    step = {.kind = LAC_RECORD_SPAN, .name = STEP, .step = s, .memory = 8192};
  LacRecord    pause = {.kind = LAC_RECORD_MARK, .name = PAUSE, .step = s, .memory = -1};
  kernel.start_ns = at + 1;
  kernel.duration_ns = 777777; /* longer than the step: several threads */
  kernel.count = 9;
  kernel.flops = 1e15 + (double) s;
  kernel.bytes = 4096;
  kernel.memory = 12;
  LacRecord other = kernel;
  other.name = QUOTED;
  other.duration_ns = 33;
  phase.start_ns = step.start_ns = at;
  phase.duration_ns = 500;
  phase.memory = -1;
  phase.epoch = 2;
  phase.batch = (guint32) s;
  LacRecord memory = phase;
  memory.kind = LAC_RECORD_MEMORY;
  memory.cpu_delta = -4096 * s;
  memory.cpu_peak = 1 << 20;
  memory.gpu_delta = memory.gpu_peak = LAC_RECORD_UNKNOWN;
  loss.start_ns = at + 600;
  step.duration_ns = 100000;
  pause.start_ns = at + 100000;
  phase.count = step.count = pause.count = 1;
  const LacRecord records[] = {kernel, other, phase, memory, loss, step, pause};
  lac_capture_append(capture, records, G_N_ELEMENTS(records));
}

static LacCapture *
make_capture(void)
{
  LacCapture *capture = lac_capture_new("run \"1\"");
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    lac_capture_add_name(capture, names[i]);
  lac_capture_add_lane(capture, "compute");
  lac_capture_add_lane(capture, "pool 1");
  for (gint64 s = 0; s < 40; s++)
    add_step(capture, s);
  return capture;
}

/* Within a lane and kind what was written comes back in its order; a format may put the kinds in another. */
static void
assert_same(const LacCapture *a, const LacCapture *b)
{
  gint64 begin_ns, end_ns, begin_b, end_b;
  lac_capture_get_extent(a, &begin_ns, &end_ns);
  lac_capture_get_extent(b, &begin_b, &end_b);
  g_assert_cmpint(end_ns - begin_ns, ==, end_b - begin_b);
  g_assert_cmpuint(lac_capture_get_n_records(a), ==, lac_capture_get_n_records(b));
  for (guint kind = 0; kind <= LAC_RECORD_MEMORY; kind++) {
    gsize k = 0;
    for (gsize i = 0; i < lac_capture_get_n_records(a); i++) {
      const LacRecord *x = lac_capture_at(a, i), *y;
      if (x->kind != kind)
        continue;
      while ((y = lac_capture_at(b, k++))->kind != kind)
        continue;
      g_assert_cmpstr(name_of(a, x), ==, name_of(b, y));
      g_assert_cmpstr(lac_capture_get_lane(a, x->lane), ==, lac_capture_get_lane(b, y->lane));
      g_assert_cmpint(x->start_ns - begin_ns, ==, y->start_ns - begin_b);
      g_assert_cmpint(x->duration_ns, ==, y->duration_ns);
      g_assert_cmpuint(x->depth, ==, y->depth);
      if (kind == LAC_RECORD_COUNTER) {
        g_assert_cmpfloat(x->value, ==, y->value);
        continue;
      }
      g_assert_cmpint(x->step, ==, y->step);
      g_assert_cmpuint(x->count, ==, kind == LAC_RECORD_MEMORY ? 0 : y->count);
      g_assert_cmpint(memcmp(&x->flops, &y->flops, 4 * sizeof(double)), ==, 0);
    }
  }
}

static void
test_ours_comes_back(gconstpointer ending)
{
  g_auto(LacTraceFacts) facts = {0};
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacCapture) written = make_capture();
  g_autofree char      *name = g_strconcat("own", ending, NULL);
  g_autofree char      *path = g_build_filename(folder, name, NULL);
  g_assert_true(lac_trace_write(written, path, &error));
  g_assert_no_error(error);
  g_autoptr(LacCapture) read = lac_trace_open(path, &facts, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(facts.program, ==, "Lacuna");
  g_assert_cmpstr(facts.caution, ==, "");
  g_assert_cmpstr(lac_capture_get_title(read), ==, "run \"1\"");
  assert_same(written, read);
  assert_sequences(read);
}

static void
test_protobuf_cut_anywhere(void)
{
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacCapture) written = make_capture();
  g_autofree char      *path = g_build_filename(folder, "whole.pftrace", NULL), *bytes = NULL;
  gsize                 n, n_before = 0;
  g_assert_true(lac_trace_write(written, path, &error));
  g_assert_true(g_file_get_contents(path, &bytes, &n, NULL));
  for (gsize cut = 1; cut < n; cut += 1 + n / 400) {
    g_autofree char      *part = put("cut.pftrace", bytes, (gssize) cut);
    g_autoptr(GError)     wrong = NULL;
    g_autoptr(LacCapture) capture = lac_trace_open(part, NULL, &wrong);
    if (capture == NULL) {
      g_assert_error(wrong, LAC_ERROR, LAC_ERROR_BAD_FILE);
      g_assert_cmpuint(n_before, ==, 0);
      continue;
    }
    g_assert_cmpuint(lac_capture_get_n_records(capture), >=, n_before);
    n_before = lac_capture_get_n_records(capture);
  }
  g_assert_cmpuint(n_before, >, lac_capture_get_n_records(written) / 2);
}

static void
test_description(void)
{
  g_auto(LacTraceFacts) facts = {0};
  g_autoptr(LacCapture) capture = open_text(sound, &facts);
  g_autofree char      *text = lac_trace_describe(capture, "x.json", &facts);
  g_assert_nonnull(strstr(text, "x.json: a Chrome trace of Some of 3 events"));
  g_assert_nonnull(strstr(text, "2 spans"));
  g_assert_nonnull(strstr(text, "4 us in 1 calls: b")); /* it ends with the last event */
  g_assert_nonnull(strstr(text, "2 us in 1 calls: a µ"));
  g_assert_nonnull(strstr(text, "1 spans had not ended"));
}

static void
clear_folder(void)
{
  g_autoptr(GDir) directory = g_dir_open(folder, 0, NULL);
  const char     *name;
  while ((name = g_dir_read_name(directory)) != NULL) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_unlink(path);
  }
  g_rmdir(folder);
  g_free(folder);
}

int
main(int argc, char **argv)
{
  static const Peer peers[] = {{"torch", "torch.profiler", TRUE},
                               {"viztracer", "viztracer", FALSE},
                               {"jax", "JAX or another program of XLA", FALSE}};
  g_test_init(&argc, &argv, NULL);
  folder = g_dir_make_tmp("lacuna-traces-XXXXXX", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(peers); i++) {
    g_autofree char *name =
      g_strdup_printf("/io/trace/top-ten-of-%s-agree-with-its-own-table", peers[i].name);
    g_test_add_data_func(name, &peers[i], test_peer);
  }
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
  g_test_add_data_func("/io/trace/our-json-comes-back", ".json", test_ours_comes_back);
  g_test_add_data_func("/io/trace/our-packed-json-comes-back", ".json.gz", test_ours_comes_back);
  g_test_add_data_func("/io/trace/our-protobuf-comes-back", ".pftrace", test_ours_comes_back);
  g_test_add_data_func("/io/trace/our-packed-protobuf-comes-back", ".pftrace.gz",
                       test_ours_comes_back);
  g_test_add_func("/io/trace/a-protobuf-cut-anywhere-opens-or-is-refused",
                  test_protobuf_cut_anywhere);
  g_test_add_func("/io/trace/description", test_description);
  const int status = g_test_run();
  clear_folder();
  return status;
}
