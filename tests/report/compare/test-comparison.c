/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison of runs in parts, and in one sentence that follows from their values. */
#include "report/compare/compare.h"
#include "report/compare/comparison.h"
#include "report/helpers/run-fixture.h"
#include "report/text/number.h"

#include <math.h>
#include <string.h>

/* A synthetic run: steps that take @step_seconds, an error, a setting. */
typedef struct {
  LacRunFile    file;
  LacRunSetting setting;
  LacRunMetric  metric;
} Made;

static void
make(Made *made, double step_seconds, double error, const char *setting)
{
  *made = (Made){
    .setting = {.key = (char *) "sensors",
                .label = (char *) "Sensors",
                .unit = (char *) "1",
                .group = (char *) "",
                .text = (char *) setting},
    .metric = {.key = (char *) "relative_l2",
               .label = (char *) "Error",
               .unit = (char *) "1",
               .log_axis = TRUE,
               .is_result = TRUE,
               .last = error},
  };
  made->file = (LacRunFile){.path = (char *) "/made",
                            .experiment = (char *) "made",
                            .title = (char *) "Made",
                            .outcome = (char *) "finished",
                            .backend = (char *) "cpu",
                            .precision = (char *) "f64",
                            .started = (char *) "",
                            .steps = 10,
                            .seconds = 10 * step_seconds,
                            .capture = lac_capture_new(NULL)};
  made->file.n_settings = made->file.n_metrics = 1;
  made->file.settings = &made->setting;
  made->file.metrics = &made->metric;
}

static void
assert_says(const Made *first, const Made *second, const char *const *words)
{
  LacRunFile      *runs[] = {(LacRunFile *) &first->file, (LacRunFile *) &second->file};
  g_autofree char *verdict = lac_comparison_dup_verdict(runs, 2);
  for (; *words != NULL; words++)
    if (strstr(verdict, *words) == NULL)
      g_error("“%s” does not say “%s”", verdict, *words);
}

static void
clear(Made *made)
{
  lac_capture_unref(made->file.capture);
}

static void
test_a_verdict_follows_from_the_numbers(void)
{
  Made slow, fast, alike;
  make(&slow, 0.2, 0.04, "4");
  make(&fast, 0.1, 0.01, "8");
  make(&alike, 0.2, 0.04, "4");
  const char *const better[] = {"2.00 times as fast", "a factor of 4.00 below", "differ in Sensors",
                                NULL};
  const char *const worse[] = {"2.00 times as long", "a factor of 4.00 above", NULL};
  const char *const same[] = {"as long per step as (a)", "in both", "settings are equal", NULL};
  assert_says(&slow, &fast, better);
  assert_says(&fast, &slow, worse);
  assert_says(&slow, &alike, same);
  fast.file.experiment = (char *) "other";
  assert_says(&slow, &fast, (const char *const[]){"different experiments", NULL});
  clear(&slow);
  clear(&fast);
  clear(&alike);
}

static void
test_of_several_the_best_are_named(void)
{
  Made made[3];
  make(&made[0], 0.2, 0.04, "4");
  make(&made[1], 0.3, 0.01, "8");
  make(&made[2], 0.1, 0.02, "6");
  LacRunFile      *runs[] = {&made[0].file, &made[1].file, &made[2].file};
  g_autofree char *verdict = lac_comparison_dup_verdict(runs, 3);
  g_assert_nonnull(strstr(verdict, "Error is smallest in (b)"));
  g_assert_nonnull(strstr(verdict, "(c) is the fastest"));
  for (gsize i = 0; i < 3; i++)
    clear(&made[i]);
}

static void
test_real_runs_come_in_parts(void)
{
  RunFixture first, second;
  run_fixture_set_up(&first, 8);
  run_fixture_set_up(&second, 12);
  LacRunFile          *runs[] = {first.run, second.run};
  g_autoptr(GPtrArray) settings = lac_comparison_rows(runs, 2, LAC_COMPARISON_SETTINGS);
  g_autoptr(GPtrArray) cost = lac_comparison_rows(runs, 2, LAC_COMPARISON_COST);
  g_assert_cmpuint(settings->len, ==, 1);
  const GStrv row = g_ptr_array_index(settings, 0);
  g_assert_cmpstr(row[1], ==, "8");
  g_assert_cmpstr(row[2], ==, "12");
  g_assert_cmpuint(cost->len, >, 3);

  g_autoptr(GArray) operations = lac_comparison_operations(runs, 2);
  for (guint i = 0; i < operations->len; i++) {
    const LacComparedOperation *operation = &g_array_index(operations, LacComparedOperation, i);
    g_assert_cmpfloat(operation->speed_up[0], ==, 1);
    g_assert_cmpfloat(fabs(operation->speed_up[1] * operation->seconds[1] / operation->seconds[0] *
                             (double) runs[0]->steps / (double) runs[1]->steps -
                           1),
                      <, 1e-12);
    g_assert_true(isnan(operation->seconds[2]));
  }
  g_autofree char *text = lac_compare_text(runs, 2);
  g_autofree char *verdict = lac_comparison_dup_verdict(runs, 2);
  g_assert_nonnull(strstr(text, verdict)); /* the command line prints the same verdict */
  for (guint i = 0; i < operations->len; i++) {
    const LacComparedOperation *operation = &g_array_index(operations, LacComparedOperation, i);
    g_autofree char            *json = lac_compare_json(runs, 2);
    g_autofree char            *quoted = g_strdup_printf("\"%s\"", operation->name);
    g_autofree char            *ratio = lac_number_text(1 / operation->speed_up[1]);
    g_autofree char            *shown = g_strdup_printf("(%s×)", ratio);
    g_assert_nonnull(strstr(text, operation->name));
    g_assert_nonnull(strstr(text, shown));
    g_assert_nonnull(strstr(json, quoted));
  }
  run_fixture_tear_down(&first);
  run_fixture_tear_down(&second);
}

