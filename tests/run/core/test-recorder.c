/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiling of a run: phases with their memory against /proc, steps against another clock, writes, counters, the
 * overhead of recording, the window's lane. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "base/clock.h"
#include "io/runfile/run-file.h"
#include "perf/recorder/gauges.h"
#include "run/helpers/lorenz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MS G_GINT64_CONSTANT(1000000)

/* Lorenz with slow steps that allocate some pages each. */
#define STEPS 120

enum { PAGES = 300, SAMPLES = 1000 };

static struct {
  gint64 busy_ns, pages;
  gint64 inside_ns[STEPS + 1]; /* duration of a step, measured inside it */
  gint64 grown[STEPS + 1];     /* increase of resident bytes during a step, from /proc */
  guint  n;
} slow;

static gint64
read_clock(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (gint64) now.tv_sec * 1000 * MS + now.tv_nsec;
}

static gint64
read_resident(void)
{
  char  text[128] = "";
  FILE *file = fopen("/proc/self/statm", "r");
  long  pages = 0;

  g_assert_nonnull(file);
  setvbuf(file, NULL, _IONBF, 0);
  g_assert_nonnull(fgets(text, sizeof text, file));
  fclose(file);
  pages = strtol(strchr(text, ' '), NULL, 10);
  return (gint64) pages * sysconf(_SC_PAGESIZE);
}

static gboolean
slow_step(gpointer state, LacStepReport *report, GError **error)
{
  gint64 begin_ns = read_clock(), before = read_resident();

  if (slow.pages > 0) {
    gsize n_bytes = (gsize) (slow.pages * sysconf(_SC_PAGESIZE));
    char *pages = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    g_assert_true(pages != MAP_FAILED);
    memset(pages, 1, n_bytes); /* never freed: a few megabytes until the test ends */
  }
  gboolean done = lorenz.step(state, report, error);
  report->samples = SAMPLES;
  while (read_clock() < begin_ns + slow.busy_ns)
    continue;
  slow.grown[++slow.n] = read_resident() - before;
  slow.inside_ns[slow.n] = read_clock() - begin_ns;
  return done;
}

typedef struct {
  char       *out;
  LacRun     *run;
  LacRunFile *file;
} Fixture;

static void
run_with_cache(Fixture *f, LacPerfDetail detail, const char *backend, LacContentCache *cache)
{
  g_autoptr(LacDraft) draft = lorenz_draft("steps", G_STRINGIFY(STEPS), NULL);
  g_autoptr(GError)   error = NULL;
  LacExperiment       experiment = lorenz;
  LacRunSettings      settings = lorenz_settings(draft, f->out = test_folder_new());

  slow.n = 0;
  experiment.step = slow_step;
  settings.experiment = &experiment;
  settings.detail = detail;
  settings.backend = backend;
  settings.cache = cache;
  f->run = lorenz_run(&settings);
  f->file = lac_run_file_open(lac_run_get_folder(f->run), &error);
  g_assert_no_error(error);
}

static void
run_slowly(Fixture *f, LacPerfDetail detail, const char *backend)
{
  run_with_cache(f, detail, backend, NULL);
}

static void
clear(Fixture *f)
{
  lac_run_file_unref(f->file);
  lac_run_free(f->run);
  test_folder_remove(f->out);
}

/* Returns: the number of records of this kind and name in the lane; @sum: of their durations, @last: the last one. */
static guint
find(const Fixture    *f,
     LacRecordKind     kind,
     const char       *lane,
     const char       *name,
     gint64           *sum,
     const LacRecord **last)
{
  const LacCapture *capture = f->file->capture;
  guint             n = 0;

  for (gsize i = 0; i < lac_capture_get_n_records(capture); i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    if (record->kind != (guint8) kind ||
        !g_str_equal(lac_capture_get_name(capture, record->name), name) ||
        !g_str_equal(lac_capture_get_lane(capture, record->lane), lane))
      continue;
    n++;
    if (sum != NULL)
      *sum += record->duration_ns;
    if (last != NULL)
      *last = record;
  }
  return n;
}

static guint
count(const Fixture *f, LacRecordKind kind, const char *lane, const char *name)
{
  return find(f, kind, lane, name, NULL, NULL);
}

