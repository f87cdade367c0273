/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planted anomalies are found, named and measured; nothing else is reported. */
#include "perf/analysis/analysis.h"

#include <math.h>

enum { STEP, FORWARD, REVERSE, UPDATE, LOAD, RESIDENT, N_NAMES };
static const char *const names[N_NAMES] = {"step",   "forward", "reverse",
                                           "update", "load",    LAC_COUNTER_RESIDENT};

/* A recording of steps: three operations in turn, a memory counter; 5 % noise. */
typedef struct {
  gsize    n_steps;
  double   scale[N_NAMES]; /* factor of the durations; 0 means 1 */
  gint64   slow_step;      /* UPDATE takes ten times as long in this step; -1: none */
  double   first_ratio;    /* factor of the first FORWARD; 0 means 1 */
  double   leak;           /* bytes per step */
  double   jump;           /* bytes allocated after nine tenths of the steps */
  double   settles;        /* bytes allocated within the first half, then constant */
  gboolean rare;           /* an occasional LOAD outside the steps, longer than all of them */
  gboolean spans;          /* operations as nested spans instead of aggregates */
} Plan;

static double
jitter(void)
{
  return 1 + 0.05 * g_test_rand_double_range(-1, 1);
}

static LacRecord
make(LacRecordKind kind, guint32 name, gint64 start, gint64 duration, gint64 step)
{
  return (LacRecord){.kind = (guint8) kind,
                     .name = name,
                     .start_ns = start,
                     .duration_ns = duration,
                     .step = step,
                     .count = 1,
                     .memory = -1,
                     .depth = name == STEP ? 0 : 1};
}

static gint64
add_step(LacCapture *capture, const Plan *plan, gint64 step, gint64 start)
{
  gint64 at = start;
  for (guint32 name = FORWARD; name <= UPDATE; name++) {
    double scale = plan->scale[name] > 0 ? plan->scale[name] : 1;
    if (step == plan->slow_step && name == UPDATE)
      scale *= 30;
    if (step == 0 && name == FORWARD && plan->first_ratio > 0)
      scale *= plan->first_ratio;
    gint64    duration = (gint64) (1e6 * scale * jitter());
    LacRecord record =
      make(plan->spans ? LAC_RECORD_SPAN : LAC_RECORD_AGGREGATE, name, at, duration, step);
    lac_capture_append(capture, &record, 1);
    at += duration;
  }
  LacRecord whole = make(LAC_RECORD_SPAN, STEP, start, at - start + 1000, step);
  lac_capture_append(capture, &whole, 1);
  LacRecord rare = make(LAC_RECORD_SPAN, LOAD, at + 1100, step % 50 == 49 ? 400000000 : 0, step);
  rare.depth = 0;
  if (rare.duration_ns > 0 && plan->rare)
    lac_capture_append(capture, &rare, 1);
  LacRecord memory = make(LAC_RECORD_COUNTER, RESIDENT, at, 0, step);
  memory.value = 200e6 + 4096 * g_test_rand_int_range(0, 16) + plan->leak * (double) step +
                 (step >= (gint64) plan->n_steps * 9 / 10 ? plan->jump : 0) +
                 plan->settles * MIN(1.0, 2 * (double) step / (double) plan->n_steps);
  lac_capture_append(capture, &memory, 1);
  return at + 2000;
}

static LacCapture *
record(const Plan *plan)
{
  LacCapture *capture = lac_capture_new("planted");
  gint64      time = 5000;
  for (gsize i = 0; i < N_NAMES; i++)
    lac_capture_add_name(capture, names[i]);
  lac_capture_add_lane(capture, "compute");
  for (gsize step = 0; step < plan->n_steps; step++)
    time = add_step(capture, plan, (gint64) step, time);
  return capture;
}

static const LacFinding *
find(const LacAnalysis *analysis, LacFindingKind kind)
{
  for (gsize i = 0; i < analysis->n; i++)
    if (analysis->findings[i].kind == kind)
      return &analysis->findings[i];
  return NULL;
}

