/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences on constructed recordings and sweeps, whose answer is known. */
#include "perf/recorder/gauges.h"
#include "report/helpers/recording.h"
#include "report/summary/answer.h"

#include <math.h>

#define UNIT G_GINT64_CONSTANT(1000000)

static char *
answer(LacCapture *capture, gint64 begin, gint64 end, const LacAnswerSteps *steps)
{
  g_auto(LacCallTree)     whole = lac_call_tree_make(capture, 0, 0);
  g_auto(LacCallTree)     tree = lac_call_tree_make(capture, begin * UNIT, end * UNIT);
  g_autoptr(LacSpanLooks) looks = lac_span_looks_new(
    capture, &(LacSpanMethods){recording_metrics, G_N_ELEMENTS(recording_metrics), NULL, 0});
  lac_span_looks_update(looks, &whole);
  return lac_answer_time(&tree, looks, steps);
}

/* The solver has 600 of 1300, the flow steps 500 of these 600. */
static void
test_time(void)
{
  g_autoptr(LacCapture) capture = recording_new(UNIT, FALSE);
  g_autofree char      *text = answer(capture, 0, 0, NULL);
  g_assert_cmpstr(
    text, ==, "Differentiable solver took 46 % of the time, most of it in flow steps backwards.");
}

static void
test_time_of_a_range(void)
{
  g_autoptr(LacCapture) capture = recording_new(UNIT, FALSE);
  const LacAnswerSteps  steps = {2, 3};
  g_autofree char      *two_steps = answer(capture, 340, 540, &steps);
  g_autofree char      *set_up = answer(capture, 0, 240, NULL);
  g_autofree char      *filter = answer(capture, 300, 325, NULL);
  g_assert_cmpstr(two_steps, ==,
                  "In steps 2–3: Differentiable solver took 60 % of the time, most of it in flow "
                  "steps backwards.");
  g_assert_cmpstr(set_up, ==, "Set-up took 83 % of the time, most of it in create the experiment.");
  /* 12 of the filter's 25 are the inverse transform, less than half */
  g_assert_cmpstr(filter, ==, "Ensemble Kalman filter took 100 % of the time.");
}

/* The wait is no operation of the method's. */
static void
test_wait(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new(NULL);
  const LacAnswerSteps  steps = {2, 3};
  lac_capture_add_lane(capture, "compute");
  const char *const names[] = {LAC_SPAN_DEVICE_WAIT, "sweep", "step"}; /* by their ends */
  for (gint64 i = 0; i < 3; i++) {
    const LacRecord record = {.kind = LAC_RECORD_SPAN,
                              .name = lac_capture_add_name(capture, names[i]),
                              .step = 2,
                              .start_ns = (2 - i) * UNIT,
                              .duration_ns = (10 + 2 * i) * UNIT,
                              .count = 1,
                              .depth = (guint8) (2 - i)};
    lac_capture_append(capture, &record, 1);
  }
  g_autofree char *text = answer(capture, 0, 0, NULL), *of_steps = answer(capture, 0, 14, &steps);
  g_assert_cmpstr(text, ==, "Sweep took 86 % of the time, most of it waiting for the device.");
  g_assert_cmpstr(of_steps, ==,
                  "In steps 2–3: Sweep took 86 % of the time, most of it waiting for the device.");
}

/* No phase has a quarter: five of equal length. */
static void
test_no_leader(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new(NULL);
  lac_capture_add_lane(capture, "compute");
  for (gint64 i = 0; i < 5; i++) {
    g_autofree char *name = g_strdup_printf("phase %d", (int) i);
    const LacRecord  record = {.kind = LAC_RECORD_SPAN,
                               .name = lac_capture_add_name(capture, name),
                               .step = -1,
                               .start_ns = i * UNIT,
                               .duration_ns = UNIT,
                               .count = 1,
                               .memory = -1};
    lac_capture_append(capture, &record, 1);
  }
  g_autofree char *five = answer(capture, 0, 0, NULL);
  g_autofree char *three = answer(capture, 0, 3, NULL);
  g_autofree char *idle = answer(capture, 4, 9, NULL);
  g_assert_null(five);
  g_assert_cmpstr(three, ==, "Phase 0 took 34 % of the time.");
  g_assert_null(idle); /* four fifths in no phase */
}

/* ---- sweeps ---- */

static const double      sensors[] = {4, 6, 8, 12, 16, 24};
static const char *const names[] = {"K 4", "K 6", "K 8", "K 12", "K 16", "K 24"};

static LacSweepResults
sweep_of(const double *results)
{
  return (LacSweepResults){.n = G_N_ELEMENTS(sensors),
                           .values = sensors,
                           .label = "Sensors K",
                           .names = names,
                           .results = results,
                           .unit = "1",
                           .is_error = TRUE};
}