/* ---- times ---- */

/* The span includes the step and adds two clock readings and two calls, unless the machine is interrupted. */
static void
test_independent_clock(void)
{
  Fixture f;
  guint   n = 0, n_within = 0;
  gint64  inside = 0, sum = 0;

  slow.busy_ns = 2 * MS;
  slow.pages = 0;
  run_slowly(&f, LAC_PERF_FULL, "cpu");
  for (gsize i = 0; i < lac_capture_get_n_records(f.file->capture); i++) {
    const LacRecord *record = lac_capture_at(f.file->capture, i);
    if (record->kind != LAC_RECORD_SPAN ||
        !g_str_equal(lac_capture_get_name(f.file->capture, record->name), "step"))
      continue;
    gint64 own = slow.inside_ns[record->step];
    g_assert_cmpint(record->duration_ns, >=, own);
    n_within += record->duration_ns <= own + own / 100;
    inside += own;
    sum += record->duration_ns;
    n++;
  }
  g_test_message("steps took %.6f s by their own clock, %.6f s by their spans",
                 (double) inside * 1e-9, (double) sum * 1e-9);
  g_assert_cmpuint(n, ==, STEPS);
  g_assert_cmpuint(n_within, >=, STEPS * 3 / 4);
  clear(&f);
}

/* ---- memory ---- */

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/* Counts a run's steps that were measured, and those measured correctly. Tolerance one page: between the reading of
 * the test and that of the run the program may touch one more page. */
static void
count_measured(guint *n, guint *n_near)
{
  const gint64 page = sysconf(_SC_PAGESIZE);
  Fixture      f;

  run_slowly(&f, LAC_PERF_FULL, "cpu");
  const LacCapture *capture = f.file->capture;
  for (gsize i = 0; i < lac_capture_get_n_records(capture); i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    if (record->kind != LAC_RECORD_MEMORY ||
        !g_str_equal(lac_capture_get_name(capture, record->name), "step"))
      continue;
    ++*n;
    *n_near += ABS(record->cpu_delta - slow.grown[record->step]) <= page;
    g_assert_cmpint(record->cpu_peak, >=, record->cpu_delta);
    g_assert_cmpint(record->gpu_delta, ==, LAC_RECORD_UNKNOWN);
    g_assert_cmpint(record->gpu_peak, ==, LAC_RECORD_UNKNOWN);
  }
  clear(&f);
}
#endif

static void
test_memory_of_steps(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  g_test_skip("a sanitizer keeps pages of its own about ours");
#else
  guint n = 0, n_near = 0;

  slow.busy_ns = 4 * MS;
  slow.pages = PAGES;
  /* the number of measured steps depends on the cost of a reading: an interrupted one delays the next by many steps */
  for (guint run = 0; run < 10 && n < STEPS / 24; run++)
    count_measured(&n, &n_near);
  g_test_message("%u of %u steps within a page", n_near, n);
  g_assert_cmpuint(n, >=, STEPS / 24);
  g_assert_cmpuint(n_near, >=, n - n / 8); /* occasionally a first page of a stack or a cache */
#endif
}

static void
test_phases(void)
{
  static const char *const phases[] = {"set-up",         "create the experiment", "prepare frames",
                                       "keep FFT plans", "keep readings",         "checkpoint"};
  Fixture                  f;

  slow.busy_ns = 0;
  slow.pages = 0;
  run_slowly(&f, LAC_PERF_COARSE, "strict");
  for (gsize i = 0; i < G_N_ELEMENTS(phases); i++) {
    const LacRecord *memory = NULL;
    guint            n = count(&f, LAC_RECORD_SPAN, "compute", phases[i]);
    g_assert_cmpuint(n, >=, 1);
    g_assert_cmpuint(find(&f, LAC_RECORD_MEMORY, "compute", phases[i], NULL, &memory), ==, n);
    g_assert_cmpint(memory->cpu_peak, >, 0);
    g_assert_cmpint(memory->gpu_peak, >=, 0); /* strict has its own memory and counts it */
  }
  g_assert_cmpuint(
    count(&f, LAC_RECORD_COUNTER, "compute", lac_gauge_name(LAC_GAUGE_DEVICE_MEMORY)), >=, 1);
  const LacRecord *used = NULL, *reserved = NULL, *peak = NULL;
  find(&f, LAC_RECORD_COUNTER, "compute", lac_gauge_name(LAC_GAUGE_DEVICE_MEMORY), NULL, &used);
  find(&f, LAC_RECORD_COUNTER, "compute", lac_gauge_name(LAC_GAUGE_DEVICE_RESERVED), NULL,
       &reserved);
  find(&f, LAC_RECORD_COUNTER, "compute", lac_gauge_name(LAC_GAUGE_DEVICE_PEAK), NULL, &peak);
  g_assert_cmpfloat(reserved->value, >=, used->value);
  g_assert_cmpfloat(peak->value, >=, used->value);
  clear(&f);
}

