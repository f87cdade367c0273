/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training schedule of a decoder: the next exposures, the learning rate and the number of steps. Exposures are added
 * one after the other while the earlier ones are rehearsed. Then those above the threshold are retried, and all are
 * trained at a falling rate. Checkpoints hold the whole state of the schedule. */
#pragma once

#include "base/rng.h"
#include "field/visit.h"

G_BEGIN_DECLS

/* Rehearsal of the exposures before the present one. */
typedef enum {
  LAC_REHEARSAL_REPLAY, /* experience replay: a few of them, redrawn at each step */
  LAC_REHEARSAL_SELF, /* output of the network before the present exposure, through the union of the earlier apertures */
  LAC_REHEARSAL_ALL, /* all exposures together at every step, from the first step on */
} LacRehearsal;

typedef enum {
  LAC_PHASE_FIRST,  /* each exposure in turn */
  LAC_PHASE_RETRY,  /* the failed ones */
  LAC_PHASE_FINISH, /* a random one at each step, at a falling rate */
  LAC_PHASE_START,  /* before all others: fits an initial picture, no exposures */
} LacSchedulePhase;

/* Difficulty level of an exposure. */
typedef enum {
  LAC_LEVEL_NORMAL,
  LAC_LEVEL_AGGRESSIVE, /* on a plateau: twice the rate with warm restarts, more steps */
  LAC_LEVEL_RESCUE,     /* out of steps: a tenth of the rate, more steps */
} LacScheduleLevel;

typedef struct {
  LacRehearsal data;
  gsize        n_positions;
  gint64
    start_steps;  /* maximum number of steps that fit the initial picture; 0: no initial picture */
  gint64   steps; /* maximum number of steps per exposure */
  gint64   replays;   /* number of earlier exposures replayed per step */
  double   rate;      /* learning rate of Adam */
  double   threshold; /* loss below which an exposure is done */
  gboolean adaptive;  /* use difficulty levels */
  gint64   retries;   /* number of retries of exposures that stayed above the threshold */
  gint64   retry_steps;
  gint64
          finish_steps; /* steps per exposure of the final phase; with LAC_REHEARSAL_SELF added to `steps` instead */
  guint64 seed;
} LacScheduleSettings;

#define LAC_SCHEDULE_RECENT 50 /* window of losses for plateau detection */

/* State of the current exposure. */
typedef struct {
  gint64 phase;
  gint64 position, step, budget, retry; /* retry: number of the retry, from 1 */
  gint64 calm;                          /* consecutive steps below the threshold */
  gint64 tier, tier_step;
  gint64 stale; /* steps since the loss last improved by 1 % */
  double best;
  double recent[LAC_SCHEDULE_RECENT];
} LacScheduleStage;

typedef struct {
  LacScheduleSettings settings;
  LacScheduleStage    stage;
  LacRng              rng;
  gint64              n_done;   /* steps completed */
  gint64              n_seen;   /* exposures added so far */
  gint64              n_failed; /* exposures that ended above the threshold */
  gboolean            ended;
  guint8             *failed; /* [n_positions] */
  gsize              *order;  /* [n_positions]: scratch */
} LacDecoderSchedule;

LacDecoderSchedule *lac_decoder_schedule_new(const LacScheduleSettings *settings);
void                lac_decoder_schedule_free(LacDecoderSchedule *schedule);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDecoderSchedule, lac_decoder_schedule_free)

/* Returns the number of steps of a run in which no exposure reaches the threshold, without extra steps of the
 * difficulty levels. */
gint64 lac_decoder_schedule_count_steps(const LacScheduleSettings *settings);

/* Draws the exposures of the next step, the present one first, into @scan, [n_positions]. Returns: their number; 0
 * while the initial picture is fitted. */
gsize lac_decoder_schedule_draw(LacDecoderSchedule *schedule, gsize *scan);

/* Result of a step: loss of the present exposure, loss of the earlier ones (0 when there are none), and whether both
 * are within the noise. */
typedef struct {
  double   present, earlier;
  gboolean within_noise;
} LacScheduleLosses;

typedef enum {
  LAC_SCHEDULE_LEARN, /* train on this comparison */
  LAC_SCHEDULE_NEXT, /* do not train: another exposure is now the present one, or the schedule has ended */
} LacScheduleVerdict;

/* Counts the step and advances the schedule. */
LacScheduleVerdict lac_decoder_schedule_advance(LacDecoderSchedule      *schedule,
                                                const LacScheduleLosses *losses);

/* Returns the Adam learning rate of the step that was just evaluated. */
double lac_decoder_schedule_get_rate(const LacDecoderSchedule *schedule);

void lac_decoder_schedule_visit(LacDecoderSchedule *schedule, LacVisit *visit);

G_END_DECLS