static void
test_slow_operation_is_the_bottleneck(gconstpointer spans)
{
  const Plan plan = {
    .n_steps = 60, .scale[REVERSE] = 6, .slow_step = -1, .spans = GPOINTER_TO_INT(spans)};
  g_autoptr(LacCapture)   capture = record(&plan);
  g_auto(LacAnalysis)     analysis = lac_analysis_make(capture);
  const LacFinding *const bottleneck = find(&analysis, LAC_FINDING_BOTTLENECK);
  g_assert_nonnull(bottleneck);
  g_assert_cmpuint(bottleneck->name, ==, REVERSE);
  g_assert_cmpfloat_with_epsilon(bottleneck->ratio, 6.0 / 8.0, 0.01);
  g_assert_null(find(&analysis, LAC_FINDING_HEAVY)); /* the others have an eighth each */
  g_assert_cmpuint(analysis.n, ==, 1);
}

static void
test_equal_operations_are_each_worth_a_look(void)
{
  const Plan            plan = {.n_steps = 60, .slow_step = -1};
  g_autoptr(LacCapture) capture = record(&plan);
  g_auto(LacAnalysis)   analysis = lac_analysis_make(capture);
  g_assert_cmpuint(analysis.n, ==, 3);
  for (gsize i = 0; i < 3; i++) {
    g_assert_cmpint(analysis.findings[i].kind, ==, LAC_FINDING_HEAVY);
    g_assert_cmpfloat_with_epsilon(analysis.findings[i].ratio, 1.0 / 3, 0.01);
    if (i > 0)
      g_assert_cmpfloat(analysis.findings[i].ns, <=, analysis.findings[i - 1].ns);
  }
}

static void
test_outlier_is_named_with_what_grew(gconstpointer spans)
{
  const Plan              plan = {.n_steps = 80, .slow_step = 41, .spans = GPOINTER_TO_INT(spans)};
  g_autoptr(LacCapture)   capture = record(&plan);
  g_auto(LacAnalysis)     analysis = lac_analysis_make(capture);
  const LacFinding *const outlier = find(&analysis, LAC_FINDING_OUTLIER);
  const LacFinding *const variance = find(&analysis, LAC_FINDING_VARIANCE);
  g_assert_nonnull(outlier);
  g_assert_cmpint(outlier->step, ==, 41);
  g_assert_cmpuint(outlier->name, ==, UPDATE);
  g_assert_cmpfloat_with_epsilon(outlier->other_ns, 29e6, 2e6);
  g_assert_cmpfloat_with_epsilon(outlier->ratio, 32.0 / 3, 1);
  g_assert_cmpuint(outlier->count, ==, 1);
  g_assert_nonnull(variance);
  g_assert_cmpint(variance->step, ==, 41);
  g_assert_cmpuint(variance->count, ==, 1);
  g_assert_cmpuint(analysis.iterations.n_outliers, ==, 1);
  g_assert_cmpint(lac_iterations_next_outlier(&analysis.iterations, -1, 1), ==, 41);
  g_assert_cmpint(lac_iterations_next_outlier(&analysis.iterations, 41, 1), ==, -1);
  g_assert_cmpint(lac_iterations_next_outlier(&analysis.iterations, 60, -1), ==, 41);
}

