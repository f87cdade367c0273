/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of the estimates. */
#include "run/plan/cost.h"

#include "run/core/budget.h"

static void
add_run(const LacRunSettings *settings, const LacDraft *draft, guint64 frames, LacCost *cost)
{
  LacEstimate one = {0};

  settings->experiment->estimate(settings->experiment, lac_draft_get_values(draft), &one);
  const gint64 n_steps = MAX(one.n_steps, 0);
  cost->n_runs++;
  cost->n_steps += n_steps;
  cost->seconds += lac_estimate_seconds(&one, settings->threads);
  cost->disk_bytes += MIN(one.frame_bytes * (double) n_steps, (double) frames);
  cost->memory_bytes = MAX(cost->memory_bytes, one.memory_bytes);
  cost->device_bytes = MAX(cost->device_bytes, one.device_bytes);
}

void
lac_cost_add_up(const LacRunSettings *settings, const LacSweep *sweep, LacCost *cost)
{
  const guint64 budget =
    settings->disk_budget_bytes != 0 ? settings->disk_budget_bytes : LAC_DISK_BUDGET_DEFAULT;
  const guint64 frames = lac_disk_shares(budget, LAC_FRAME_BUDGET_DEFAULT).frames;
  const gsize   n = sweep != NULL ? lac_sweep_get_n(sweep) : 1;

  *cost = (LacCost){0};
  for (gsize i = 0; i < n; i++) {
    g_autoptr(LacDraft) draft = lac_draft_copy(settings->draft);
    if (sweep == NULL || lac_sweep_apply(sweep, i, draft, NULL))
      add_run(settings, draft, frames, cost);
  }
}
