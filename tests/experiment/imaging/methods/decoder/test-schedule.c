/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decoder's training schedule: order of exposures, replay, retries, learning rate. */
#include "experiment/imaging/methods/decoder/schedule.h"

#include <math.h>
#include <string.h>

#define N_POSITIONS 6

static LacScheduleSettings
settings_of(LacRehearsal data)
{
  return (LacScheduleSettings){
    .data = data,
    .n_positions = N_POSITIONS,
    .steps = 5,
    .replays = 2,
    .rate = 1e-3,
    .threshold = 0.01,
    .seed = 3,
  };
}

static const LacScheduleLosses bad = {.present = 1, .earlier = 1},
                               good = {.present = 1e-3, .earlier = 1e-3};

static void
test_order(void)
{
  const LacScheduleSettings     settings = settings_of(LAC_REHEARSAL_REPLAY);
  g_autoptr(LacDecoderSchedule) schedule = lac_decoder_schedule_new(&settings);
  gsize                         scan[N_POSITIONS];
  gint64                        n_learnt[N_POSITIONS] = {0};

  while (!schedule->ended) {
    const gsize n = lac_decoder_schedule_draw(schedule, scan), present = scan[0];

    g_assert_cmpuint(n, ==, 1 + MIN(2, present));
    for (gsize i = 1; i < n; i++) {
      g_assert_cmpuint(scan[i], <, present);
      for (gsize k = 1; k < i; k++)
        g_assert_cmpuint(scan[i], !=, scan[k]);
    }
    n_learnt[present] += lac_decoder_schedule_advance(schedule, &bad) == LAC_SCHEDULE_LEARN;
  }
  for (gsize v = 0; v < N_POSITIONS; v++)
    g_assert_cmpint(n_learnt[v], ==, settings.steps);
  g_assert_cmpint(schedule->n_failed, ==, N_POSITIONS);
  g_assert_cmpint(schedule->n_seen, ==, N_POSITIONS);
}

/* No exposure is drawn while the initial picture is fitted; this phase ends after its steps or below the threshold
 * and counts as no exposure. */
static void
test_start(void)
{
  for (int is_good = 0; is_good < 2; is_good++) {
    LacScheduleSettings settings = settings_of(LAC_REHEARSAL_REPLAY);
    gint64              n = 0, n_first;
    gsize               scan[N_POSITIONS];

    settings.start_steps = 7;
    g_autoptr(LacDecoderSchedule) schedule = lac_decoder_schedule_new(&settings);
    for (; schedule->stage.phase == LAC_PHASE_START; n++) {
      g_assert_cmpuint(lac_decoder_schedule_draw(schedule, scan), ==, 0);
      g_assert_cmpint(schedule->n_seen, ==, 0);
      lac_decoder_schedule_advance(schedule, is_good && n == 3 ? &good : &bad);
    }
    g_assert_cmpint(n, ==, is_good ? 4 : 8); /* no training in the last step */
    g_assert_cmpint(schedule->n_failed, ==, 0);
    g_assert_cmpint(schedule->stage.phase, ==, LAC_PHASE_FIRST);
    g_assert_cmpuint(lac_decoder_schedule_draw(schedule, scan), ==, 1);
    g_assert_cmpuint(scan[0], ==, 0);
    settings.start_steps = 0;
    n_first = lac_decoder_schedule_count_steps(&settings);
    settings.start_steps = 7;
    g_assert_cmpint(lac_decoder_schedule_count_steps(&settings), ==, n_first + 7);
  }
}

/* Both losses must be below the threshold; no training in the step in which they are. */
static void
test_threshold(void)
{
  const LacScheduleSettings settings = settings_of(LAC_REHEARSAL_REPLAY);
  const LacScheduleLosses   half = {.present = 1e-3, .earlier = 1},
                          noise = {.present = 1, .earlier = 1, .within_noise = TRUE};
  g_autoptr(LacDecoderSchedule) schedule = lac_decoder_schedule_new(&settings);
  gsize                         scan[N_POSITIONS];

  lac_decoder_schedule_draw(schedule, scan);
  g_assert_cmpint(lac_decoder_schedule_advance(schedule, &half), ==, LAC_SCHEDULE_LEARN);
  g_assert_cmpint(lac_decoder_schedule_advance(schedule, &good), ==, LAC_SCHEDULE_NEXT);
  g_assert_cmpint(schedule->stage.position, ==, 1);
  g_assert_cmpint(lac_decoder_schedule_advance(schedule, &noise), ==, LAC_SCHEDULE_NEXT);
  g_assert_cmpint(schedule->stage.position, ==, 2);
  while (!schedule->ended)
    lac_decoder_schedule_advance(schedule, &good);
  g_assert_cmpint(schedule->n_done, ==, N_POSITIONS + 1);
  g_assert_cmpint(schedule->n_failed, ==, 0);
}

/* Failed exposures are retried at a tenth of the rate, then at a twentieth; the others are not. */
static void
test_retries(void)
{
  LacScheduleSettings settings = settings_of(LAC_REHEARSAL_REPLAY);
  gint64              n_retried[3][N_POSITIONS] = {{0}};

  settings.retries = 2;
  settings.retry_steps = 3;
  g_autoptr(LacDecoderSchedule) schedule = lac_decoder_schedule_new(&settings);
  while (!schedule->ended) {
    const LacScheduleStage stage = schedule->stage;
    const gboolean         fails = stage.position == 4 || (stage.position == 2 && stage.retry == 0);

    if (lac_decoder_schedule_advance(schedule, fails ? &bad : &good) == LAC_SCHEDULE_LEARN &&
        stage.retry > 0)
      g_assert_cmpfloat_with_epsilon(lac_decoder_schedule_get_rate(schedule),
                                     1e-4 / (double) stage.retry, 1e-12);
    n_retried[stage.retry][stage.position]++;
  }
  g_assert_cmpint(n_retried[1][2], ==, 1); /* below the threshold at once */
  g_assert_cmpint(n_retried[1][4], ==, settings.retry_steps + 1);
  g_assert_cmpint(n_retried[2][2], ==, 0);
  g_assert_cmpint(n_retried[2][4], ==, settings.retry_steps + 1);
  g_assert_cmpint(n_retried[1][3], ==, 0);
  g_assert_cmpint(schedule->n_failed, ==, 1);
}