/* Appends @n_steps steps on two threads; "gemm" takes @gemm_ns on each, half as long in every other step, "copy" is
 * constant. */
static void
add_steps(LacCapture *capture, gint64 n_steps, gint64 gemm_ns)
{
  const guint32 gemm = lac_capture_add_name(capture, "gemm");
  const guint32 copy = lac_capture_add_name(capture, "copy");
  lac_capture_add_lane(capture, "compute");
  lac_capture_add_lane(capture, "pool 1");
  for (gint64 i = 0; i < 4 * n_steps; i++) {
    const gint64 step = i / 4;
    LacRecord    record = {.kind = LAC_RECORD_AGGREGATE,
                           .name = i % 2 == 0 ? gemm : copy,
                           .lane = (guint16) (i % 4 / 2),
                           .step = step,
                           .start_ns = 1000 * i,
                           .count = (guint64) (1 + gemm_ns / 1000),
                           .memory = -1};
    record.duration_ns = i % 2 == 0 ? gemm_ns / (1 + step % 2) : 500 + 10 * (step * 7 % 13);
    lac_capture_append(capture, &record, 1);
  }
}

/* Ratios per step are independent of the number of calls: "gemm" takes three times as long, "copy" the same. */
static void
test_steps_of_operations_are_set_against_each_other(void)
{
  enum { FIRST, SLOWER, SHORT, N_RUNS };
  const char *const operations[] = {"gemm", "copy", "never"};
  Made              made[N_RUNS];
  LacRunFile       *runs[N_RUNS];
  LacRatio          ratios[3][N_RUNS];
  for (gsize r = 0; r < N_RUNS; r++) {
    make(&made[r], 0.1, 0.02, "4");
    runs[r] = &made[r].file;
    add_steps(made[r].file.capture, r == SHORT ? 4 : 100, r == SLOWER ? 3000 : 1000);
  }
  lac_comparison_step_ratios(runs, N_RUNS, operations, 3, &ratios[0][0]);
  g_assert_cmpfloat(ratios[0][FIRST].estimate, ==, 1);
  g_assert_cmpfloat_with_epsilon(ratios[0][SLOWER].estimate, 3, 1e-12); /* rounded sums */
  g_assert_cmpfloat(ratios[0][SLOWER].low, >, 1);
  g_assert_cmpfloat(ratios[0][SLOWER].low, <=, 3 + 1e-12);
  g_assert_cmpfloat(ratios[0][SLOWER].high, >=, 3 - 1e-12);
  g_assert_cmpfloat(ratios[1][SLOWER].estimate, ==, 1);
  g_assert_cmpfloat(ratios[1][SLOWER].low, <=, 1);
  g_assert_cmpfloat(ratios[1][SLOWER].high, >=, 1);
  g_assert_true(isinf(ratios[0][SHORT].high)); /* too few steps for an upper bound */
  g_assert_true(isnan(ratios[2][SLOWER].estimate));
  for (gsize r = 0; r < N_RUNS; r++)
    clear(&made[r]);
}

static void
test_frames_are_found_by_time(void)
{
  RunFixture fixture;
  run_fixture_set_up(&fixture, 8);
  const LacRunFile *run = fixture.run;
  g_assert_cmpint(lac_run_file_find_frame_at(run, -1), ==, 0);
  for (gsize i = 0; i < run->n_frames; i++) {
    double seconds = lac_run_file_get_seconds(run, run->frame_step[i]);
    gssize found = lac_run_file_find_frame_at(run, seconds);
    g_assert_cmpfloat(lac_run_file_get_seconds(run, run->frame_step[found]), ==, seconds);
  }
  for (gsize i = 0; i < run->n_series; i++)
    g_assert_cmpfloat(lac_run_file_get_seconds(run, run->series_step[i]), ==,
                      run->series_seconds[i]);
  run_fixture_tear_down(&fixture);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/comparison/a-verdict-follows-from-the-numbers",
                  test_a_verdict_follows_from_the_numbers);
  g_test_add_func("/report/comparison/of-several-the-best-are-named",
                  test_of_several_the_best_are_named);
  g_test_add_func("/report/comparison/real-runs-come-in-parts", test_real_runs_come_in_parts);
  g_test_add_func("/report/comparison/steps-of-operations-are-set-against-each-other",
                  test_steps_of_operations_are_set_against_each_other);
  g_test_add_func("/report/comparison/frames-are-found-by-time", test_frames_are_found_by_time);
  return g_test_run();
}
