/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From iteration to iteration and from stage to stage. */
#include "experiment/flow/engines/pinn/schedule.h"

#include <math.h>

gint64
lac_pinn_schedule_get_n_steps(const LacPinnSchedule *schedule)
{
  gint64 n = 0;

  for (guint i = 0; i < schedule->n_stages; i++)
    n += schedule->stages[i].n_steps;
  return n;
}

/* Goes to the first stage from @stage on that has anything to do. */
static void
enter(LacPinnProgress *progress, const LacPinnSchedule *schedule, gint64 stage)
{
  while (stage < schedule->n_stages && schedule->stages[stage].n_steps == 0)
    stage++;
  progress->stage = MIN(stage, (gint64) schedule->n_stages - 1);
  progress->finished = stage >= schedule->n_stages;
  progress->done = progress->best_at = 0;
  progress->best = INFINITY;
}

void
lac_pinn_progress_init(LacPinnProgress *progress, const LacPinnSchedule *schedule)
{
  *progress = (LacPinnProgress){0};
  enter(progress, schedule, 0);
}

gboolean
lac_pinn_progress_advance(LacPinnProgress *progress, const LacPinnSchedule *schedule, double loss)
{
  progress->iteration++;
  progress->done++;
  if (loss < 0.99 * progress->best) {
    progress->best = loss;
    progress->best_at = progress->done;
  }
  if (loss < schedule->target) {
    progress->finished = 1;
    return FALSE;
  }
  if (progress->done < schedule->stages[progress->stage].n_steps &&
      (schedule->patience == 0 || progress->done - progress->best_at < schedule->patience))
    return FALSE;
  enter(progress, schedule, progress->stage + 1);
  return !progress->finished;
}