/* A slow step, and a slow first call: each is found in its own range and nowhere else. */
static void
test_range_tells_of_itself(void)
{
  const Plan            plan = {.n_steps = 80, .slow_step = 41, .first_ratio = 30};
  g_autoptr(LacCapture) capture = record(&plan);
  g_auto(LacAnalysis)   whole = lac_analysis_make(capture);
  const LacIteration   *all = whole.iterations.iterations;
  const LacFinding     *slow = find(&whole, LAC_FINDING_OUTLIER);
  g_auto(LacAnalysis)   without =
    lac_analysis_make_range(capture, all[50].start_ns, all[79].start_ns + all[79].duration_ns);
  g_auto(LacAnalysis) with = lac_analysis_make_range(capture, all[30].start_ns, all[60].start_ns);
  g_auto(LacAnalysis) first = lac_analysis_make_range(capture, 0, all[20].start_ns);
  g_assert_cmpuint(without.iterations.n, ==, 30);
  g_assert_null(find(&without, LAC_FINDING_OUTLIER));
  g_assert_null(find(&without, LAC_FINDING_FIRST_CALL));
  g_assert_nonnull(find(&with, LAC_FINDING_OUTLIER));
  g_assert_cmpint(find(&with, LAC_FINDING_OUTLIER)->begin_ns, ==, slow->begin_ns);
  g_assert_cmpuint(find(&with, LAC_FINDING_OUTLIER)->name, ==, UPDATE);
  g_assert_null(find(&with, LAC_FINDING_FIRST_CALL));
  g_assert_nonnull(find(&first, LAC_FINDING_FIRST_CALL));
  g_assert_null(find(&first, LAC_FINDING_OUTLIER));
}

/* Five are reported; any other is explained on request. */
static void
test_outliers_beyond_those_listed_are_explained(void)
{
  const Plan            plan = {.n_steps = 200, .slow_step = 41};
  g_autoptr(LacCapture) capture = record(&plan);
  gint64                begin, end;
  lac_capture_get_extent(capture, &begin, &end);
  for (gint64 step = 200; step < 208; step++) {
    const Plan slow = {.slow_step = step};
    end = add_step(capture, &slow, step, end + 5000);
  }
  g_auto(LacAnalysis) analysis = lac_analysis_make(capture);
  gsize               reported = 0;
  for (gsize i = 0; i < analysis.n; i++)
    reported += analysis.findings[i].kind == LAC_FINDING_OUTLIER;
  g_assert_cmpuint(reported, ==, LAC_OUTLIERS_SHOWN);
  g_assert_cmpuint(analysis.n_outliers, ==, 9);
  for (gint64 step = 200; step < 208; step++) {
    const LacFinding *outlier = lac_analysis_find_outlier(&analysis, step);
    g_assert_nonnull(outlier);
    g_assert_cmpuint(outlier->name, ==, UPDATE);
    g_assert_cmpfloat_with_epsilon(outlier->other_ns, 29e6, 2e6);
  }
  g_assert_null(lac_analysis_find_outlier(&analysis, 40));
}

static void
test_first_call_is_set_against_the_others(void)
{
  const Plan              plan = {.n_steps = 40, .slow_step = -1, .first_ratio = 12};
  g_autoptr(LacCapture)   capture = record(&plan);
  g_auto(LacAnalysis)     analysis = lac_analysis_make(capture);
  const LacFinding *const first = find(&analysis, LAC_FINDING_FIRST_CALL);
  g_assert_nonnull(first);
  g_assert_cmpfloat_with_epsilon(first->ratio, first->name == FORWARD ? 12.0 : 14.0 / 3, 1);
  g_assert_null(find(&analysis, LAC_FINDING_VARIANCE)); /* excludes the first iteration */
  g_assert_null(find(&analysis, LAC_FINDING_OUTLIER));
}

static void
test_leak_is_measured(void)
{
  const Plan              plan = {.n_steps = 300, .slow_step = -1, .leak = 50000};
  g_autoptr(LacCapture)   capture = record(&plan);
  g_auto(LacAnalysis)     analysis = lac_analysis_make(capture);
  const LacFinding *const leak = find(&analysis, LAC_FINDING_LEAK);
  g_assert_nonnull(leak);
  g_assert_cmpfloat_with_epsilon(leak->ratio, 100 * 50000, 100 * 50000 * 0.05);
  g_assert_null(find(&analysis, LAC_FINDING_GROWTH));
}

