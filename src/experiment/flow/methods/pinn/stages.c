/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress through iterations and stages. */
#include "experiment/flow/methods/pinn/stages.h"

#include <math.h>

gint64
lac_pinn_stages_get_n_steps(const LacPinnStages *stages)
{
  gint64 n = 0;

  for (guint i = 0; i < stages->n_stages; i++)
    n += stages->list[i].n_steps;
  return n;
}

/* Enters the first stage from @stage on that has iterations. */
static void
enter(LacPinnProgress *progress, const LacPinnStages *stages, gint64 stage)
{
  while (stage < stages->n_stages && stages->list[stage].n_steps == 0)
    stage++;
  progress->stage = MIN(stage, (gint64) stages->n_stages - 1);
  progress->finished = stage >= stages->n_stages;
  progress->done = progress->best_at = 0;
  progress->best = INFINITY;
}

void
lac_pinn_progress_init(LacPinnProgress *progress, const LacPinnStages *stages)
{
  *progress = (LacPinnProgress){0};
  enter(progress, stages, 0);
}

gboolean
lac_pinn_progress_advance(LacPinnProgress *progress, const LacPinnStages *stages, double loss)
{
  progress->iteration++;
  progress->done++;
  if (loss < 0.99 * progress->best) {
    progress->best = loss;
    progress->best_at = progress->done;
  }
  if (loss < stages->target) {
    progress->finished = 1;
    return FALSE;
  }
  if (progress->done < stages->list[progress->stage].n_steps &&
      (stages->patience == 0 || progress->done - progress->best_at < stages->patience))
    return FALSE;
  enter(progress, stages, progress->stage + 1);
  return !progress->finished;
}
