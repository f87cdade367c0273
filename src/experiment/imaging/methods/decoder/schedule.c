/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Order of exposures and evaluation of steps. */
#include "experiment/imaging/methods/decoder/schedule.h"

#include <math.h>
#include <string.h>

#define STREAM_REPLAY 0x7265706cu /* random stream */

#define BETTER          0.01 /* minimum relative improvement of the loss */
#define PATIENCE        10   /* consecutive steps below the threshold */
#define PLATEAU_STALE   10
#define PLATEAU_STEPS   200 /* no plateau detection before */
#define AGGRESSIVE_MORE 500
#define AGGRESSIVE_RATE 2
#define RESCUE_MORE     1000
#define RESCUE_RATE     0.1
#define RETRY_RATE      0.1
#define FINISH_RATE     0.01 /* final rate relative to the initial one */
#define RESTART_STEPS   50 /* of the first warm restart; each is twice as long as the previous one */
#define LEAST_RATE      1e-6 /* lowest relative rate of a warm restart */

/* Returns the number of exposures in sequence. */
static gint64
n_in_turn(const LacScheduleSettings *settings)
{
  return settings->data == LAC_REHEARSAL_ALL ? 1 : (gint64) settings->n_positions;
}

static void
begin(LacDecoderSchedule *schedule, LacSchedulePhase phase, gint64 retry, gint64 position)
{
  const LacScheduleSettings *settings = &schedule->settings;
  LacScheduleStage          *stage = &schedule->stage;
  const gint64 n = (gint64) settings->n_positions, n_at_once = n / n_in_turn(settings);

  *stage =
    (LacScheduleStage){.phase = phase, .position = position, .retry = retry, .best = INFINITY};
  switch (phase) {
  case LAC_PHASE_FIRST:
    stage->budget = settings->steps * n_at_once;
    schedule->n_seen = settings->data == LAC_REHEARSAL_ALL ? n : position + 1;
    break;
  case LAC_PHASE_RETRY: stage->budget = settings->retry_steps * n_at_once; break;
  case LAC_PHASE_FINISH: stage->budget = settings->finish_steps * n; break;
  case LAC_PHASE_START: stage->budget = settings->start_steps; break;
  }
}

/* Returns the steps of the final phase, which trains on measured exposures. Self-rehearsal has none: each exposure
 * gets as many more steps in its own turn. */
static gint64
n_finish_steps(const LacScheduleSettings *settings)
{
  return settings->data == LAC_REHEARSAL_SELF ? 0 : settings->finish_steps;
}

LacDecoderSchedule *
lac_decoder_schedule_new(const LacScheduleSettings *settings)
{
  LacDecoderSchedule *schedule = g_new0(LacDecoderSchedule, 1);

  schedule->settings = *settings;
  schedule->settings.finish_steps = n_finish_steps(settings);
  schedule->settings.steps = settings->steps + settings->finish_steps - n_finish_steps(settings);
  schedule->rng = lac_rng(settings->seed, STREAM_REPLAY);
  schedule->failed = g_new0(guint8, settings->n_positions);
  schedule->order = g_new0(gsize, settings->n_positions);
  begin(schedule, settings->start_steps > 0 ? LAC_PHASE_START : LAC_PHASE_FIRST, 0, 0);
  return schedule;
}

void
lac_decoder_schedule_free(LacDecoderSchedule *schedule)
{
  if (!schedule)
    return;
  g_free(schedule->failed);
  g_free(schedule->order);
  g_free(schedule);
}

gint64
lac_decoder_schedule_count_steps(const LacScheduleSettings *settings)
{
  return settings->start_steps +
         (gint64) settings->n_positions *
           (settings->steps + settings->retries * settings->retry_steps + settings->finish_steps);
}

/* Draws the first @n of @scan at random without the present one, by a partial Fisher-Yates shuffle. */
static void
draw_earlier(LacDecoderSchedule *schedule, gsize n, gsize *scan)
{
  gsize n_earlier = 0;

  for (gsize v = 0; v < (gsize) schedule->n_seen; v++)
    if (v != (gsize) schedule->stage.position)
      schedule->order[n_earlier++] = v;
  for (gsize i = 0; i < n; i++) {
    const gsize j = i + (gsize) lac_rng_below(&schedule->rng, n_earlier - i),
                other = schedule->order[j];
    schedule->order[j] = schedule->order[i];
    schedule->order[i] = other;
    scan[i] = other;
  }
}

gsize
lac_decoder_schedule_draw(LacDecoderSchedule *schedule, gsize *scan)
{
  const LacScheduleSettings *settings = &schedule->settings;
  gsize                      n = 0;

  if (schedule->stage.phase == LAC_PHASE_START)
    return 0;
  if (settings->data == LAC_REHEARSAL_ALL) {
    for (gsize v = 0; v < settings->n_positions; v++)
      scan[v] = v;
    return settings->n_positions;
  }
  if (schedule->stage.phase == LAC_PHASE_FINISH)
    schedule->stage.position = (gint64) lac_rng_below(&schedule->rng, settings->n_positions);
  scan[0] = (gsize) schedule->stage.position;
  if (settings->data == LAC_REHEARSAL_REPLAY) {
    n = MIN((gsize) settings->replays, (gsize) schedule->n_seen - 1);
    draw_earlier(schedule, n, scan + 1);
  }
  return n + 1;
}

/* Selects the next exposure to retry, in this round or the next. Returns: FALSE when there is none. */
static gboolean
try_again(LacDecoderSchedule *schedule, gint64 retry, gint64 position)
{
  const gint64 n = n_in_turn(&schedule->settings);

  for (; retry <= schedule->settings.retries && schedule->n_failed > 0; retry++, position = 0)
    for (; position < n; position++)
      if (schedule->failed[position]) {
        begin(schedule, LAC_PHASE_RETRY, retry, position);
        return TRUE;
      }
  return FALSE;
}

