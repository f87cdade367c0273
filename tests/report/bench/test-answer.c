/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict on a benchmark: states of constructed rows, and the sentence of each kind of failure. */
#include "report/bench/answer.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define N_SAMPLES 8

typedef struct {
  const char  *metric, *unit;
  LacBenchKind kind;
  double       value, limit, tolerance;
} Plan;

static const Plan plans[] = {
  {"step_seconds", "s", LAC_BENCH_TIME, 0.04, 1, 0},
  {"training_peak_resident_bytes", "B", LAC_BENCH_MEMORY, 2e8, 1e9, 0},
  {"pinn.relative_l2", "1", LAC_BENCH_QUALITY, 0.02, 0, 0},
  {"speedup", "1", LAC_BENCH_SPEEDUP, 3, 0, 0},
};

enum { TIME, MEMORY, PHYSICS, SPEED };

/* Samples are spread over 2 %, evenly about the value; a quality is the same in each. */
static LacBenchFile *
make_file(const double factors[G_N_ELEMENTS(plans)], guint n_samples)
{
  LacBenchFile *file = lac_bench_file_new();

  for (gsize i = 0; i < G_N_ELEMENTS(plans); i++) {
    const LacBenchRow like = {.name = "imaging/medium",
                              .metric = plans[i].metric,
                              .unit = plans[i].unit,
                              .kind = plans[i].kind,
                              .limit = plans[i].limit,
                              .tolerance = plans[i].tolerance};
    LacBenchRow      *row = lac_bench_file_add(file, &like);

    for (guint k = 0; k < n_samples; k++) {
      const double part = plans[i].kind == LAC_BENCH_QUALITY ? 0 : ((double) k - 3.5) / 350;

      lac_bench_row_sample(row, plans[i].value * factors[i] * (1 + part));
    }
  }
  return file;
}

static const double unchanged[] = {1, 1, 1, 1};

static void
score(const double factors[4], GArray **scores, LacBenchAnswer *answer)
{
  static LacBenchFile *before, *now; /* the scores borrow their rows */

  g_clear_pointer(&before, lac_bench_file_free);
  g_clear_pointer(&now, lac_bench_file_free);
  before = make_file(unchanged, N_SAMPLES);
  now = make_file(factors, N_SAMPLES);
  *scores = lac_bench_score(before, now);
  g_assert_cmpuint((*scores)->len, ==, G_N_ELEMENTS(plans));
  lac_bench_answer_init(answer, before, *scores);
}

static LacBenchState
state_of(const GArray *scores, guint i)
{
  return g_array_index(scores, LacBenchScore, i).state;
}

static void
test_unchanged(void)
{
  g_autoptr(GArray)      scores = NULL;
  g_auto(LacBenchAnswer) answer = {0};

  score(unchanged, &scores, &answer);
  for (guint i = 0; i < scores->len; i++) {
    g_assert_cmpint(state_of(scores, i), ==, LAC_BENCH_HOLDS);
    g_assert_cmpfloat_with_epsilon(g_array_index(scores, LacBenchScore, i).change, 0, 1e-9);
  }
  g_assert_cmpint(answer.verdict, ==, LAC_VERDICT_KEPT);
  g_assert_cmpstr(answer.sentence, ==, "The gate holds: 4 rows are within their limits.");
  g_assert_cmpstr(answer.caption, ==,
                  "4 of 4 rows hold · limits: time +10 %, memory +20 %, physics exact");
}

