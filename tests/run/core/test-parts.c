/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Components of a run without a run: intervals, clocks, outcome, and disk budget. */
#include "run/core/budget.h"
#include "run/core/cadence.h"
#include "run/core/outcome.h"
#include "run/core/progress.h"

#include <string.h>

#define SECOND_NS G_GINT64_CONSTANT(1000000000)

static void
test_cadence(void)
{
  LacRunCadence cadence;
  const gint64  begin = 100 * SECOND_NS;
  guint         n[LAC_N_RUN_DUTIES] = {0};

  lac_run_cadence_init(&cadence, 0);
  lac_run_cadence_begin(&cadence, begin);
  g_assert_false(lac_run_cadence_is_checkpoint_due(&cadence, begin + 10 * SECOND_NS - 1));
  g_assert_true(lac_run_cadence_is_checkpoint_due(&cadence, begin + 10 * SECOND_NS));
  for (gint64 now = begin; now < begin + 4 * SECOND_NS; now += SECOND_NS / 100)
    for (guint duty = 0; duty < LAC_N_RUN_DUTIES; duty++)
      n[duty] += (guint) lac_run_cadence_take(&cadence, (LacRunDuty) duty, now);
  g_assert_cmpuint(n[LAC_RUN_DUTY_PUBLISH], ==, 200);
  g_assert_cmpuint(n[LAC_RUN_DUTY_FLUSH], ==, 4);
  g_assert_cmpuint(n[LAC_RUN_DUTY_ROOM], ==, 2);
}

/* A checkpoint that takes 3 s of every 10 is delayed until it takes a 20th of the time; a change brings it forward. */
static void
test_slow_checkpoint(void)
{
  LacRunCadence cadence;
  const gint64  end = 50 * SECOND_NS;

  lac_run_cadence_init(&cadence, 10);
  lac_run_cadence_end_checkpoint(&cadence, end - 3 * SECOND_NS, end);
  g_assert_false(lac_run_cadence_is_checkpoint_due(&cadence, end + 60 * SECOND_NS - 1));
  g_assert_true(lac_run_cadence_is_checkpoint_due(&cadence, end + 60 * SECOND_NS));
  g_assert_false(lac_run_cadence_take(&cadence, LAC_RUN_DUTY_FLUSH, end + SECOND_NS - 1));
  lac_run_cadence_hasten_checkpoint(&cadence, end);
  g_assert_true(lac_run_cadence_is_checkpoint_due(&cadence, end + SECOND_NS));
  lac_run_cadence_hasten_checkpoint(&cadence, end + 10 * SECOND_NS);
  g_assert_true(lac_run_cadence_is_checkpoint_due(&cadence, end + SECOND_NS));
}

/* The compute clock of a resumed run continues, and stops while it is paused. */
static void
test_clock(void)
{
  LacRunProgress progress = {.n_steps = 10};

  lac_run_progress_resume(&progress, 4, 7.5);
  lac_run_progress_start_clock(&progress);
  g_usleep(2000);
  lac_run_progress_count_step(&progress);
  lac_run_progress_stop_clock(&progress);
  const double stopped = progress.clock_seconds;
  g_assert_cmpint(progress.step, ==, 5);
  g_assert_cmpfloat(progress.seconds, >=, 7.502);
  g_assert_cmpfloat(stopped, >=, progress.seconds);
  g_usleep(2000);
  lac_run_progress_stop_clock(&progress);
  g_assert_cmpfloat(progress.clock_seconds, ==, stopped);

  g_assert_cmpfloat(lac_run_progress_get_seconds_left(&progress), ==, -1);
  progress.step = 8;
  for (guint i = 0; i < 4; i++)
    lac_run_progress_add_duration(&progress, 1.5);
  g_assert_cmpfloat(lac_run_progress_get_seconds_left(&progress), ==, 3); /* 2 to go */
}

/* After a change of pace the time to go follows the last steps, not the mean over the run. */
static void
test_time_to_go_follows_the_last_steps(void)
{
  LacRunProgress progress = {.n_steps = 2000, .step = 1000};

  lac_run_progress_add_duration(&progress, 0.4);
  g_assert_cmpfloat(lac_run_progress_get_seconds_left(&progress), ==, -1); /* too early */
  for (guint i = 0; i < 500; i++)
    lac_run_progress_add_duration(&progress, 1);
  g_assert_cmpfloat_with_epsilon(lac_run_progress_get_seconds_left(&progress), 1000, 1);
  for (guint i = 0; i < 300;
       i++) /* 30 s at a tenth of it: the mean over the run would tell 664 s */
    lac_run_progress_add_duration(&progress, 0.1);
  g_assert_cmpfloat_with_epsilon(lac_run_progress_get_seconds_left(&progress), 100, 10);
  lac_run_progress_add_duration(&progress,
                                2); /* one slow step, as for a checkpoint, counts little */
  g_assert_cmpfloat(lac_run_progress_get_seconds_left(&progress), <, 180);
  progress.step = 2000;
  g_assert_cmpfloat(lac_run_progress_get_seconds_left(&progress), ==, 0);
}

