/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of scopes against pages mapped and touched by hand, and against /proc around them. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "perf/recorder/heap.h"
#include "perf/recorder/memory-scope.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MIB ((gint64) 1 << 20)

/* Sanitizers add shadow pages of their own: more pages are resident than were touched, without a limit. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#  define EXACT 0
#else
#  define EXACT 1
#endif

/* Kernels 6.2 to 6.15 count resident pages per processor and add up counts above 32 each (mm_counter in
 * percpu_counter). */
#define BATCH_BYTES ((gint64) 64 * lac_pages(1) * sysconf(_SC_NPROCESSORS_CONF))

static gint64
lac_pages(gint64 n)
{
  return n * sysconf(_SC_PAGESIZE);
}

static gint64
read_resident(void)
{
  g_autofree char *text = NULL;

  g_assert_true(g_file_get_contents("/proc/self/statm", &text, NULL, NULL));
  return lac_pages(g_ascii_strtoll(strchr(text, ' '), NULL, 10));
}

static char *
map_touched(gint64 n_bytes)
{
  char *pages =
    mmap(NULL, (gsize) n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  g_assert_true(pages != MAP_FAILED);
  memset(pages, 1, (gsize) n_bytes);
  return pages;
}

static void
unmap(char *pages, gint64 n_bytes)
{
  g_assert_cmpint(munmap(pages, (gsize) n_bytes), ==, 0);
}

static void
assert_near(gint64 value, gint64 expected, gint64 slack)
{
  g_assert_cmpint(value, >=, expected - slack);
  g_assert_cmpint(value, <=, expected + slack);
}

static void
assert_touched(gint64 value, gint64 expected)
{
  if (EXACT)
    assert_near(value, expected, BATCH_BYTES + lac_pages(1));
  else
    g_assert_cmpint(value, >=, expected - MIB);
}

static gboolean
can_reset(void)
{
  return lac_heap_reset_peak();
}

/* Code that runs for the first time is paged in, 16 pages at once, between the readings or outside the scope. */
static void
run_once(void)
{
  LacMemoryScope  scope;
  LacMemoryChange change;

  read_resident();
  lac_memory_scope_begin(&scope, NULL);
  unmap(map_touched(lac_pages(1)), lac_pages(1));
  lac_memory_scope_end(&scope, &change);
  read_resident();
}

static void
test_touched_pages(void)
{
  const gint64 sizes[] = {lac_pages(1), lac_pages(777), 64 * MIB};

  run_once();
  for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
    LacMemoryScope  scope;
    LacMemoryChange change;
    gint64          before = read_resident();

    lac_memory_scope_begin(&scope, NULL);
    char *pages = map_touched(sizes[i]);
    lac_memory_scope_end(&scope, &change);
    gint64 after = read_resident();
    assert_near(change.cpu_delta, after - before, EXACT ? lac_pages(1) : MIB);
    assert_touched(change.cpu_delta, sizes[i]);
    assert_near(change.cpu_peak, after, BATCH_BYTES + MIB);
    g_assert_cmpint(change.gpu_delta, ==, LAC_RECORD_UNKNOWN);
    g_assert_cmpint(change.gpu_peak, ==, LAC_RECORD_UNKNOWN);
    unmap(pages, sizes[i]);
  }
}

/* Memory held only within one scope is in its peak and in that of enclosing scopes, and in no later one's. */
static void
test_nested(void)
{
  LacMemoryScope  outer, inner, later;
  LacMemoryChange of_outer, of_inner, of_later;

  if (!can_reset()) {
    g_test_skip("this system does not let a process reset its peak");
    return;
  }
  lac_memory_scope_begin(&outer, NULL);
  gint64 before = read_resident();
  lac_memory_scope_begin(&inner, NULL);
  unmap(map_touched(64 * MIB), 64 * MIB);
  lac_memory_scope_end(&inner, &of_inner);
  lac_memory_scope_begin(&later, NULL);
  unmap(map_touched(16 * MIB), 16 * MIB);
  lac_memory_scope_end(&later, &of_later);
  lac_memory_scope_end(&outer, &of_outer);

  assert_touched(of_inner.cpu_delta, 0);
  assert_touched(of_inner.cpu_peak, before + 64 * MIB);
  assert_touched(of_later.cpu_peak, before + 16 * MIB);
  g_assert_cmpint(of_outer.cpu_peak, >=, of_inner.cpu_peak);
  assert_touched(of_outer.cpu_peak, of_inner.cpu_peak);
}