static void
test_failures(void)
{
  static const struct {
    double      factors[4];
    guint       row;
    double      change;
    const char *sentence;
  } cases[] = {
    {{1.14, 1, 1, 1},
     TIME,
     0.14,
     "The gate fails: the step (Imaging, medium) is 14 % slower than its baseline."},
    {{1, 1.3, 1, 1},
     MEMORY,
     0.3,
     "The gate fails: the peak memory (Imaging, medium) is 30 % above its baseline."},
    {{1, 1, 1.01, 1},
     PHYSICS,
     0.01,
     "The gate fails: the relative L2 error (Imaging, medium) is 1 % above its baseline."},
    {{1, 1, 1, 0.5},
     SPEED,
     -0.5,
     "The gate fails: the speed-up (Imaging, medium) is 50 % below its baseline."},
    /* 26 is beyond the limit of one second: that limit is named, although the ratio is larger */
    {{26, 1, 1, 1},
     TIME,
     25,
     "The gate fails: the step (Imaging, medium) is above its limit of 1.00 s."},
    /* a time beyond its limit by more than a memory: 1.5 / 1.1 > 1.5 / 1.2 */
    {{1.5, 1.5, 1, 1},
     TIME,
     0.5,
     "The gate fails: the step (Imaging, medium) is 50 % slower than its baseline."},
  };

  for (gsize c = 0; c < G_N_ELEMENTS(cases); c++) {
    g_autoptr(GArray)      scores = NULL;
    g_auto(LacBenchAnswer) answer = {0};

    score(cases[c].factors, &scores, &answer);
    g_assert_cmpint(answer.verdict, ==, LAC_VERDICT_BROKEN);
    g_assert_cmpstr(answer.sentence, ==, cases[c].sentence);
    for (guint i = 0; i < scores->len; i++)
      g_assert_cmpint(state_of(scores, i) == LAC_BENCH_FAILS, ==, cases[c].factors[i] != 1);
    g_assert_cmpfloat_with_epsilon(g_array_index(scores, LacBenchScore, cases[c].row).change,
                                   cases[c].change, 1e-6);
  }
}

/* 9 % faster is a gain, 3 % faster only holds; more speed-up is a gain too. */
static void
test_gains(void)
{
  g_autoptr(GArray)      scores = NULL;
  g_auto(LacBenchAnswer) answer = {0};

  score((const double[]){0.91, 0.97, 1, 1.2}, &scores, &answer);
  g_assert_cmpint(state_of(scores, TIME), ==, LAC_BENCH_GAINS);
  g_assert_cmpint(state_of(scores, MEMORY), ==, LAC_BENCH_HOLDS);
  g_assert_cmpint(state_of(scores, SPEED), ==, LAC_BENCH_GAINS);
  g_assert_cmpfloat_with_epsilon(g_array_index(scores, LacBenchScore, SPEED).change, 0.2, 1e-6);
  g_assert_cmpint(answer.verdict, ==, LAC_VERDICT_KEPT);
}

static void
test_undecided(void)
{
  g_autoptr(LacBenchFile) before = make_file(unchanged, 1), now = make_file(unchanged, 1);
  g_autoptr(GArray)       scores = lac_bench_score(before, now);
  g_auto(LacBenchAnswer)  answer = {0};

  lac_bench_answer_init(&answer, before, scores);
  g_assert_cmpuint(answer.n_undecided, ==, 3); /* one sample; an exact quality needs no more */
  g_assert_cmpstr(
    answer.caption, ==,
    "1 of 4 rows hold, 3 undecided · limits: time +10 %, memory +20 %, physics exact");
  g_assert_cmpint(answer.verdict, ==, LAC_VERDICT_KEPT);
  g_array_remove_index(scores, PHYSICS);
  lac_bench_answer_clear(&answer);
  lac_bench_answer_init(&answer, before, scores);
  g_assert_cmpint(answer.verdict, ==, LAC_VERDICT_UNCLEAR);
  g_assert_true(g_str_has_prefix(answer.sentence, "Undecided"));
}

static void
test_without_baseline(void)
{
  g_autoptr(LacBenchFile) now = make_file((const double[]){1, 6, 1, 1}, N_SAMPLES);
  g_autoptr(GArray)       scores = lac_bench_score(NULL, now);
  g_auto(LacBenchAnswer)  answer = {0}, none = {0};

  lac_bench_answer_init(&answer, NULL, scores);
  g_assert_cmpstr(
    answer.sentence, ==,
    "The gate fails: the peak memory (Imaging, medium) is above its limit of 1.00 GB.");
  g_assert_cmpstr(answer.caption, ==, "3 of 4 rows hold");
  g_assert_true(isnan(g_array_index(scores, LacBenchScore, 0).change));
  g_array_set_size(scores, 0);
  lac_bench_answer_init(&none, NULL, scores);
  g_assert_null(none.sentence);
}

int
main(int argc, char *argv[])
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/bench-answer/unchanged-rows-hold", test_unchanged);
  g_test_add_func("/report/bench-answer/each-kind-of-failure-is-named", test_failures);
  g_test_add_func("/report/bench-answer/gains-are-significant", test_gains);
  g_test_add_func("/report/bench-answer/too-few-samples-decide-nothing", test_undecided);
  g_test_add_func("/report/bench-answer/without-a-baseline-limits-decide", test_without_baseline);
  return g_test_run();
}
