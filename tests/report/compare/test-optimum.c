/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Optimum of runs with known times; a tie where the spread exceeds the difference. */
#include "perf/recorder/gauges.h"
#include "report/compare/optimum.h"

#include <math.h>
#include <string.h>

#define STEPS 60

enum { STEP, SAMPLES };

typedef struct {
  LacRunFile    file;
  LacRunSetting setting;
  LacRunMetric  error;
  double        seconds[STEPS], errors[STEPS];
} Run;

/* Makes a run with steps of @ms and relative scatter @scatter; the error halves every step; @samples per second. */
static void
make(Run *run, const char *points, double ms, double scatter, double samples)
{
  static const char *const names[] = {"step"};
  LacCapture              *capture = lac_capture_new(NULL);
  g_autoptr(GRand)         dice = g_rand_new_with_seed(7 + (guint32) (1000 * ms));
  gint64                   time = 0;
  *run = (Run){
    .setting = {.key = (char *) "points", .label = (char *) "Points", .text = (char *) points},
    .error = {.key = (char *) "relative_l2", .log_axis = TRUE, .is_result = TRUE},
  };
  lac_capture_add_lane(capture, "compute");
  lac_capture_add_name(capture, names[0]);
  lac_capture_add_name(capture, lac_gauge_name(LAC_GAUGE_SAMPLES));
  for (gint64 i = 0; i < STEPS; i++) {
    const double    ns = ms * 1e6 * (1 + scatter * g_rand_double_range(dice, -1, 1));
    const LacRecord records[] = {
      {.kind = LAC_RECORD_SPAN,
       .name = STEP,
       .start_ns = time,
       .duration_ns = (gint64) ns,
       .step = i + 1,
       .count = 1,
       .memory = -1},
      {.kind = LAC_RECORD_COUNTER,
       .name = SAMPLES,
       .start_ns = time + (gint64) ns,
       .step = i + 1,
       .count = 1,
       .value = samples,
       .memory = -1},
    };
    lac_capture_append(capture, records, samples > 0 ? 2 : 1);
    time += (gint64) ns;
    run->seconds[i] = (double) time * 1e-9;
    run->errors[i] = pow(0.5, (double) i);
  }
  run->file = (LacRunFile){.path = (char *) points,
                           .experiment = (char *) "lorenz",
                           .backend = (char *) "cpu",
                           .precision = (char *) "f64",
                           .threads = 1,
                           .n_metrics = 1,
                           .metrics = &run->error,
                           .n_series = STEPS,
                           .series_seconds = run->seconds,
                           .series = run->errors,
                           .capture = capture,
                           .n_settings = 1,
                           .settings = &run->setting};
}

static void
clear(Run *run)
{
  lac_capture_unref(run->file.capture);
}

static const LacOptimum *
find(const LacOptimum *optima, gsize n, LacOptimumKind kind)
{
  for (gsize i = 0; i < n; i++)
    if (optima[i].kind == kind)
      return &optima[i];
  return NULL;
}

static void
test_the_faster_is_named(void)
{
  Run         a, b, c;
  LacRunFile *runs[] = {&a.file, &b.file, &c.file};
  LacOptimum  optima[LAC_N_OPTIMA];
  make(&a, "512", 13, 0.05, 0);
  make(&b, "1024", 10, 0.05, 0);
  make(&c, "4096", 26, 0.05, 0);
  gsize             n = lac_optimum_find(runs, 3, optima);
  const LacOptimum *step = find(optima, n, LAC_OPTIMUM_STEP);
  g_assert_nonnull(step);
  g_assert_cmpuint(step->best, ==, 1);
  g_assert_cmpuint(step->runner, ==, 0);
  g_assert_false(step->is_tie);
  g_assert_cmpfloat_with_epsilon(step->seconds, 0.010, 0.0005); /* tolerance: the scatter */
  g_assert_cmpfloat_with_epsilon(step->ratio, 1.3, 0.13);
  g_autofree char *text = lac_optimum_dup_text(step, runs, 3);
  g_assert_true(g_str_has_prefix(text, "Fastest per step: Points = 1024 ("));
  g_assert_nonnull(strstr(text, "the next, Points = 512, takes 1."));
  g_assert_null(find(optima, n, LAC_OPTIMUM_SAMPLE)); /* no samples recorded */
  clear(&a);
  clear(&b);
  clear(&c);
}