static void
test_sweeps(void)
{
  static const struct {
    double      results[G_N_ELEMENTS(sensors)];
    const char *text;
  } cases[] = {
    {{0.22, 0.031, 0.0036, 0.0021, 0.0019, 0.0018},
     "Sensors K: 8 is enough. The error is 0.36 % there, and 0.18 % at best (24)."},
    /* 6 is near the best, but 8 is not: 12 is the least from which on all are near */
    {{0.22, 0.0030, 0.0060, 0.0021, 0.0019, 0.0018},
     "Sensors K: 12 is enough. The error is 0.21 % there, and 0.18 % at best (24)."},
    {{0.0030, 0.0029, 0.0025, 0.0021, 0.0019, 0.0018},
     "Sensors K: the error lies between 0.18 % (24) and 0.30 % (4)."},
    {{0.0019, 0.0019, 0.0018, 0.0019, 0.0019, 0.0018},
     "Sensors K hardly matters: the error lies between 0.18 % and 0.19 %."},
    {{0.22, 0.12, 0.06, 0.03, 0.015, 0.005}, "Best: K 24, 0.50 %."},
    {{NAN, 0.031, NAN, 0.0021, NAN, 0.0018},
     "Sensors K: 12 is enough. The error is 0.21 % there, and 0.18 % at best (24)."},
    {{NAN, 0.031, NAN, NAN, NAN, 0.0018}, "Best: K 24, 0.18 %."},
    {{NAN, NAN, NAN, NAN, NAN, 0.0018}, NULL},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    const LacSweepResults sweep = sweep_of(cases[i].results);
    g_autofree char      *text = lac_answer_sweep(&sweep);
    g_assert_cmpstr(text, ==, cases[i].text);
  }
}

/* No seed is better than another. */
static void
test_repeats(void)
{
  static const double      results[] = {0.011, 0.009, NAN, 0.014, 0.010, 0.0102};
  static const double      qualities[] = {30, 29, NAN, 31, 28.5, 30.5};
  static const char *const seeds[] = {"Seed 0", "Seed 1", "Seed 2", "Seed 3", "Seed 4", "Seed 5"};
  LacSweepResults          sweep = sweep_of(results);

  sweep.is_repeat = TRUE;
  sweep.names = seeds;
  g_autofree char *errors = lac_answer_sweep(&sweep);
  g_assert_cmpstr(errors, ==, "Over 5 seeds: median 1.02 %, worst 1.40 % (Seed 3).");
  sweep.results = qualities;
  sweep.unit = "dB";
  sweep.is_error = FALSE;
  g_autofree char *quality = lac_answer_sweep(&sweep);
  g_assert_cmpstr(quality, ==, "Over 5 seeds: median 30 dB, worst 28.5 dB (Seed 4).");
}

/* The order of the runs does not matter; several settings, and results that are no errors, have a best only. */
static void
test_other_sweeps(void)
{
  const double          ascending[] = {0.22, 0.031, 0.0036, 0.0021, 0.0019, 0.0018};
  double                values[G_N_ELEMENTS(sensors)], results[G_N_ELEMENTS(sensors)];
  LacSweepResults       sweep = sweep_of(ascending);
  g_autofree char      *text = lac_answer_sweep(&sweep);
  const double          quality[] = {21, 25, 31, 30, 28, 27};
  const LacSweepResults shuffled = {.n = 6,
                                    .values = values,
                                    .label = "Sensors K",
                                    .names = names,
                                    .results = results,
                                    .unit = "1",
                                    .is_error = TRUE};
  for (gsize i = 0; i < 6; i++) {
    values[i] = sensors[(5 * i + 3) % 6];
    results[i] = ascending[(5 * i + 3) % 6];
  }
  g_autofree char *same = lac_answer_sweep(&shuffled);
  g_assert_cmpstr(same, ==, text);
  sweep.values = NULL;
  g_autofree char *several = lac_answer_sweep(&sweep);
  g_assert_cmpstr(several, ==, "Best: K 24, 0.18 %.");
  sweep = sweep_of(quality);
  sweep.is_error = FALSE;
  sweep.unit = "dB";
  g_autofree char *largest = lac_answer_sweep(&sweep);
  g_assert_cmpstr(largest, ==, "Best: K 8, 31 dB.");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/answer/the-leading-phase-is-named", test_time);
  g_test_add_func("/report/answer/a-range-has-its-own-answer", test_time_of_a_range);
  g_test_add_func("/report/answer/a-wait-for-the-device-is-called-that", test_wait);
  g_test_add_func("/report/answer/no-leader-no-answer", test_no_leader);
  g_test_add_func("/report/answer/enough-is-within-twice-the-best", test_sweeps);
  g_test_add_func("/report/answer/seeds-have-a-median-and-a-worst", test_repeats);
  g_test_add_func("/report/answer/other-sweeps-have-a-best", test_other_sweeps);
  return g_test_run();
}
