/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of checkpoints and other periodic tasks. */
#include "run/core/cadence.h"

#define SECOND_NS                  G_GINT64_CONSTANT(1000000000)
#define DEFAULT_CHECKPOINT_SECONDS 10.0
#define CHECKPOINT_SHARE           20 /* a checkpoint takes at most a 20th of the time */

static const gint64 intervals_ns[LAC_N_RUN_DUTIES] = {
  [LAC_RUN_DUTY_PUBLISH] = SECOND_NS / 50,
  [LAC_RUN_DUTY_ROOM] = 2 * SECOND_NS,
  [LAC_RUN_DUTY_FLUSH] = SECOND_NS,
};

static gint64
get_checkpoint_ns(const LacRunCadence *cadence)
{
  return (gint64) (cadence->checkpoint_seconds * (double) SECOND_NS);
}

void
lac_run_cadence_init(LacRunCadence *cadence, double checkpoint_seconds)
{
  *cadence = (LacRunCadence){
    .checkpoint_seconds = checkpoint_seconds > 0 ? checkpoint_seconds : DEFAULT_CHECKPOINT_SECONDS,
  };
}

void
lac_run_cadence_begin(LacRunCadence *cadence, gint64 now_ns)
{
  cadence->next_checkpoint_ns = now_ns + get_checkpoint_ns(cadence);
}

gboolean
lac_run_cadence_take(LacRunCadence *cadence, LacRunDuty duty, gint64 now_ns)
{
  if (now_ns < cadence->next_ns[duty])
    return FALSE;
  cadence->next_ns[duty] = now_ns + intervals_ns[duty];
  return TRUE;
}

gboolean
lac_run_cadence_is_checkpoint_due(const LacRunCadence *cadence, gint64 now_ns)
{
  return now_ns >= cadence->next_checkpoint_ns;
}

void
lac_run_cadence_end_checkpoint(LacRunCadence *cadence, gint64 begin_ns, gint64 end_ns)
{
  cadence->next_checkpoint_ns =
    end_ns + MAX(get_checkpoint_ns(cadence), CHECKPOINT_SHARE * (end_ns - begin_ns));
  cadence->next_ns[LAC_RUN_DUTY_FLUSH] = end_ns + intervals_ns[LAC_RUN_DUTY_FLUSH];
}

void
lac_run_cadence_hasten_checkpoint(LacRunCadence *cadence, gint64 now_ns)
{
  cadence->next_checkpoint_ns = MIN(cadence->next_checkpoint_ns, now_ns + SECOND_NS);
}
