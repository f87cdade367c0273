/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decoder's course through the exposures: its order, what is replayed, what comes again, how fast. */
#include "experiment/imaging/methods/decoder/course.h"

#include <math.h>
#include <string.h>

#define N_VISITS 6

static LacCourseSettings
settings_of(LacCourseData data)
{
  return (LacCourseSettings){
    .data = data,
    .n_visits = N_VISITS,
    .steps = 5,
    .replays = 2,
    .rate = 1e-3,
    .threshold = 0.01,
    .seed = 3,
  };
}

static const LacCourseLosses bad = {.present = 1, .earlier = 1},
                             good = {.present = 1e-3, .earlier = 1e-3};

static void
test_order(void)
{
  const LacCourseSettings settings = settings_of(LAC_COURSE_REPLAY);
  g_autoptr(LacCourse)    course = lac_course_new(&settings);
  gsize                   visits[N_VISITS];
  gint64                  n_learnt[N_VISITS] = {0};

  while (!course->ended) {
    const gsize n = lac_course_draw(course, visits), present = visits[0];

    g_assert_cmpuint(n, ==, 1 + MIN(2, present));
    for (gsize i = 1; i < n; i++) {
      g_assert_cmpuint(visits[i], <, present);
      for (gsize k = 1; k < i; k++)
        g_assert_cmpuint(visits[i], !=, visits[k]);
    }
    n_learnt[present] += lac_course_judge(course, &bad) == LAC_COURSE_LEARN;
  }
  for (gsize v = 0; v < N_VISITS; v++)
    g_assert_cmpint(n_learnt[v], ==, settings.steps);
  g_assert_cmpint(course->n_failed, ==, N_VISITS);
  g_assert_cmpint(course->n_seen, ==, N_VISITS);
}

/* No exposure at the start, which ends with its steps or below the threshold and counts for none of them. */
static void
test_start(void)
{
  for (int is_good = 0; is_good < 2; is_good++) {
    LacCourseSettings settings = settings_of(LAC_COURSE_REPLAY);
    gint64            n = 0, n_first;
    gsize             visits[N_VISITS];

    settings.start_steps = 7;
    g_autoptr(LacCourse) course = lac_course_new(&settings);
    for (; course->stage.phase == LAC_PHASE_START; n++) {
      g_assert_cmpuint(lac_course_draw(course, visits), ==, 0);
      g_assert_cmpint(course->n_seen, ==, 0);
      lac_course_judge(course, is_good && n == 3 ? &good : &bad);
    }
    g_assert_cmpint(n, ==, is_good ? 4 : 8); /* the last step teaches nothing */
    g_assert_cmpint(course->n_failed, ==, 0);
    g_assert_cmpint(course->stage.phase, ==, LAC_PHASE_FIRST);
    g_assert_cmpuint(lac_course_draw(course, visits), ==, 1);
    g_assert_cmpuint(visits[0], ==, 0);
    settings.start_steps = 0;
    n_first = lac_course_count_steps(&settings);
    settings.start_steps = 7;
    g_assert_cmpint(lac_course_count_steps(&settings), ==, n_first + 7);
  }
}

/* Both losses count, and the step in which they are good teaches nothing. */
static void
test_threshold(void)
{
  const LacCourseSettings settings = settings_of(LAC_COURSE_REPLAY);
  const LacCourseLosses   half = {.present = 1e-3, .earlier = 1},
                        noise = {.present = 1, .earlier = 1, .within_noise = TRUE};
  g_autoptr(LacCourse) course = lac_course_new(&settings);
  gsize                visits[N_VISITS];

  lac_course_draw(course, visits);
  g_assert_cmpint(lac_course_judge(course, &half), ==, LAC_COURSE_LEARN);
  g_assert_cmpint(lac_course_judge(course, &good), ==, LAC_COURSE_NEXT);
  g_assert_cmpint(course->stage.visit, ==, 1);
  g_assert_cmpint(lac_course_judge(course, &noise), ==, LAC_COURSE_NEXT);
  g_assert_cmpint(course->stage.visit, ==, 2);
  while (!course->ended)
    lac_course_judge(course, &good);
  g_assert_cmpint(course->n_done, ==, N_VISITS + 1);
  g_assert_cmpint(course->n_failed, ==, 0);
}

/* Those that failed come again, at a tenth of the rate, then at a twentieth; the others do not. */
static void
test_retries(void)
{
  LacCourseSettings settings = settings_of(LAC_COURSE_REPLAY);
  gint64            n_retried[3][N_VISITS] = {{0}};

  settings.retries = 2;
  settings.retry_steps = 3;
  g_autoptr(LacCourse) course = lac_course_new(&settings);
  while (!course->ended) {
    const LacCourseStage stage = course->stage;
    const gboolean       fails = stage.visit == 4 || (stage.visit == 2 && stage.retry == 0);

    if (lac_course_judge(course, fails ? &bad : &good) == LAC_COURSE_LEARN && stage.retry > 0)
      g_assert_cmpfloat_with_epsilon(lac_course_get_rate(course), 1e-4 / (double) stage.retry,
                                     1e-12);
    n_retried[stage.retry][stage.visit]++;
  }
  g_assert_cmpint(n_retried[1][2], ==, 1); /* good at once */
  g_assert_cmpint(n_retried[1][4], ==, settings.retry_steps + 1);
  g_assert_cmpint(n_retried[2][2], ==, 0);
  g_assert_cmpint(n_retried[2][4], ==, settings.retry_steps + 1);
  g_assert_cmpint(n_retried[1][3], ==, 0);
  g_assert_cmpint(course->n_failed, ==, 1);
}