static void
test_outcome(void)
{
  static const LacMetric metrics[] = {{.key = "energy", .label = "Energy"},
                                      {.key = "pinn.loss", .label = "Loss", .log_axis = TRUE}};
  const LacOutline       outline = {.metrics = (LacMetric *) metrics, .n_metrics = 2};
  const LacStepReport    report = {.outcome = LAC_OUTCOME_FINISHED};
  LacRunOutcome          outcome = {0};

  lac_run_outcome_init(&outcome, 2);
  g_assert_cmpstr(lac_run_outcome_get_word(&outcome), ==, "stopped");
  for (guint i = 0; i < 20; i++) /* only metrics on a logarithmic axis are expected to decrease */
    lac_run_outcome_watch(&outcome, &outline, (double[]){i > 8 ? 1e12 : 1, i > 8 ? 1e5 : 1});
  g_assert_cmpint(outcome.value, ==, LAC_OUTCOME_CONTINUE);
  for (guint i = 0; i < LAC_BLOW_UP_ROWS; i++)
    lac_run_outcome_watch(&outcome, &outline, (double[]){1, 2e6});
  g_assert_cmpstr(lac_run_outcome_get_word(&outcome), ==, "diverged");
  g_assert_cmpstr(outcome.who, ==, "pinn");
  g_assert_nonnull(strstr(outcome.why, "2e+06"));

  lac_run_outcome_set(&outcome, &report);
  g_assert_cmpstr(lac_run_outcome_get_word(&outcome), ==, "finished");
  outcome.error = g_error_new(G_FILE_ERROR, G_FILE_ERROR_IO, "no disk");
  g_assert_cmpstr(lac_run_outcome_get_word(&outcome), ==, "failed");
  lac_run_outcome_clear(&outcome);
}

/* A baseline whose error grows leaves the method beside it alone. */
static void
test_growth_beside_others(void)
{
  static const LacMetric metrics[] = {{.key = "pod.error", .label = "Error", .log_axis = TRUE},
                                      {.key = "pinn.loss", .label = "Loss", .log_axis = TRUE}};
  const LacOutline       outline = {.metrics = (LacMetric *) metrics, .n_metrics = 2};
  LacRunOutcome          outcome = {0};

  lac_run_outcome_init(&outcome, 2);
  for (guint i = 0; i < 20; i++)
    lac_run_outcome_watch(&outcome, &outline, (double[]){1, i > 8 ? 2e9 : 1});
  g_assert_cmpint(outcome.value, ==, LAC_OUTCOME_CONTINUE);
  lac_run_outcome_clear(&outcome);
}

/* The first update past half a share is reported, later ones are not; streams stopped by a full disk record no step. */
static void
test_budget(void)
{
  LacRunBudget      budget;
  LacRunFolderBytes spent = {0};

  lac_run_budget_init(&budget, 0, 0);
  g_assert_cmpuint(budget.bytes, ==, LAC_DISK_BUDGET_DEFAULT);
  g_assert_cmpuint(budget.shares.frames, <=, LAC_FRAME_BUDGET_DEFAULT);
  g_assert_false(lac_run_budget_update(&budget, &spent));
  g_assert_true(lac_run_budget_has_row(&budget, 3));

  spent.journal = budget.shares.rows / 2 + 1;
  g_assert_true(lac_run_budget_update(&budget, &spent));
  g_assert_false(lac_run_budget_update(&budget, &spent));
  g_assert_cmpint(budget.row_stride, ==, 4);
  g_assert_cmpint(budget.record_stride, ==, 1);
  g_assert_false(lac_run_budget_has_row(&budget, 3));
  g_assert_true(lac_run_budget_has_row(&budget, 8));

  budget.is_stopped[LAC_RUN_STREAM_RECORDS] = TRUE;
  lac_run_budget_update(&budget, &spent);
  g_assert_cmpint(budget.record_stride, ==, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/run/parts/duties-come-at-their-intervals", test_cadence);
  g_test_add_func("/run/parts/a-slow-checkpoint-takes-a-20th-of-the-time", test_slow_checkpoint);
  g_test_add_func("/run/parts/the-compute-clock-stands-while-paused", test_clock);
  g_test_add_func("/run/parts/the-time-to-go-follows-the-last-steps",
                  test_time_to_go_follows_the_last_steps);
  g_test_add_func("/run/parts/a-metric-that-blows-up-ends-the-run-as-diverged", test_outcome);
  g_test_add_func("/run/outcome/growth-beside-others-ends-nothing", test_growth_beside_others);
  g_test_add_func("/run/parts/the-budget-reports-once-that-it-is-coarser", test_budget);
  return g_test_run();
}
