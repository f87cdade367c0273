/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which exposures a decoder learns from next, how fast and for how long: exposure after exposure, the earlier ones held on to; at the end
 * those that did not come within the threshold once more, and all of them while the rate falls. A plain value with one array: all of it is saved. */
#pragma once

#include "base/rng.h"
#include "field/store.h"

G_BEGIN_DECLS

/* What stands for the exposures before the present one. */
typedef enum {
  LAC_COURSE_REPLAY, /* themselves: a few of them, drawn anew at each step */
  LAC_COURSE_SELF, /* the network's own output when the present one came, through the union of their apertures */
  LAC_COURSE_ALL, /* there is no order: all exposures at every step */
} LacCourseData;

typedef enum {
  LAC_PHASE_FIRST,  /* every exposure in its turn */
  LAC_PHASE_RETRY,  /* those that failed */
  LAC_PHASE_FINISH, /* any of them at each step, while the rate falls */
  LAC_PHASE_START,  /* before all: no exposure, a picture to begin with */
} LacCoursePhase;

/* How an exposure goes. */
typedef enum {
  LAC_TIER_NORMAL,
  LAC_TIER_AGGRESSIVE, /* on a plateau: twice the rate, with warm restarts, and more steps */
  LAC_TIER_RESCUE,     /* out of steps: a tenth of the rate, and more steps */
} LacCourseTier;

typedef struct {
  LacCourseData data;
  gsize         n_visits;
  gint64        start_steps; /* towards a picture to begin with, at most; 0: there is none */
  gint64        steps;       /* of an exposure at most */
  gint64        replays;     /* earlier exposures in a step */
  double        rate;        /* of Adam */
  double        threshold;   /* a loss below it is good enough */
  gboolean      adaptive;    /* tiers */
  gint64        retries;     /* times that exposures which stayed above it come again */
  gint64        retry_steps;
  gint64  finish_steps; /* for each exposure; of their own turns with the data of the original */
  guint64 seed;
} LacCourseSettings;

#define LAC_COURSE_RECENT 50 /* losses that a plateau is judged by */

/* Of the exposure under way. */
typedef struct {
  gint64 phase;
  gint64 visit, step, budget, retry; /* retry: from 1 */
  gint64 calm;                       /* good steps in a row */
  gint64 tier, tier_step;
  gint64 stale; /* steps since the loss last got better by a hundredth */
  double best;
  double recent[LAC_COURSE_RECENT];
} LacCourseStage;

typedef struct {
  LacCourseSettings settings;
  LacCourseStage    stage;
  LacRng            rng;
  gint64            n_done;   /* steps */
  gint64            n_seen;   /* exposures taken in so far */
  gint64            n_failed; /* of them, above the threshold when their steps were done */
  gboolean          ended;
  guint8           *failed; /* [n_visits] */
  gsize            *order;  /* [n_visits]: scratch */
} LacCourse;

LacCourse *lac_course_new(const LacCourseSettings *settings);
void       lac_course_free(LacCourse *course);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacCourse, lac_course_free)

/* Steps of a run in which nothing comes within the threshold, tiers apart. */
gint64 lac_course_count_steps(const LacCourseSettings *settings);

/* The exposures of the next step, the present one first: fills @visits, [n_visits]. Returns: how many; 0 at the start. */
gsize lac_course_draw(LacCourse *course, gsize *visits);

/* What a step found: the loss of the present exposure, of the earlier ones (0 where there are none), and whether both are within
 * the noise. */
typedef struct {
  double   present, earlier;
  gboolean within_noise;
} LacCourseLosses;

typedef enum {
  LAC_COURSE_LEARN, /* from what was found */
  LAC_COURSE_NEXT, /* nothing is learnt: another exposure is the present one, or the course has ended */
} LacCourseVerdict;

/* Counts the step and moves on. */
LacCourseVerdict lac_course_judge(LacCourse *course, const LacCourseLosses *losses);

/* Of Adam, for the step that was just judged. */
double lac_course_get_rate(const LacCourse *course);

void     lac_course_save(const LacCourse *course, LacStore *store);
gboolean lac_course_load(LacCourse *course, const LacStore *store, GError **error);

G_END_DECLS
