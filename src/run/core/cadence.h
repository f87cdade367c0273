/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of what a run does beside its steps: checkpoints, flushing the journal, handing records over, watching the disk. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_RUN_DUTY_PUBLISH, /* every 50th of a second */
  LAC_RUN_DUTY_ROOM,    /* every 2 s */
  LAC_RUN_DUTY_FLUSH,   /* every second, and not just after a checkpoint */
  LAC_N_RUN_DUTIES,
} LacRunDuty;

typedef struct {
  double
    checkpoint_seconds; /* between the end of one and the next, where it takes at most a 20th of that */
  gint64 next_checkpoint_ns, next_ns[LAC_N_RUN_DUTIES];
} LacRunCadence;

/* @checkpoint_seconds: 0: the default, 10 s */
void lac_run_cadence_init(LacRunCadence *cadence, double checkpoint_seconds);
/* The first checkpoint comes after an interval, everything else is due at once. */
void lac_run_cadence_begin(LacRunCadence *cadence, gint64 now_ns);

/* Returns TRUE, and begins the next interval, when @duty is due. */
gboolean lac_run_cadence_take(LacRunCadence *cadence, LacRunDuty duty, gint64 now_ns);

gboolean lac_run_cadence_is_checkpoint_due(const LacRunCadence *cadence, gint64 now_ns);
/* A checkpoint was begun and has ended. */
void lac_run_cadence_end_checkpoint(LacRunCadence *cadence, gint64 begin_ns, gint64 end_ns);
/* Something changed that a kill should not undo: the next checkpoint comes within a second. */
void lac_run_cadence_hasten_checkpoint(LacRunCadence *cadence, gint64 now_ns);

G_END_DECLS
