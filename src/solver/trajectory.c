/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Multi-level checkpointing: a level divides its steps evenly among its slots, the last level stores every state. */
#include "solver/trajectory.h"

#include <string.h>

#define SLOTS  24
#define LEVELS 4

struct _LacTrajectory {
  gsize   length;
  double *slots; /* [LEVELS][SLOTS][length] */
};

/* Constants of the recursion. */
typedef struct {
  LacTrajectory            *trajectory;
  const LacTrajectoryFuncs *funcs;
  gpointer                  user_data;
  double                   *bar;
} Walk;

LacTrajectory *
lac_trajectory_new(gsize length)
{
  LacTrajectory *trajectory = g_new0(LacTrajectory, 1);

  trajectory->length = length;
  trajectory->slots = g_new(double, LEVELS *SLOTS *length);
  return trajectory;
}

void
lac_trajectory_free(LacTrajectory *trajectory)
{
  if (!trajectory)
    return;
  g_free(trajectory->slots);
  g_free(trajectory);
}

gsize
lac_trajectory_get_bytes(const LacTrajectory *trajectory)
{
  return LEVELS * SLOTS * trajectory->length * sizeof(double);
}

static LacStatus
reverse_range(const Walk *walk, guint level, const double *state, gsize n_steps)
{
  const gsize length = walk->trajectory->length;
  const gsize interval = (n_steps + SLOTS - 1) / SLOTS;
  const gsize n_slots = (n_steps + interval - 1) / interval;
  double     *slots = walk->trajectory->slots + level * SLOTS * length;
  LacStatus   status = LAC_STATUS_OK;

  memcpy(slots, state, length * sizeof *slots);
  for (gsize i = 1; i < n_slots; i++) {
    memcpy(slots + i * length, slots + (i - 1) * length, length * sizeof *slots);
    for (gsize k = 0; k < interval && status == LAC_STATUS_OK; k++)
      status = walk->funcs->step(walk->user_data, slots + i * length);
  }
  for (gsize i = n_slots; i-- > 0 && status == LAC_STATUS_OK;) {
    const double *before = slots + i * length;

    status = interval == 1
               ? walk->funcs->reverse_step(walk->user_data, before, walk->bar)
               : reverse_range(walk, level + 1, before, MIN(interval, n_steps - i * interval));
  }
  return status;
}

LacStatus
lac_trajectory_reverse(LacTrajectory            *trajectory,
                       const LacTrajectoryFuncs *funcs,
                       gpointer                  user_data,
                       const double             *state,
                       gsize                     n_steps,
                       double                   *bar)
{
  const Walk walk = {trajectory, funcs, user_data, bar};

  g_return_val_if_fail(n_steps <= LAC_TRAJECTORY_LONGEST, LAC_STATUS_UNSUPPORTED);
  return n_steps > 0 ? reverse_range(&walk, 0, state, n_steps) : LAC_STATUS_OK;
}
