/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of exposures and the judgement of steps. */
#include "experiment/imaging/methods/decoder/course.h"

#include <math.h>
#include <string.h>

#define STREAM_REPLAY 0x7265706cu /* of the random numbers */

#define BETTER          0.01 /* by less the loss does not get better */
#define PATIENCE        10   /* good steps in a row */
#define PLATEAU_STALE   10
#define PLATEAU_STEPS   200 /* before which nothing is called a plateau */
#define AGGRESSIVE_MORE 500
#define AGGRESSIVE_RATE 2
#define RESCUE_MORE     1000
#define RESCUE_RATE     0.1
#define RETRY_RATE      0.1
#define FINISH_RATE     0.01 /* at its end, of that at its beginning */
#define RESTART_STEPS   50 /* of the first warm restart; each is twice as long as the one before */
#define LEAST_RATE      1e-6 /* that a warm restart comes down to */

/* How many exposures come one after the other. */
static gint64
n_in_turn(const LacCourseSettings *settings)
{
  return settings->data == LAC_COURSE_ALL ? 1 : (gint64) settings->n_visits;
}

static void
begin(LacCourse *course, LacCoursePhase phase, gint64 retry, gint64 visit)
{
  const LacCourseSettings *settings = &course->settings;
  LacCourseStage          *stage = &course->stage;
  const gint64             n = (gint64) settings->n_visits, n_at_once = n / n_in_turn(settings);

  *stage = (LacCourseStage){.phase = phase, .visit = visit, .retry = retry, .best = INFINITY};
  switch (phase) {
  case LAC_PHASE_FIRST:
    stage->budget = settings->steps * n_at_once;
    course->n_seen = settings->data == LAC_COURSE_ALL ? n : visit + 1;
    break;
  case LAC_PHASE_RETRY: stage->budget = settings->retry_steps * n_at_once; break;
  case LAC_PHASE_FINISH: stage->budget = settings->finish_steps * n; break;
  case LAC_PHASE_START: stage->budget = settings->start_steps; break;
  }
}

/* A finish sees exposures of before as they were measured. Without one each has as many steps more in its turn. */
static gint64
n_finish_steps(const LacCourseSettings *settings)
{
  return settings->data == LAC_COURSE_SELF ? 0 : settings->finish_steps;
}

LacCourse *
lac_course_new(const LacCourseSettings *settings)
{
  LacCourse *course = g_new0(LacCourse, 1);

  course->settings = *settings;
  course->settings.finish_steps = n_finish_steps(settings);
  course->settings.steps = settings->steps + settings->finish_steps - n_finish_steps(settings);
  course->rng = lac_rng(settings->seed, STREAM_REPLAY);
  course->failed = g_new0(guint8, settings->n_visits);
  course->order = g_new0(gsize, settings->n_visits);
  begin(course, settings->start_steps > 0 ? LAC_PHASE_START : LAC_PHASE_FIRST, 0, 0);
  return course;
}

void
lac_course_free(LacCourse *course)
{
  if (!course)
    return;
  g_free(course->failed);
  g_free(course->order);
  g_free(course);
}

gint64
lac_course_count_steps(const LacCourseSettings *settings)
{
  return settings->start_steps +
         (gint64) settings->n_visits *
           (settings->steps + settings->retries * settings->retry_steps + settings->finish_steps);
}

/* The first @n of @visits, without the present one, at random; a Fisher-Yates shuffle that stops there. */
static void
draw_earlier(LacCourse *course, gsize n, gsize *visits)
{
  gsize n_earlier = 0;

  for (gsize v = 0; v < (gsize) course->n_seen; v++)
    if (v != (gsize) course->stage.visit)
      course->order[n_earlier++] = v;
  for (gsize i = 0; i < n; i++) {
    const gsize j = i + (gsize) lac_rng_below(&course->rng, n_earlier - i),
                other = course->order[j];
    course->order[j] = course->order[i];
    course->order[i] = other;
    visits[i] = other;
  }
}

gsize
lac_course_draw(LacCourse *course, gsize *visits)
{
  const LacCourseSettings *settings = &course->settings;
  gsize                    n = 0;

  if (course->stage.phase == LAC_PHASE_START)
    return 0;
  if (settings->data == LAC_COURSE_ALL) {
    for (gsize v = 0; v < settings->n_visits; v++)
      visits[v] = v;
    return settings->n_visits;
  }
  if (course->stage.phase == LAC_PHASE_FINISH)
    course->stage.visit = (gint64) lac_rng_below(&course->rng, settings->n_visits);
  visits[0] = (gsize) course->stage.visit;
  if (settings->data == LAC_COURSE_REPLAY) {
    n = MIN((gsize) settings->replays, (gsize) course->n_seen - 1);
    draw_earlier(course, n, visits + 1);
  }
  return n + 1;
}

/* The next exposure of the present round, or of the next one, that is to come again. Returns: FALSE when there is none. */
static gboolean
try_again(LacCourse *course, gint64 retry, gint64 visit)
{
  const gint64 n = n_in_turn(&course->settings);

  for (; retry <= course->settings.retries && course->n_failed > 0; retry++, visit = 0)
    for (; visit < n; visit++)
      if (course->failed[visit]) {
        begin(course, LAC_PHASE_RETRY, retry, visit);
        return TRUE;
      }
  return FALSE;
}