static void
test_what_levels_off_is_no_leak(void)
{
  const Plan            plan = {.n_steps = 300, .slow_step = -1, .settles = 60e6};
  g_autoptr(LacCapture) capture = record(&plan);
  g_auto(LacAnalysis)   analysis = lac_analysis_make(capture);
  g_assert_null(find(&analysis, LAC_FINDING_LEAK));
}

/* Adds a counter of the live heap, which grows by @leak bytes a step, and the memory of a set-up before all. */
static void
add_heap(LacCapture *capture, gsize n_steps, double leak)
{
  const guint32 heap = lac_capture_add_name(capture, LAC_COUNTER_HEAP);
  const guint32 setup = lac_capture_add_name(capture, "make the truth");
  LacRecord     made = make(LAC_RECORD_MEMORY, LOAD, 0, 100, -1);
  made.name = setup;
  made.cpu_delta = made.cpu_peak = 500 << 20;
  made.gpu_delta = made.gpu_peak = LAC_RECORD_UNKNOWN;
  lac_capture_append(capture, &made, 1);
  for (gsize step = 0; step < n_steps; step++) {
    LacRecord live =
      make(LAC_RECORD_COUNTER, LOAD, 5000 + 3000000 * (gint64) step, 0, (gint64) step);
    live.name = heap;
    live.value = 90e6 + leak * (double) step;
    lac_capture_append(capture, &live, 1);
  }
}

/* Resident memory that grows while the live heap does not is no leak; and the set-up, over before the first step, is
 * not what grows. */
static void
test_touched_pages_are_no_leak(void)
{
  const Plan            plan = {.n_steps = 300, .slow_step = -1, .leak = 50000};
  g_autoptr(LacCapture) touched = record(&plan), leaking = record(&plan);
  add_heap(touched, 300, 100);
  add_heap(leaking, 300, 50000);
  g_auto(LacAnalysis) first = lac_analysis_make(touched), second = lac_analysis_make(leaking);
  g_assert_null(find(&first, LAC_FINDING_LEAK));
  g_assert_nonnull(find(&first, LAC_FINDING_TOUCHED));
  g_assert_cmpuint(find(&first, LAC_FINDING_TOUCHED)->name, ==, LAC_NO_NAME);
  g_assert_null(find(&second, LAC_FINDING_TOUCHED));
  g_assert_nonnull(find(&second, LAC_FINDING_LEAK));
  g_assert_cmpuint(find(&second, LAC_FINDING_LEAK)->name, ==, LAC_NO_NAME);
}

/* The live heap is exact: 64 bytes a step are found, whatever resident memory does. */
static void
test_small_leak(void)
{
  const Plan            plan = {.n_steps = 2000, .slow_step = -1};
  g_autoptr(LacCapture) leaking = record(&plan), sound = record(&plan);
  add_heap(leaking, 2000, 64);
  add_heap(sound, 2000, 0);
  g_auto(LacAnalysis)     first = lac_analysis_make(leaking), second = lac_analysis_make(sound);
  const LacFinding *const leak = find(&first, LAC_FINDING_LEAK);
  g_assert_nonnull(leak);
  g_assert_cmpfloat_with_epsilon(leak->ratio, 6400, 6400 * 0.05);
  g_assert_null(find(&second, LAC_FINDING_LEAK));
}

/* A single large allocation, as of a checkpoint, is no growth. */
static void
test_a_jump_is_no_growth(void)
{
  const Plan            plan = {.n_steps = 300, .slow_step = -1, .leak = 20, .jump = 30e6};
  g_autoptr(LacCapture) capture = record(&plan);
  g_auto(LacAnalysis)   analysis = lac_analysis_make(capture);
  g_assert_null(find(&analysis, LAC_FINDING_LEAK));
  g_assert_null(find(&analysis, LAC_FINDING_GROWTH));
}