/* ---- writes, counters, cost ---- */

static void
test_lanes(void)
{
  const LacRecord *frame = NULL, *resident = NULL, *cpu = NULL, *samples = NULL;
  Fixture          f;
  gint64           sum = 0;

  slow.busy_ns = 4 * MS;
  slow.pages = 0;
  run_slowly(&f, LAC_PERF_FULL, "cpu");
  g_assert_cmpuint(find(&f, LAC_RECORD_SPAN, "I/O", "write a frame", NULL, &frame), ==, STEPS + 1);
  g_assert_cmpfloat(frame->bytes, >=, 2 * 16 * 8 * sizeof(float)); /* two planes of 16 x 8 */
  g_assert_cmpuint(count(&f, LAC_RECORD_SPAN, "I/O", "write a checkpoint"), >=, 1);
  g_assert_cmpuint(count(&f, LAC_RECORD_SPAN, "I/O", "write the journal"), >=, 1);
  g_assert_cmpuint(find(&f, LAC_RECORD_SPAN, "profiler", "collect records", &sum, NULL), >=, STEPS);
  g_assert_cmpint(sum, >, 0);
  g_assert_cmpuint(count(&f, LAC_RECORD_SPAN, "profiler", "read memory"), >=, 1);

  g_assert_cmpuint(
    find(&f, LAC_RECORD_COUNTER, "compute", lac_gauge_name(LAC_GAUGE_RESIDENT), NULL, &resident),
    >=, 1);
  g_assert_cmpfloat(resident->value, >, 1e6);
  g_assert_cmpuint(
    find(&f, LAC_RECORD_COUNTER, "compute", lac_gauge_name(LAC_GAUGE_CPU_UTILISATION), NULL, &cpu),
    >=, 1);
  g_assert_cmpfloat(cpu->value, >, 0);
  g_assert_cmpfloat(cpu->value, <=, 1.05); /* the two clocks are read one after the other */
  g_assert_cmpuint(
    find(&f, LAC_RECORD_COUNTER, "compute", lac_gauge_name(LAC_GAUGE_SAMPLES), NULL, &samples), >=,
    1);
  g_assert_cmpfloat(samples->value, >, 0);
  g_assert_cmpfloat(samples->value, <=, SAMPLES / 4e-3); /* a step takes at least 4 ms */
  g_assert_cmpuint(
    count(&f, LAC_RECORD_COUNTER, "compute", lac_gauge_name(LAC_GAUGE_GPU_UTILISATION)), ==, 0);
  clear(&f);
}

/* A metric is a counter with the value of its row. */
static void
test_metrics(void)
{
  Fixture          f;
  const LacRecord *last = NULL;

  slow.busy_ns = 4 * MS;
  slow.pages = 0;
  run_slowly(&f, LAC_PERF_FULL, "cpu");
  g_assert_cmpuint(find(&f, LAC_RECORD_COUNTER, "compute", "distance", NULL, &last), >=, STEPS / 8);
  gsize n = f.file->n_metrics;
  g_assert_cmpfloat(last->value, ==, f.file->series[(gsize) (last->step - 1) * n]);
  clear(&f);
}

/* The machine is measured by the first run and recalled from the cache by the second; without a cache it is not
 * measured. */
