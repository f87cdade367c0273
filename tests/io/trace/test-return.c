/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Round trip of Lacuna's own traces, in every format. */
#include "base/error.h"
#include "helpers/folder.h"
#include "io/helpers/trace-checks.h"
#include "io/trace/trace-file.h"
#include "perf/trace/trace.h"

#include <string.h>

static const char *const names[] = {"step", "a \"quoted\" \\ name\n", "µ-kernel", "loss", "pause"};
enum { STEP, QUOTED, KERNEL, LOSS, PAUSE };

/* Adds two operations of a pool thread, and a phase of the step with its memory changes. */
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

/* Within a lane and kind, the order is preserved; a format may reorder the kinds. */
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
      g_assert_cmpstr(trace_name_of(a, x), ==, trace_name_of(b, y));
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
  g_autofree char      *path = g_build_filename(trace_folder, name, NULL);
  g_assert_true(lac_trace_write(written, path, &error));
  g_assert_no_error(error);
  g_autoptr(LacCapture) read = lac_trace_open(path, &facts, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(facts.program, ==, "Lacuna");
  g_assert_cmpstr(facts.caution, ==, "");
  g_assert_cmpstr(lac_capture_get_title(read), ==, "run \"1\"");
  assert_same(written, read);
  trace_assert_sequences(read);
}

static void
test_protobuf_cut_anywhere(void)
{
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacCapture) written = make_capture();
  g_autofree char      *path = g_build_filename(trace_folder, "whole.pftrace", NULL), *bytes = NULL;
  gsize                 n, n_before = 0;
  g_assert_true(lac_trace_write(written, path, &error));
  g_assert_true(g_file_get_contents(path, &bytes, &n, NULL));
  for (gsize cut = 1; cut < n; cut += 1 + n / 400) {
    g_autofree char      *part = trace_put("cut.pftrace", bytes, (gssize) cut);
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

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  trace_folder = test_folder_new();
  g_test_add_data_func("/io/trace/our-json-comes-back", ".json", test_ours_comes_back);
  g_test_add_data_func("/io/trace/our-packed-json-comes-back", ".json.gz", test_ours_comes_back);
  g_test_add_data_func("/io/trace/our-protobuf-comes-back", ".pftrace", test_ours_comes_back);
  g_test_add_data_func("/io/trace/our-packed-protobuf-comes-back", ".pftrace.gz",
                       test_ours_comes_back);
  g_test_add_func("/io/trace/a-protobuf-cut-anywhere-opens-or-is-refused",
                  test_protobuf_cut_anywhere);
  const int status = g_test_run();
  test_folder_remove(g_steal_pointer(&trace_folder));
  return status;
}