/* Fluctuations of one to sixteen pages, and times that vary by 5 %: only the shares are reported. */
static void
test_noise_alone_says_nothing(void)
{
  for (int round = 0; round < 40; round++) {
    const Plan            plan = {.n_steps = 200, .slow_step = -1};
    g_autoptr(LacCapture) capture = record(&plan);
    g_auto(LacAnalysis)   analysis = lac_analysis_make(capture);
    for (gsize i = 0; i < analysis.n; i++)
      g_assert_cmpint(analysis.findings[i].kind, ==, LAC_FINDING_HEAVY);
  }
}

/* Scopes with memory changes: the one that retains memory is named, not the enclosing one. */
static void
test_leaking_scope_is_named(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new(NULL);
  for (gsize i = 0; i < N_NAMES; i++)
    lac_capture_add_name(capture, names[i]);
  lac_capture_add_lane(capture, "main");
  for (gint64 i = 0; i < 60; i++) {
    LacRecord inner = make(LAC_RECORD_MEMORY, LOAD, i * 1000, 400, i);
    LacRecord outer = make(LAC_RECORD_MEMORY, STEP, i * 1000, 900, i);
    inner.cpu_delta = outer.cpu_delta = 1 << 20;
    inner.cpu_peak = outer.cpu_peak = inner.gpu_delta = inner.gpu_peak = LAC_RECORD_UNKNOWN;
    lac_capture_append(capture, &inner, 1);
    lac_capture_append(capture, &outer, 1);
  }
  g_auto(LacAnalysis)     analysis = lac_analysis_make(capture);
  const LacFinding *const leak = find(&analysis, LAC_FINDING_LEAK);
  g_assert_nonnull(leak);
  g_assert_cmpuint(leak->name, ==, LOAD);
}

/* Pool threads have no step around their tiles, which together may take longer than the step. */
static void
test_tiles_of_a_pool_are_no_iterations(void)
{
  const Plan            plan = {.n_steps = 40, .slow_step = -1};
  g_autoptr(LacCapture) capture = record(&plan);
  const guint16         lane = lac_capture_add_lane(capture, "pool 1");
  for (gint64 step = 0; step < 40; step++)
    for (gint64 tile = 0; tile < 8; tile++) {
      LacRecord outermost = make(LAC_RECORD_SPAN, LOAD, step * 1000 + tile, 10000000, step);
      outermost.depth = 0;
      outermost.lane = lane;
      lac_capture_append(capture, &outermost, 1);
    }
  g_auto(LacIterations) iterations = lac_iterations_find(capture);
  g_assert_cmpuint(iterations.name, ==, STEP);
  g_assert_cmpuint(iterations.n, ==, 40);
}

static void
test_iterations_are_what_comes_often(void)
{
  const Plan            plan = {.n_steps = 120, .slow_step = -1, .rare = TRUE};
  g_autoptr(LacCapture) capture = record(&plan);
  g_auto(LacIterations) iterations = lac_iterations_find(capture);
  g_assert_cmpuint(iterations.name, ==, STEP);
  g_assert_cmpuint(iterations.n, ==, 120);
}

/* Incremental search ends bitwise equal to the full one; meanwhile no iteration is lost, and the median covers at
 * least nine tenths. */