/* A plateau switches to twice the rate with warm restarts; running out of steps grants more at a tenth of the rate. */
static void
test_tiers(void)
{
  LacScheduleSettings settings = settings_of(LAC_REHEARSAL_REPLAY);

  settings.adaptive = TRUE;
  settings.steps = 400;
  g_autoptr(LacDecoderSchedule) flat = lac_decoder_schedule_new(&settings),
                                falling = lac_decoder_schedule_new(&settings);
  for (gint64 k = 0; k < 230; k++)
    lac_decoder_schedule_advance(flat, &bad);
  g_assert_cmpint(flat->stage.tier, ==, LAC_LEVEL_AGGRESSIVE);
  g_assert_cmpint(flat->stage.budget, ==, 900);
  g_assert_cmpfloat(lac_decoder_schedule_get_rate(flat), >, 1e-6);
  g_assert_cmpfloat(lac_decoder_schedule_get_rate(flat), <=, 2e-3);
  for (gint64 k = 0; k < 400; k++) {
    const LacScheduleLosses better = {.present = 2 * exp(-0.01 * (double) k)};
    lac_decoder_schedule_advance(falling, &better);
  }
  g_assert_cmpint(falling->stage.tier, ==, LAC_LEVEL_RESCUE);
  g_assert_cmpint(falling->stage.budget, ==, 1400);
  g_assert_cmpfloat_with_epsilon(lac_decoder_schedule_get_rate(falling), 1e-4, 1e-12);
}

/* The rate falls to a hundredth, over all exposures; several good steps in a row end the phase. */
static void
test_finish(void)
{
  LacScheduleSettings settings = settings_of(LAC_REHEARSAL_REPLAY);
  gsize               scan[N_POSITIONS];
  gboolean            came[N_POSITIONS] = {FALSE};
  double              before = INFINITY;

  settings.finish_steps = 20;
  g_autoptr(LacDecoderSchedule) schedule = lac_decoder_schedule_new(&settings);
  while (schedule->stage.phase != LAC_PHASE_FINISH)
    lac_decoder_schedule_advance(schedule, &good);
  for (gint64 k = 0; k < 20 * N_POSITIONS; k++) {
    lac_decoder_schedule_draw(schedule, scan);
    came[scan[0]] = TRUE;
    g_assert_cmpint(lac_decoder_schedule_advance(schedule, &bad), ==, LAC_SCHEDULE_LEARN);
    g_assert_cmpfloat(lac_decoder_schedule_get_rate(schedule), <, before);
    before = lac_decoder_schedule_get_rate(schedule);
  }
  g_assert_cmpfloat_with_epsilon(before, 1e-5, 1e-8);
  for (gsize v = 0; v < N_POSITIONS; v++)
    g_assert_true(came[v]);
  lac_decoder_schedule_advance(schedule, &bad);
  g_assert_true(schedule->ended);
}

static void
test_all(void)
{
  const LacScheduleSettings     settings = settings_of(LAC_REHEARSAL_ALL);
  g_autoptr(LacDecoderSchedule) schedule = lac_decoder_schedule_new(&settings);
  gsize                         scan[N_POSITIONS];
  gint64                        n_learnt = 0;

  g_assert_cmpuint(lac_decoder_schedule_draw(schedule, scan), ==, N_POSITIONS);
  while (!schedule->ended)
    n_learnt += lac_decoder_schedule_advance(schedule, &bad) == LAC_SCHEDULE_LEARN;
  g_assert_cmpint(n_learnt, ==, lac_decoder_schedule_count_steps(&settings));
}

static void
test_resume(void)
{
  LacScheduleSettings settings = settings_of(LAC_REHEARSAL_REPLAY);

  settings.retries = 1;
  settings.retry_steps = 4;
  settings.finish_steps = 3;
  g_autoptr(LacDecoderSchedule) one = lac_decoder_schedule_new(&settings),
                                other = lac_decoder_schedule_new(&settings);
  g_autoptr(LacStore) store = lac_store_new();
  g_autoptr(GError)   error = NULL;
  gsize               scan[2][N_POSITIONS];

  for (guint k = 0; k < 17; k++) {
    lac_decoder_schedule_draw(one, scan[0]);
    lac_decoder_schedule_advance(one, k % 5 == 0 ? &good : &bad);
  }
  lac_decoder_schedule_visit(one, &(LacVisit){.to = store});
  lac_decoder_schedule_visit(other, &(LacVisit){.from = store, .error = &error});
  g_assert_no_error(error);
  g_assert_no_error(error);
  while (!one->ended) {
    const gsize n = lac_decoder_schedule_draw(one, scan[0]);
    g_assert_cmpuint(lac_decoder_schedule_draw(other, scan[1]), ==, n);
    g_assert_cmpmem(scan[0], n * sizeof **scan, scan[1], n * sizeof **scan);
    g_assert_cmpint(lac_decoder_schedule_advance(one, &bad), ==,
                    lac_decoder_schedule_advance(other, &bad));
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
