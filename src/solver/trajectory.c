/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Multi-level checkpointing: a level divides its steps evenly among its slots, the last level stores every state. */
#include "solver/trajectory.h"

#define SLOTS  24
#define LEVELS 4

static LacStatus
reverse_range(const LacTrajectory *trajectory,
              guint                level,
              const double        *state,
              gsize                n_steps,
              double              *bar)
{
  const LacTrajectoryFuncs *funcs = trajectory->funcs;
  const gsize               length = trajectory->length;
  const gsize               interval = (n_steps + SLOTS - 1) / SLOTS;
  const gsize               n_slots = (n_steps + interval - 1) / interval;
  double                   *slots = trajectory->slots + level * SLOTS * length;
  LacStatus                 status = funcs->advance(trajectory->user_data, slots, state, 0);

  for (gsize i = 1; i < n_slots && status == LAC_STATUS_OK; i++)
    status =
      funcs->advance(trajectory->user_data, slots + i * length, slots + (i - 1) * length, interval);
  for (gsize i = n_slots; i-- > 0 && status == LAC_STATUS_OK;) {
    const double *before = slots + i * length;

    status = interval == 1 ? funcs->reverse_step(trajectory->user_data, before, bar)
                           : reverse_range(trajectory, level + 1, before,
                                           MIN(interval, n_steps - i * interval), bar);
  }
  return status;
}

LacStatus
lac_trajectory_reverse(const LacTrajectory *trajectory,
                       const double        *state,
                       gsize                n_steps,
                       double              *bar)
{
  G_STATIC_ASSERT(LAC_TRAJECTORY_SLOTS == LEVELS * SLOTS);
  g_return_val_if_fail(n_steps <= LAC_TRAJECTORY_LONGEST, LAC_STATUS_UNSUPPORTED);
  return n_steps > 0 ? reverse_range(trajectory, 0, state, n_steps, bar) : LAC_STATUS_OK;
}