/* A light scope does not reset the enclosing scope's peak, and records rises above every earlier peak. */
static void
test_light(void)
{
  LacMemoryScope  outer, light;
  LacMemoryChange of_outer, of_light;

  if (!can_reset()) {
    g_test_skip("this system does not let a process reset its peak");
    return;
  }
  lac_memory_scope_begin(&outer, NULL);
  gint64 before = read_resident();
  lac_memory_scope_begin_light(&light, NULL);
  unmap(map_touched(64 * MIB), 64 * MIB);
  lac_memory_scope_end(&light, &of_light);
  assert_touched(of_light.cpu_peak, before + 64 * MIB);
  lac_memory_scope_begin_light(&light, NULL);
  unmap(map_touched(16 * MIB), 16 * MIB);
  lac_memory_scope_end(&light, &of_light);
  if (EXACT) /* below the earlier peak: not observed */
    assert_touched(of_light.cpu_peak, before);
  lac_memory_scope_end(&outer, &of_outer);
  assert_touched(of_outer.cpu_peak, before + 64 * MIB);
}

/* ---- a device ---- */

typedef struct {
  gint64 used, peak;
  guint  n_waits;
} Device;

static void
read_device(LacDeviceMemory *memory, gpointer user_data)
{
  const Device *device = user_data;

  *memory = (LacDeviceMemory){device->used, LAC_RECORD_UNKNOWN, device->peak};
}

static void
reset_device(gpointer user_data)
{
  Device *device = user_data;

  device->peak = device->used;
}

static void
wait_device(gpointer user_data)
{
  Device *device = user_data;

  device->n_waits++;
}

static void
take(Device *device, gint64 n_bytes)
{
  device->used += n_bytes;
  device->peak = MAX(device->peak, device->used);
}

static void
keep(const LacRecord *records, gsize n, gpointer user_data)
{
  g_array_append_vals(user_data, records, (guint) n);
}

static void
test_spans_and_device(void)
{
  g_autoptr(LacPerf) perf = lac_perf_new(LAC_PERF_COARSE);
  g_autoptr(GArray)  records = g_array_new(FALSE, FALSE, sizeof(LacRecord));
  LacLane           *lane = lac_perf_lane(perf, "compute");
  Device             device = {.used = 100, .peak = 5000};
  LacMemoryProbe     probe = {read_device, reset_device, wait_device, &device};
  LacMemorySpan      outer, inner;

  lac_memory_span_begin(&outer, lane, lac_perf_name(perf, "outer"), &probe);
  take(&device, 900);
  take(&device, -800);
  lac_memory_span_begin(&inner, lane, lac_perf_name(perf, "inner"), &probe);
  take(&device, 300);
  take(&device, -250);
  lac_memory_span_end(&inner, lane, 3);
  lac_memory_span_end(&outer, lane, 3);
  g_assert_cmpuint(device.n_waits, >=, 4); /* before each begins and ends */

  g_assert_cmpuint(lac_perf_drain(perf, keep, records), ==, 4);
  const LacRecord *r = (const LacRecord *) (gpointer) records->data;
  for (guint i = 0; i < 4; i += 2) {
    g_assert_cmpint(r[i].kind, ==, LAC_RECORD_SPAN);
    g_assert_cmpint(r[i + 1].kind, ==, LAC_RECORD_MEMORY);
    g_assert_cmpuint(r[i + 1].name, ==, r[i].name);
    g_assert_cmpint(r[i + 1].step, ==, 3);
    g_assert_cmpint(r[i + 1].start_ns, ==, r[i].start_ns);
    g_assert_cmpint(r[i + 1].duration_ns, ==, r[i].duration_ns);
    g_assert_cmpuint(r[i + 1].depth, ==, r[i].depth);
  }
  g_assert_cmpint(r[1].gpu_delta, ==, 50);
  g_assert_cmpint(r[1].gpu_peak, ==, 500);
  g_assert_cmpint(r[3].gpu_delta, ==, 150);
  g_assert_cmpint(r[3].gpu_peak, ==, 1000); /* not the 5000 from before it began */
  g_assert_cmpint(r[3].cpu_peak, >, 0);
}

static void
test_muted(void)
{
  g_autoptr(LacPerf) perf = lac_perf_new(LAC_PERF_OFF);
  LacLane           *lane = lac_perf_lane(perf, "compute");
  Device             device = {0, 0, 0};
  LacMemoryProbe     probe = {read_device, reset_device, wait_device, &device};
  LacMemorySpan      span;

  lac_memory_span_begin(&span, lane, 0, &probe);
  lac_memory_span_end(&span, lane, 1);
  g_assert_cmpuint(device.n_waits, ==, 0);
  g_assert_cmpuint(lac_perf_get_n_pushed(perf), ==, 0);
}