static void
test_iterations_are_found_as_they_come(void)
{
  const Plan                    plan = {.n_steps = 300, .slow_step = 250, .rare = TRUE};
  g_autoptr(LacCapture)         whole = record(&plan), coming = lac_capture_new(NULL);
  g_autoptr(LacIterationSearch) search = lac_iteration_search_new();
  g_auto(LacIterations)         wanted = lac_iterations_find(whole);
  const LacIterations          *all = NULL;
  for (gsize i = 0; i < N_NAMES; i++)
    lac_capture_add_name(coming, names[i]);
  lac_capture_add_lane(coming, "main");
  gsize n = lac_capture_get_n_records(whole), n_steps = 0;
  for (gsize i = 0; i < n;) {
    for (gsize k = 0; k < 7 && i < n; k++, i++) {
      n_steps +=
        lac_capture_at(whole, i)->kind == LAC_RECORD_SPAN && lac_capture_at(whole, i)->name == STEP;
      lac_capture_append(coming, lac_capture_at(whole, i), 1);
    }
    all = lac_iteration_search_go_on(search, coming, i == n);
    if (all->name == STEP)
      g_assert_cmpuint(all->n, ==, n_steps);
    if (all->n >= 10)
      g_assert_cmpfloat(all->median_ns, >, 0);
  }
  g_assert_cmpuint(all->name, ==, wanted.name);
  g_assert_cmpuint(all->n, ==, wanted.n);
  g_assert_cmpuint(all->n_outliers, ==, wanted.n_outliers);
  g_assert_cmpfloat(all->median_ns, ==, wanted.median_ns);
  g_assert_cmpfloat(all->deviation_ns, ==, wanted.deviation_ns);
  for (gsize i = 0; i < wanted.n; i++) {
    g_assert_cmpuint(all->iterations[i].record, ==, wanted.iterations[i].record);
    g_assert_cmpfloat(all->iterations[i].score, ==, wanted.iterations[i].score);
    g_assert_cmpint(all->iterations[i].is_outlier, ==, wanted.iterations[i].is_outlier);
  }
}

static void
test_nothing_recorded_nothing_found(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new(NULL);
  g_auto(LacAnalysis)   analysis = lac_analysis_make(capture);
  g_assert_cmpuint(analysis.n, ==, 0);
  g_assert_cmpuint(analysis.iterations.n, ==, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_data_func("/perf/analysis/slow-operation-is-the-bottleneck", GINT_TO_POINTER(FALSE),
                       test_slow_operation_is_the_bottleneck);
  g_test_add_data_func("/perf/analysis/slow-span-is-the-bottleneck", GINT_TO_POINTER(TRUE),
                       test_slow_operation_is_the_bottleneck);
  g_test_add_func("/perf/analysis/equal-operations-are-each-worth-a-look",
                  test_equal_operations_are_each_worth_a_look);
  g_test_add_data_func("/perf/analysis/outlier-is-named-with-the-operation-that-grew",
                       GINT_TO_POINTER(FALSE), test_outlier_is_named_with_what_grew);
  g_test_add_data_func("/perf/analysis/outlier-is-named-with-the-span-that-grew",
                       GINT_TO_POINTER(TRUE), test_outlier_is_named_with_what_grew);
  g_test_add_func("/perf/analysis/range-tells-of-itself", test_range_tells_of_itself);
  g_test_add_func("/perf/analysis/outliers-beyond-those-told-are-explained",
                  test_outliers_beyond_those_listed_are_explained);
  g_test_add_func("/perf/analysis/first-call-is-set-against-the-others",
                  test_first_call_is_set_against_the_others);
  g_test_add_func("/perf/analysis/leak-is-measured", test_leak_is_measured);
  g_test_add_func("/perf/analysis/what-levels-off-is-no-leak", test_what_levels_off_is_no_leak);
  g_test_add_func("/perf/analysis/noise-alone-says-nothing", test_noise_alone_says_nothing);
  g_test_add_func("/perf/analysis/a-jump-is-no-growth", test_a_jump_is_no_growth);
  g_test_add_func("/perf/analysis/small-leak-is-found", test_small_leak);
  g_test_add_func("/perf/analysis/touched-pages-are-no-leak", test_touched_pages_are_no_leak);
  g_test_add_func("/perf/analysis/leaking-scope-is-named", test_leaking_scope_is_named);
  g_test_add_func("/perf/analysis/iterations-are-what-comes-often",
                  test_iterations_are_what_comes_often);
  g_test_add_func("/perf/analysis/iterations-are-found-as-they-come",
                  test_iterations_are_found_as_they_come);
  g_test_add_func("/perf/analysis/tiles-of-a-pool-are-no-iterations",
                  test_tiles_of_a_pool_are_no_iterations);
  g_test_add_func("/perf/analysis/nothing-recorded-nothing-found",
                  test_nothing_recorded_nothing_found);
  return g_test_run();
}