/* A plateau is left at twice the rate with warm restarts; who runs out of steps gets more at a tenth. */
static void
test_tiers(void)
{
  LacCourseSettings settings = settings_of(LAC_COURSE_REPLAY);

  settings.adaptive = TRUE;
  settings.steps = 400;
  g_autoptr(LacCourse) flat = lac_course_new(&settings), falling = lac_course_new(&settings);
  for (gint64 k = 0; k < 230; k++)
    lac_course_judge(flat, &bad);
  g_assert_cmpint(flat->stage.tier, ==, LAC_TIER_AGGRESSIVE);
  g_assert_cmpint(flat->stage.budget, ==, 900);
  g_assert_cmpfloat(lac_course_get_rate(flat), >, 1e-6);
  g_assert_cmpfloat(lac_course_get_rate(flat), <=, 2e-3);
  for (gint64 k = 0; k < 400; k++) {
    const LacCourseLosses better = {.present = 2 * exp(-0.01 * (double) k)};
    lac_course_judge(falling, &better);
  }
  g_assert_cmpint(falling->stage.tier, ==, LAC_TIER_RESCUE);
  g_assert_cmpint(falling->stage.budget, ==, 1400);
  g_assert_cmpfloat_with_epsilon(lac_course_get_rate(falling), 1e-4, 1e-12);
}

/* The rate falls to a hundredth, over any of the exposures; several good steps in a row end it. */
static void
test_finish(void)
{
  LacCourseSettings settings = settings_of(LAC_COURSE_REPLAY);
  gsize             visits[N_VISITS];
  gboolean          came[N_VISITS] = {FALSE};
  double            before = INFINITY;

  settings.finish_steps = 20;
  g_autoptr(LacCourse) course = lac_course_new(&settings);
  while (course->stage.phase != LAC_PHASE_FINISH)
    lac_course_judge(course, &good);
  for (gint64 k = 0; k < 20 * N_VISITS; k++) {
    lac_course_draw(course, visits);
    came[visits[0]] = TRUE;
    g_assert_cmpint(lac_course_judge(course, &bad), ==, LAC_COURSE_LEARN);
    g_assert_cmpfloat(lac_course_get_rate(course), <, before);
    before = lac_course_get_rate(course);
  }
  g_assert_cmpfloat_with_epsilon(before, 1e-5, 1e-8);
  for (gsize v = 0; v < N_VISITS; v++)
    g_assert_true(came[v]);
  lac_course_judge(course, &bad);
  g_assert_true(course->ended);
}

static void
test_all(void)
{
  const LacCourseSettings settings = settings_of(LAC_COURSE_ALL);
  g_autoptr(LacCourse)    course = lac_course_new(&settings);
  gsize                   visits[N_VISITS];
  gint64                  n_learnt = 0;

  g_assert_cmpuint(lac_course_draw(course, visits), ==, N_VISITS);
  while (!course->ended)
    n_learnt += lac_course_judge(course, &bad) == LAC_COURSE_LEARN;
  g_assert_cmpint(n_learnt, ==, lac_course_count_steps(&settings));
}

static void
test_resume(void)
{
  LacCourseSettings settings = settings_of(LAC_COURSE_REPLAY);

  settings.retries = 1;
  settings.retry_steps = 4;
  settings.finish_steps = 3;
  g_autoptr(LacCourse) one = lac_course_new(&settings), other = lac_course_new(&settings);
  g_autoptr(LacStore)  store = lac_store_new();
  g_autoptr(GError)    error = NULL;
  gsize                visits[2][N_VISITS];

  for (guint k = 0; k < 17; k++) {
    lac_course_draw(one, visits[0]);
    lac_course_judge(one, k % 5 == 0 ? &good : &bad);
  }
  lac_course_save(one, store);
  g_assert_true(lac_course_load(other, store, &error));
  g_assert_no_error(error);
  while (!one->ended) {
    const gsize n = lac_course_draw(one, visits[0]);
    g_assert_cmpuint(lac_course_draw(other, visits[1]), ==, n);
    g_assert_cmpmem(visits[0], n * sizeof **visits, visits[1], n * sizeof **visits);
    g_assert_cmpint(lac_course_judge(one, &bad), ==, lac_course_judge(other, &bad));
  }
  g_assert_true(other->ended);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/decoder-course/exposures-come-in-order-and-earlier-ones-are-replayed",
                  test_order);
  g_test_add_func(
    "/imaging/decoder-course/an-exposure-ends-below-the-threshold-or-within-the-noise",
    test_threshold);
  g_test_add_func("/imaging/decoder-course/a-picture-to-begin-with-comes-before-all", test_start);
  g_test_add_func("/imaging/decoder-course/what-failed-comes-again", test_retries);
  g_test_add_func("/imaging/decoder-course/plateaus-and-lack-of-steps-have-their-tiers",
                  test_tiers);
  g_test_add_func("/imaging/decoder-course/the-rate-falls-at-the-finish", test_finish);
  g_test_add_func("/imaging/decoder-course/all-at-once-takes-all-at-every-step", test_all);
  g_test_add_func("/imaging/decoder-course/resumed-goes-on-as-before", test_resume);
  return g_test_run();
}