/* Moves on to the next exposure, then to the retries, then to the final phase. */
static void
move_on(LacDecoderSchedule *schedule, gboolean failed)
{
  const LacScheduleStage stage = schedule->stage;

  if (stage.phase == LAC_PHASE_FINISH) {
    schedule->ended = TRUE;
    return;
  }
  if (stage.phase == LAC_PHASE_START) {
    begin(schedule, LAC_PHASE_FIRST, 0, 0);
    return;
  }
  schedule->n_failed += failed - schedule->failed[stage.position];
  schedule->failed[stage.position] = (guint8) failed;
  if (stage.phase == LAC_PHASE_FIRST && stage.position + 1 < n_in_turn(&schedule->settings))
    begin(schedule, LAC_PHASE_FIRST, 0, stage.position + 1);
  else if (stage.phase == LAC_PHASE_FIRST && try_again(schedule, 1, 0))
    return;
  else if (stage.phase == LAC_PHASE_RETRY && try_again(schedule, stage.retry, stage.position + 1))
    return;
  else if (schedule->settings.finish_steps > 0)
    begin(schedule, LAC_PHASE_FINISH, 0, 0);
  else
    schedule->ended = TRUE;
}

static gboolean
is_on_plateau(const LacScheduleStage *stage, double now)
{
  const double before = stage->recent[stage->step % LAC_SCHEDULE_RECENT];

  return stage->step >= PLATEAU_STEPS && stage->stale >= PLATEAU_STALE &&
         (before - now) / fabs(before) < BETTER;
}

/* Adjusts the difficulty level. Returns: TRUE when there are steps left. */
static gboolean
choose_tier(LacDecoderSchedule *schedule, double loss)
{
  LacScheduleStage *stage = &schedule->stage;

  stage->stale = loss < stage->best * (1 - BETTER) ? 0 : stage->stale + 1;
  stage->best = fmin(stage->best, loss);
  if (schedule->settings.adaptive && stage->phase != LAC_PHASE_FINISH &&
      stage->phase != LAC_PHASE_START && stage->tier == LAC_LEVEL_NORMAL) {
    if (stage->step + 1 >= stage->budget) {
      stage->tier = LAC_LEVEL_RESCUE;
      stage->tier_step = stage->step + 1;
      stage->budget += RESCUE_MORE;
    } else if (is_on_plateau(stage, loss)) {
      stage->tier = LAC_LEVEL_AGGRESSIVE;
      stage->tier_step = stage->step + 1;
      stage->budget += AGGRESSIVE_MORE;
    }
  }
  stage->recent[stage->step % LAC_SCHEDULE_RECENT] = loss;
  return stage->step < stage->budget;
}

/* Returns TRUE when the step ends the exposure; in the final phase only after several good steps in a row, since each
 * covers few exposures. */
static gboolean
is_good(LacDecoderSchedule *schedule, const LacScheduleLosses *losses)
{
  const double   threshold = schedule->settings.threshold;
  const gboolean good =
    losses->within_noise || (losses->present < threshold && losses->earlier < threshold);

  schedule->stage.calm = good ? schedule->stage.calm + 1 : 0;
  return schedule->stage.calm >= (schedule->stage.phase == LAC_PHASE_FINISH ? PATIENCE : 1);
}

LacScheduleVerdict
lac_decoder_schedule_advance(LacDecoderSchedule *schedule, const LacScheduleLosses *losses)
{
  gboolean left;

  schedule->n_done++;
  if (is_good(schedule, losses)) {
    move_on(schedule, FALSE);
    return LAC_SCHEDULE_NEXT;
  }
  left = choose_tier(schedule, losses->present + losses->earlier);
  schedule->stage.step++;
  if (left)
    return LAC_SCHEDULE_LEARN;
  move_on(schedule, TRUE);
  return LAC_SCHEDULE_NEXT;
}

/* Cosine annealing from 1 to @least; Loshchilov and Hutter (2017), eq. 5 */
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
lac_decoder_schedule_get_rate(const LacDecoderSchedule *schedule)
{
  const LacScheduleStage *stage = &schedule->stage;
  double                  rate = schedule->settings.rate;

  if (stage->phase == LAC_PHASE_RETRY)
    rate *= RETRY_RATE / (double) stage->retry;
  if (stage->phase == LAC_PHASE_FINISH)
    rate *= falling(FINISH_RATE, (double) stage->step / (double) stage->budget);
  switch ((LacScheduleLevel) stage->tier) {
  case LAC_LEVEL_NORMAL: break;
  case LAC_LEVEL_AGGRESSIVE:
    rate = warm_restart(AGGRESSIVE_RATE * rate, stage->step - 1 - stage->tier_step);
    break;
  case LAC_LEVEL_RESCUE: rate *= RESCUE_RATE; break;
  }
  return rate;
}

void
lac_decoder_schedule_visit(LacDecoderSchedule *schedule, LacVisit *visit)
{
  gint64 counts[4] = {schedule->n_done, schedule->n_seen, schedule->n_failed, schedule->ended};

  lac_visit_bytes(visit, "course_stage", &schedule->stage, sizeof schedule->stage);
  lac_visit_bytes(visit, "course_rng", &schedule->rng, sizeof schedule->rng);
  lac_visit_bytes(visit, "course_counts", counts, sizeof counts);
  lac_visit_bytes(visit, "course_failed", schedule->failed, schedule->settings.n_positions);
  if (!lac_visit_restores(visit))
    return;
  schedule->n_done = counts[0];
  schedule->n_seen = counts[1];
  schedule->n_failed = counts[2];
  schedule->ended = counts[3] != 0;
}