/* ---- threads ---- */

static void *
scopes_of_a_thread(void *data)
{
  for (int i = 0; i < 200; i++) {
    LacMemoryScope  outer, inner;
    LacMemoryChange of_outer, of_inner;

    lac_memory_scope_begin(&outer, NULL);
    lac_memory_scope_begin(&inner, NULL);
    unmap(map_touched(MIB), MIB);
    lac_memory_scope_end(&inner, &of_inner);
    lac_memory_scope_end(&outer, &of_outer);
    g_assert_cmpint(of_outer.cpu_peak, >=, of_inner.cpu_peak);
  }
  return NULL;
}

static void
test_threads(void)
{
  pthread_t threads[4];

  for (gsize i = 0; i < G_N_ELEMENTS(threads); i++)
    g_assert_cmpint(pthread_create(&threads[i], NULL, scopes_of_a_thread, NULL), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS(threads); i++)
    pthread_join(threads[i], NULL);
}

/* ---- spans whose lane reads memory ---- */

typedef struct {
  guint     n;
  LacRecord records[16];
} Taken;

static void
take_few(const LacRecord *records, gsize n, gpointer user_data)
{
  Taken *taken = user_data;
  for (gsize i = 0; i < n; i++) {
    g_assert_cmpuint(taken->n, <, G_N_ELEMENTS(taken->records));
    taken->records[taken->n++] = records[i];
  }
}

/* Ten megabytes are touched and returned in the inner of two spans: only the peaks remain. */
static void
work_nested(LacLane *lane, guint32 outer, guint32 inner)
{
  const gsize n = 10 * MIB;
  LacSpan     whole = lac_span_begin(lane, outer);
  LacSpan     part = lac_span_begin(lane, inner);
  void       *block = map_touched(n);
  lac_span_end(lane, part, 3);
  unmap(block, n);
  lac_span_end(lane, whole, 3);
}

static void
test_lane(void)
{
  g_autoptr(LacPerf) perf = lac_perf_new(LAC_PERF_COARSE);
  LacLane           *lane = lac_perf_lane(perf, "compute");
  const guint32      outer = lac_perf_name(perf, "outer"), inner = lac_perf_name(perf, "inner");
  Taken              taken = {0};
  const gint64       touched = 10 * MIB, slack = MIB;

  work_nested(lane, outer, inner); /* not read: spans alone */
  lac_perf_drain(perf, take_few, &taken);
  g_assert_cmpuint(taken.n, ==, 2);
  g_assert_cmpint(lac_lane_read_memory(lane, TRUE), ==, 0);

  taken.n = 0;
  work_nested(lane, outer, inner);
  g_assert_cmpint(lac_lane_read_memory(lane, FALSE), >, 0);
  lac_perf_drain(perf, take_few, &taken);
  g_assert_cmpuint(taken.n, ==, 4);
  const LacRecord *part = &taken.records[1], *whole = &taken.records[3];
  g_assert_cmpint(part->kind, ==, LAC_RECORD_MEMORY);
  g_assert_cmpint(whole->kind, ==, LAC_RECORD_MEMORY);
  g_assert_cmpuint(part->name, ==, inner);
  g_assert_cmpuint(whole->name, ==, outer);
  g_assert_cmpint(part->cpu_delta, >, touched - slack);
  if (EXACT) { /* else with the pages of the shadow */
    g_assert_cmpint(part->cpu_delta, <, touched + slack);
    g_assert_cmpint(ABS(whole->cpu_delta), <, slack);
  }
  g_assert_cmpint(whole->cpu_peak, ==, part->cpu_peak); /* nothing was larger */
  g_assert_cmpint(part->gpu_peak, ==, LAC_RECORD_UNKNOWN);

  taken.n = 0;
  work_nested(lane, outer, inner);
  lac_perf_drain(perf, take_few, &taken);
  g_assert_cmpuint(taken.n, ==, 2);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/memory-scope/touched-pages-are-counted", test_touched_pages);
  g_test_add_func("/perf/memory-scope/a-peak-counts-for-what-is-around-it", test_nested);
  g_test_add_func("/perf/memory-scope/a-light-scope-resets-nothing", test_light);
  g_test_add_func("/perf/memory-scope/spans-have-memory-and-devices-too", test_spans_and_device);
  g_test_add_func("/perf/memory-scope/muted-lane-reads-nothing", test_muted);
  g_test_add_func("/perf/memory-scope/threads-at-once", test_threads);
  g_test_add_func("/perf/memory-scope/a-lane-reads-memory-when-told", test_lane);
  return g_test_run();
}