/* A difference of two per cent is a tie, random or not. */
static void
test_alike_is_a_tie(void)
{
  Run         a, b;
  LacRunFile *runs[] = {&a.file, &b.file};
  LacOptimum  optima[LAC_N_OPTIMA];
  make(&a, "512", 10, 0.3, 0);
  make(&b, "1024", 10.2, 0.3, 0);
  gsize             n = lac_optimum_find(runs, 2, optima);
  const LacOptimum *step = find(optima, n, LAC_OPTIMUM_STEP);
  g_assert_nonnull(step);
  g_assert_true(step->is_tie);
  g_autofree char *text = lac_optimum_dup_text(step, runs, 2);
  g_assert_true(g_str_has_prefix(text, "Tie per step: "));
  clear(&a);
  clear(&b);
}

/* The larger batch is slower per step and faster per sample. */
static void
test_samples_tell_batches_apart(void)
{
  Run         a, b;
  LacRunFile *runs[] = {&a.file, &b.file};
  LacOptimum  optima[LAC_N_OPTIMA];
  make(&a, "512", 10, 0.05, 51200);
  make(&b, "4096", 40, 0.05, 102400);
  gsize n = lac_optimum_find(runs, 2, optima);
  g_assert_cmpuint(n, ==, LAC_N_OPTIMA);
  g_assert_cmpuint(find(optima, n, LAC_OPTIMUM_STEP)->best, ==, 0);
  g_assert_cmpuint(find(optima, n, LAC_OPTIMUM_SAMPLE)->best, ==, 1);
  g_assert_cmpfloat_with_epsilon(find(optima, n, LAC_OPTIMUM_SAMPLE)->ratio, 2, 1e-9);
  clear(&a);
  clear(&b);
}

/* Time to the error that both runs reach, the final error of the worse one, which takes both the same number of
 * steps. */
static void
test_time_to_the_same_error(void)
{
  Run         a, b;
  LacRunFile *runs[] = {&a.file, &b.file};
  LacOptimum  optima[LAC_N_OPTIMA];
  make(&a, "512", 10, 0, 0);
  make(&b, "1024", 20, 0, 0);
  for (gsize i = 20; i < STEPS; i++)
    a.errors[i] = a.errors[19]; /* constant from here on */
  gsize             n = lac_optimum_find(runs, 2, optima);
  const LacOptimum *error = find(optima, n, LAC_OPTIMUM_ERROR);
  g_assert_nonnull(error);
  g_assert_cmpfloat(error->error, ==, pow(0.5, 19));
  g_assert_cmpuint(error->best, ==, 0);
  g_assert_cmpfloat_with_epsilon(error->seconds, 0.2, 1e-9);
  g_assert_cmpfloat_with_epsilon(error->ratio, 2, 1e-9);
  g_assert_false(error->is_tie);
  clear(&a);
  clear(&b);
}

static void
test_only_configurations_are_compared(void)
{
  Run         a, b;
  LacRunFile *runs[] = {&a.file, &b.file};
  LacOptimum  optima[LAC_N_OPTIMA];
  make(&a, "512", 10, 0.05, 0);
  make(&b, "512", 20, 0.05, 0);
  g_assert_cmpuint(lac_optimum_find(runs, 2, optima), ==, 0);
  b.file.threads = 2;
  g_assert_cmpuint(lac_optimum_find(runs, 2, optima), >, 0);
  b.file.experiment = (char *) "another";
  g_assert_cmpuint(lac_optimum_find(runs, 2, optima), ==, 0);
  clear(&a);
  clear(&b);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/optimum/the-faster-is-named", test_the_faster_is_named);
  g_test_add_func("/report/optimum/alike-is-a-tie", test_alike_is_a_tie);
  g_test_add_func("/report/optimum/samples-tell-batches-apart", test_samples_tell_batches_apart);
  g_test_add_func("/report/optimum/time-to-the-same-error", test_time_to_the_same_error);
  g_test_add_func("/report/optimum/only-configurations-are-compared",
                  test_only_configurations_are_compared);
  return g_test_run();
}