static void
test_peaks(void)
{
  static const char *const   names[] = {LAC_COUNTER_PEAK_FLOPS, LAC_COUNTER_PEAK_BYTES};
  g_autofree char           *folder = test_folder_new();
  g_autoptr(LacContentCache) cache = lac_content_cache_new(folder, 0);
  Fixture                    first, second, without;

  slow.busy_ns = slow.pages = 0;
  run_with_cache(&first, LAC_PERF_COARSE, "cpu", cache);
  run_with_cache(&second, LAC_PERF_COARSE, "cpu", cache);
  run_slowly(&without, LAC_PERF_COARSE, "cpu");
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    const LacRecord *measured = NULL, *known = NULL;
    g_assert_cmpuint(find(&first, LAC_RECORD_COUNTER, "compute", names[i], NULL, &measured), ==, 1);
    g_assert_cmpuint(find(&second, LAC_RECORD_COUNTER, "compute", names[i], NULL, &known), ==, 1);
    g_assert_cmpuint(count(&without, LAC_RECORD_COUNTER, "compute", names[i]), ==, 0);
    g_assert_true(isfinite(measured->value));
    g_assert_cmpfloat(measured->value, >, 0);
    g_assert_cmpfloat(known->value, ==, measured->value);
  }
  clear(&first);
  clear(&second);
  clear(&without);
  g_clear_pointer(&cache, lac_content_cache_unref);
  test_folder_remove(g_steal_pointer(&folder));
}

static void
test_off(void)
{
  Fixture f;

  slow.busy_ns = 0;
  slow.pages = 0;
  run_slowly(&f, LAC_PERF_OFF, "cpu");
  g_assert_cmpuint(lac_capture_get_n_records(f.file->capture), ==, 0);
  clear(&f);
}

/* ---- the window ---- */

static void
ignore(const LacRecord *records, gsize n, gpointer user_data)
{
  *(guint64 *) user_data += n;
}

static void
test_window(void)
{
  g_autofree char    *out = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "400", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacRun)   run = lac_run_new(&settings, &error);
  LacRunStatus        status = {0};
  guint64             n_records = 0, n_drawn = 0;

  lac_run_record_drawing(run, 1, 1, 2); /* nothing is recorded yet */
  lac_run_start(run, FALSE);
  while (status.state != LAC_RUN_ENDED) {
    gint64 now = lac_clock_ns();
    lac_run_get_status(run, &status);
    lac_run_record_drawing(run, now - 1000, n_drawn++ % 2 ? 300 : 0, now);
    lac_run_drain(run, ignore, NULL, &n_records);
    g_usleep(300);
  }
  lac_run_record_drawing(run, 1, 1, 2); /* nothing is recorded any more */
  lac_run_wait(run, &error);
  g_assert_no_error(error);
  lac_run_drain(run, ignore, NULL, &n_records);
  LacPerf *perf = lac_run_get_perf(run);
  g_assert_cmpuint(lac_perf_get_n_pushed(perf), ==, n_records);

  Fixture f = {out, run, lac_run_file_open(lac_run_get_folder(run), &error)};
  g_assert_no_error(error);
  guint drawn = count(&f, LAC_RECORD_SPAN, "window", "draw");
  guint uploaded = count(&f, LAC_RECORD_SPAN, "window", "upload");
  g_assert_cmpuint(drawn, >, 0);
  g_assert_cmpuint(drawn, <=, n_drawn);
  g_assert_cmpuint(2 * uploaded, <=, drawn + 1); /* every second picture had new data */
  g_assert_cmpuint(2 * uploaded + 1, >=, drawn);
  lac_run_file_unref(f.file);
  test_folder_remove(g_steal_pointer(&out));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/run/recorder/steps-agree-with-another-clock", test_independent_clock);
  g_test_add_func("/run/recorder/memory-of-steps-agrees-with-proc", test_memory_of_steps);
  g_test_add_func("/run/recorder/phases-say-what-they-hold", test_phases);
  g_test_add_func("/run/recorder/writes-counters-and-own-cost", test_lanes);
  g_test_add_func("/run/recorder/metrics-are-counters", test_metrics);
  g_test_add_func("/run/recorder/the-machine-is-measured-once", test_peaks);
  g_test_add_func("/run/recorder/off-records-nothing", test_off);
  g_test_add_func("/run/recorder/the-window-has-a-lane-while-it-records", test_window);
  return g_test_run();
}
