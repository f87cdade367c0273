/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Three acceptance criteria, each on a suitable flow: a small residual of the equation, a reconstruction within 15 %,
 * and sensor placement more than 30 % better than random positions. */
#include "physics/helpers/finished-run.h"

/* A fully trained network satisfies the equation. */
static void
test_residual(void)
{
  static const char *const keys[] = {"pinn.residual", "pinn.relative_l2", NULL};
  double                   found[2];

  finished_run("heat1d",
               "engines=pinn grid=32 times=8 family=0 sensors=0 diffusivity_unknown=no points=400 "
               "width=16 depth=2 adam_steps=200 quasi_steps=600",
               keys, found);
  g_test_message("residual %g, error %g", found[0], found[1]);
  g_assert_cmpfloat(found[0], <, 1e-3);
  g_assert_cmpfloat(found[1], <, 0.15);
}

/* A wake has few modes and much noise: placement matters. */
static void
test_places(void)
{
  static const char *const keys[] = {"pod.fluctuation_relative_l2", "placement_gain", NULL};
  double                   found[2];

  finished_run("cylinder",
               "reynolds=80 diameter=10 breadth=8 snapshots=120 observations=40 spin_up=60", keys,
               found);
  g_test_message("error %g, gain %g", found[0], found[1]);
  g_assert_cmpfloat(found[0], <, 0.15);
  g_assert_cmpfloat(found[1], >, 0.3);
}

/* On a chaotic flow without drag the gain is smaller: the program reports it without claiming more. */
static void
test_chaos(void)
{
  static const char *const keys[] = {"enkf.fluctuation_relative_l2", "placement_gain", NULL};
  double                   found[2];

  finished_run("kolmogorov",
               "grid=32 reynolds=40 snapshots=250 observations=90 members=32 spin_up=30", keys,
               found);
  g_test_message("error %g, gain %g", found[0], found[1]);
  g_assert_cmpfloat(found[0], <, 0.15);
  g_assert_cmpfloat(found[1], >, 0);
  g_assert_cmpfloat(found[1], <, 0.3);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/physics/gates/a-trained-network-keeps-the-equation", test_residual);
  g_test_add_func("/physics/gates/chosen-places-of-a-wake-beat-random-ones", test_places);
  g_test_add_func("/physics/gates/chaos-is-reconstructed-and-gains-less-by-places", test_chaos);
  return g_test_run();
}