/* First every exposure, then those that failed, then the finish. */
static void
move_on(LacCourse *course, gboolean failed)
{
  const LacCourseStage stage = course->stage;

  if (stage.phase == LAC_PHASE_FINISH) {
    course->ended = TRUE;
    return;
  }
  if (stage.phase == LAC_PHASE_START) {
    begin(course, LAC_PHASE_FIRST, 0, 0);
    return;
  }
  course->n_failed += failed - course->failed[stage.visit];
  course->failed[stage.visit] = (guint8) failed;
  if (stage.phase == LAC_PHASE_FIRST && stage.visit + 1 < n_in_turn(&course->settings))
    begin(course, LAC_PHASE_FIRST, 0, stage.visit + 1);
  else if (stage.phase == LAC_PHASE_FIRST && try_again(course, 1, 0))
    return;
  else if (stage.phase == LAC_PHASE_RETRY && try_again(course, stage.retry, stage.visit + 1))
    return;
  else if (course->settings.finish_steps > 0)
    begin(course, LAC_PHASE_FINISH, 0, 0);
  else
    course->ended = TRUE;
}

static gboolean
is_on_plateau(const LacCourseStage *stage, double now)
{
  const double before = stage->recent[stage->step % LAC_COURSE_RECENT];

  return stage->step >= PLATEAU_STEPS && stage->stale >= PLATEAU_STALE &&
         (before - now) / fabs(before) < BETTER;
}

/* Returns: whether there are steps left. */
static gboolean
choose_tier(LacCourse *course, double loss)
{
  LacCourseStage *stage = &course->stage;

  stage->stale = loss < stage->best * (1 - BETTER) ? 0 : stage->stale + 1;
  stage->best = fmin(stage->best, loss);
  if (course->settings.adaptive && stage->phase != LAC_PHASE_FINISH &&
      stage->phase != LAC_PHASE_START && stage->tier == LAC_TIER_NORMAL) {
    if (stage->step + 1 >= stage->budget) {
      stage->tier = LAC_TIER_RESCUE;
      stage->tier_step = stage->step + 1;
      stage->budget += RESCUE_MORE;
    } else if (is_on_plateau(stage, loss)) {
      stage->tier = LAC_TIER_AGGRESSIVE;
      stage->tier_step = stage->step + 1;
      stage->budget += AGGRESSIVE_MORE;
    }
  }
  stage->recent[stage->step % LAC_COURSE_RECENT] = loss;
  return stage->step < stage->budget;
}

/* At the finish several steps in a row: each sees a few exposures only. */
static gboolean
is_good(LacCourse *course, const LacCourseLosses *losses)
{
  const double   threshold = course->settings.threshold;
  const gboolean good =
    losses->within_noise || (losses->present < threshold && losses->earlier < threshold);

  course->stage.calm = good ? course->stage.calm + 1 : 0;
  return course->stage.calm >= (course->stage.phase == LAC_PHASE_FINISH ? PATIENCE : 1);
}

LacCourseVerdict
lac_course_judge(LacCourse *course, const LacCourseLosses *losses)
{
  gboolean left;

  course->n_done++;
  if (is_good(course, losses)) {
    move_on(course, FALSE);
    return LAC_COURSE_NEXT;
  }
  left = choose_tier(course, losses->present + losses->earlier);
  course->stage.step++;
  if (left)
    return LAC_COURSE_LEARN;
  move_on(course, TRUE);
  return LAC_COURSE_NEXT;
}

/* From 1 to @least; Loshchilov and Hutter (2017), eq. 5 */
static double
falling(double least, double share)
{
  return least + (1 - least) * (1 + cos(G_PI * share)) / 2;
}

static double
warm_restart(double rate, gint64 step)
{
  gint64 length = RESTART_STEPS;

  while (step >= length) {
    step -= length;
    length *= 2;
  }
  return rate * falling(LEAST_RATE / rate, (double) step / (double) length);
}

double
lac_course_get_rate(const LacCourse *course)
{
  const LacCourseStage *stage = &course->stage;
  double                rate = course->settings.rate;

  if (stage->phase == LAC_PHASE_RETRY)
    rate *= RETRY_RATE / (double) stage->retry;
  if (stage->phase == LAC_PHASE_FINISH)
    rate *= falling(FINISH_RATE, (double) stage->step / (double) stage->budget);
  switch ((LacCourseTier) stage->tier) {
  case LAC_TIER_NORMAL: break;
  case LAC_TIER_AGGRESSIVE:
    rate = warm_restart(AGGRESSIVE_RATE * rate, stage->step - 1 - stage->tier_step);
    break;
  case LAC_TIER_RESCUE: rate *= RESCUE_RATE; break;
  }
  return rate;
}

void
lac_course_save(const LacCourse *course, LacStore *store)
{
  const gint64 counts[4] = {course->n_done, course->n_seen, course->n_failed, course->ended};

  lac_store_put_bytes(store, "course_stage", &course->stage, sizeof course->stage);
  lac_store_put_bytes(store, "course_rng", &course->rng, sizeof course->rng);
  lac_store_put_bytes(store, "course_counts", counts, sizeof counts);
  lac_store_put_bytes(store, "course_failed", course->failed, course->settings.n_visits);
}

gboolean
lac_course_load(LacCourse *course, const LacStore *store, GError **error)
{
  const gsize   n = course->settings.n_visits;
  const gint64 *counts = lac_store_get_bytes(store, "course_counts", 4 * sizeof *counts, error);
  gconstpointer stage =
    counts ? lac_store_get_bytes(store, "course_stage", sizeof course->stage, error) : NULL;
  gconstpointer rng =
    stage ? lac_store_get_bytes(store, "course_rng", sizeof course->rng, error) : NULL;
  const guint8 *failed = rng ? lac_store_get_bytes(store, "course_failed", n, error) : NULL;

  if (!failed)
    return FALSE;
  memcpy(&course->stage, stage, sizeof course->stage);
  memcpy(&course->rng, rng, sizeof course->rng);
  memcpy(course->failed, failed, n);
  course->n_done = counts[0];
  course->n_seen = counts[1];
  course->n_failed = counts[2];
  course->ended = counts[3] != 0;
  return TRUE;
}
