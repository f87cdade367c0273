/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which exposures a decoder learns from next, how fast and for how long: exposure after exposure, the earlier ones held on to; at the end
 * those that did not come within the threshold once more, and all of them while the rate falls. A plain value with one array: all of it is saved. */
#pragma once

#include "base/rng.h"
#include "field/store.h"

G_BEGIN_DECLS

/* What stands for the exposures before the present one. */
typedef enum {
  LAC_REHEARSAL_REPLAY, /* themselves: a few of them, drawn anew at each step */
  LAC_REHEARSAL_SELF, /* the network's own output when the present one came, through the union of their apertures */
  LAC_REHEARSAL_ALL, /* there is no order: all exposures at every step */
} LacRehearsal;

typedef enum {
  LAC_PHASE_FIRST,  /* every exposure in its turn */
  LAC_PHASE_RETRY,  /* those that failed */
  LAC_PHASE_FINISH, /* any of them at each step, while the rate falls */
  LAC_PHASE_START,  /* before all: no exposure, a picture to begin with */
} LacSchedulePhase;

/* How an exposure goes. */
typedef enum {
  LAC_LEVEL_NORMAL,
  LAC_LEVEL_AGGRESSIVE, /* on a plateau: twice the rate, with warm restarts, and more steps */
  LAC_LEVEL_RESCUE,     /* out of steps: a tenth of the rate, and more steps */
} LacScheduleLevel;

typedef struct {
  LacRehearsal data;
  gsize        n_positions;
  gint64       start_steps; /* towards a picture to begin with, at most; 0: there is none */
  gint64       steps;       /* of an exposure at most */
  gint64       replays;     /* earlier exposures in a step */
  double       rate;        /* of Adam */
  double       threshold;   /* a loss below it is good enough */
  gboolean     adaptive;    /* tiers */
  gint64       retries;     /* times that exposures which stayed above it come again */
  gint64       retry_steps;
  gint64  finish_steps; /* for each exposure; of their own turns with the data of the original */
  guint64 seed;
} LacScheduleSettings;

#define LAC_SCHEDULE_RECENT 50 /* losses that a plateau is judged by */

/* Of the exposure under way. */
typedef struct {
  gint64 phase;
  gint64 position, step, budget, retry; /* retry: from 1 */
  gint64 calm;                          /* good steps in a row */
  gint64 tier, tier_step;
  gint64 stale; /* steps since the loss last got better by a hundredth */
  double best;
  double recent[LAC_SCHEDULE_RECENT];
} LacScheduleStage;

typedef struct {
  LacScheduleSettings settings;
  LacScheduleStage    stage;
  LacRng              rng;
  gint64              n_done;   /* steps */
  gint64              n_seen;   /* exposures taken in so far */
  gint64              n_failed; /* of them, above the threshold when their steps were done */
  gboolean            ended;
  guint8             *failed; /* [n_positions] */
  gsize              *order;  /* [n_positions]: scratch */
} LacDecoderSchedule;

LacDecoderSchedule *lac_decoder_schedule_new(const LacScheduleSettings *settings);
void                lac_decoder_schedule_free(LacDecoderSchedule *schedule);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDecoderSchedule, lac_decoder_schedule_free)

/* Steps of a run in which nothing comes within the threshold, tiers apart. */
gint64 lac_decoder_schedule_count_steps(const LacScheduleSettings *settings);

/* The exposures of the next step, the present one first: fills @scan, [n_positions]. Returns: how many; 0 at the start. */
gsize lac_decoder_schedule_draw(LacDecoderSchedule *schedule, gsize *scan);

/* What a step found: the loss of the present exposure, of the earlier ones (0 where there are none), and whether both are within
 * the noise. */
typedef struct {
  double   present, earlier;
  gboolean within_noise;
} LacScheduleLosses;

typedef enum {
  LAC_SCHEDULE_LEARN, /* from what was found */
  LAC_SCHEDULE_NEXT, /* nothing is learnt: another exposure is the present one, or the course has ended */
} LacScheduleVerdict;

/* Counts the step and moves on. */
LacScheduleVerdict lac_decoder_schedule_advance(LacDecoderSchedule      *schedule,
                                                const LacScheduleLosses *losses);

/* Of Adam, for the step that was just judged. */
double lac_decoder_schedule_get_rate(const LacDecoderSchedule *schedule);

void lac_decoder_schedule_save(const LacDecoderSchedule *schedule, LacStore *store);
gboolean
lac_decoder_schedule_load(LacDecoderSchedule *schedule, const LacStore *store, GError **error);

G_END_DECLS
