/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkpointing: the reverse pass visits the same states as the forward pass, bit by bit. */
#include "solver/trajectory.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define LENGTH 3

typedef struct {
  double *met;     /* [n_steps][LENGTH]: states in forward order */
  gsize   n_steps; /* steps still to reverse */
} Path;

/* A map whose steps do not commute and lose no information: a rotation with a nonlinearity. */
static void
step(double *state)
{
  const double x = state[0], y = state[1];

  state[0] = 0.8 * x - 0.6 * y + 0.1 * sin(state[2]);
  state[1] = 0.6 * x + 0.8 * y;
  state[2] += 0.3 * x;
}

static LacStatus
advance(gpointer user_data G_GNUC_UNUSED, double *to, const double *from, gsize n_steps)
{
  memcpy(to, from, LENGTH * sizeof *to);
  for (gsize k = 0; k < n_steps; k++)
    step(to);
  return LAC_STATUS_OK;
}

static LacStatus
reverse_step(gpointer user_data, const double *before, double *bar)
{
  Path *path = user_data;

  path->n_steps--;
  memcpy(path->met + path->n_steps * LENGTH, before, LENGTH * sizeof *before);
  for (gsize i = 0; i < LENGTH; i++)
    bar[i] = 0.9 * bar[i] + before[i] * bar[(i + 1) % LENGTH];
  return LAC_STATUS_OK;
}

static void
check(double *slots, gsize n_steps)
{
  static const LacTrajectoryFuncs funcs = {advance, reverse_step};
  const double                    first[LENGTH] = {1, 0.5, -0.2};
  g_autofree double              *kept = g_new(double, (n_steps + 1) * LENGTH);
  g_autofree double              *met = g_new0(double, (n_steps + 1) * LENGTH);
  double                          bar[LENGTH] = {0.3, 1, -1}, all_kept[LENGTH] = {0.3, 1, -1};
  Path                            path = {met, n_steps}, plain = {met, n_steps};

  memcpy(kept, first, sizeof first);
  for (gsize i = 0; i < n_steps; i++) {
    memcpy(kept + (i + 1) * LENGTH, kept + i * LENGTH, sizeof first);
    step(kept + (i + 1) * LENGTH);
  }
  const LacTrajectory trajectory = {&funcs, &path, slots, LENGTH};
  g_assert_cmpint(lac_trajectory_reverse(&trajectory, first, n_steps, bar), ==, LAC_STATUS_OK);
  g_assert_cmpuint(path.n_steps, ==, 0);
  g_assert_cmpmem(met, n_steps * sizeof first, kept, n_steps * sizeof first);
  for (gsize i = n_steps; i-- > 0;)
    reverse_step(&plain, kept + i * LENGTH, all_kept);
  g_assert_cmpmem(bar, sizeof bar, all_kept, sizeof all_kept);
}

/* Step counts around each power of the slots, where another level is needed. */
static void
test_bits(void)
{
  static const gsize longer[] = {47, 48, 49, 575, 576, 577, 1000, 13824, 13825, 20011};
  g_autofree double *slots = g_new(double, LAC_TRAJECTORY_SLOTS *LENGTH);

  for (gsize n_steps = 0; n_steps <= 40; n_steps++)
    check(slots, n_steps);
  for (gsize i = 0; i < G_N_ELEMENTS(longer); i++)
    check(slots, longer[i]);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/solver/trajectory/checkpoints-change-no-bit", test_bits);
  return g_test_run();
}
