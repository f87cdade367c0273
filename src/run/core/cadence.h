/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of periodic tasks between steps: checkpoints, flushing the journal, handing over records, checking free
 * disk space. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_RUN_DUTY_PUBLISH, /* 50 times per second */
  LAC_RUN_DUTY_ROOM,    /* every 2 s */
  LAC_RUN_DUTY_FLUSH,   /* every second, but not right after a checkpoint */
  LAC_N_RUN_DUTIES,
} LacRunDuty;

typedef struct {
  double
         checkpoint_seconds; /* minimum pause between checkpoints; longer if they would take over 5 % of the time */
  gint64 next_checkpoint_ns, next_ns[LAC_N_RUN_DUTIES];
} LacRunCadence;

/* @checkpoint_seconds: 0: the default, 10 s */
void lac_run_cadence_init(LacRunCadence *cadence, double checkpoint_seconds);
/* Starts the intervals: the first checkpoint is due after one interval, everything else at once. */
void lac_run_cadence_begin(LacRunCadence *cadence, gint64 now_ns);

/* Returns TRUE, and begins the next interval, when @duty is due. */
gboolean lac_run_cadence_take(LacRunCadence *cadence, LacRunDuty duty, gint64 now_ns);

gboolean lac_run_cadence_is_checkpoint_due(const LacRunCadence *cadence, gint64 now_ns);
/* Schedules the next checkpoint from the beginning and the end of the previous one. */
void lac_run_cadence_end_checkpoint(LacRunCadence *cadence, gint64 begin_ns, gint64 end_ns);
/* Requests a checkpoint within a second, after a change that must survive a kill. */
void lac_run_cadence_hasten_checkpoint(LacRunCadence *cadence, gint64 now_ns);

G_END_DECLS
