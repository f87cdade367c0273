/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results required of the differentiable solver on small grids: coefficients from distant guesses, the initial state
 * of a chaotic flow over successive windows, a conductivity field. */
#include "physics/helpers/finished-run.h"

#include <glib.h>

#include <math.h>

typedef struct {
  const char *experiment, *settings; /* key=value, separated by spaces */
  const char *key;                   /* key of the metric */
  double      value, tolerance;
} Found;

static const Found founds[] = {
  {"heat2d", "grid=24 times=20 diffusivity_unknown=yes diffusivity_guess=2 iterations=50",
   "solver.diffusivity", 1, 1e-3},
  {"heat1d", "grid=48 times=20 diffusivity_unknown=yes diffusivity_guess=2 iterations=50",
   "solver.diffusivity", 0.1, 1e-4},
  {"burgers2d", "grid=32 times=20 viscosity_unknown=yes viscosity_guess=0.05 iterations=50",
   "solver.viscosity", 0.1, 1e-4},
  {"smoke", "grid=32 observations=30 iterations=30", "solver.viscosity", 0.02, 2e-4},
  {"smoke", "grid=32 observations=30 iterations=30", "solver.buoyancy", 1, 1e-2},
};

/* Noise 0.1 %: found within 1e-3, or 1 % if two are unknown. */
static void
test_coefficients(void)
{
  for (gsize i = 0; i < G_N_ELEMENTS(founds); i++) {
    g_autofree char  *settings = g_strdup_printf("%s engines=solver noise=0.1", founds[i].settings);
    const char *const keys[] = {founds[i].key, NULL};
    double            value;

    finished_run(founds[i].experiment, settings, keys, &value);
    g_test_message("%s, %s: %.8g", founds[i].experiment, founds[i].key, value);
    g_assert_cmpfloat(fabs(value - founds[i].value), <=, founds[i].tolerance);
  }
}

/* Noise 1 %: after the windows the whole field is known, unlike with the static reconstruction from the same values. */
static void
test_windows(void)
{
  static const char settings[] =
    "grid=24 reynolds=25 sensors=8 snapshots=200 observations=60 interval=0.3 time_step=0.05 "
    "spin_up=30 engines=solver,pod window=20 iterations=25";
  static const char *const keys[] = {"solver.fluctuation_relative_l2",
                                     "pod.fluctuation_relative_l2", NULL};
  double                   found[2];

  finished_run("kolmogorov", settings, keys, found);
  g_test_message("windows %g, static %g", found[0], found[1]);
  g_assert_cmpfloat(found[0], <, 0.05);
  g_assert_cmpfloat(found[1], >, 0.5);
}

/* The plate's conductivity varies by 30 %: cooling measured by thermometers determines it to 5 %, and time series
 * carry more information than the static reconstruction from the same values. */
static void
test_field(void)
{
  static const char settings[] =
    "grid=16 family=40 sensors=12 observations=12 time_step=0.004 engines=solver,pod iterations=40";
  static const char *const keys[] = {"solver.k_relative_l2", "pod.k_relative_l2", NULL};
  double                   found[2];

  finished_run("conductivity", settings, keys, found);
  g_test_message("conductivity %g, static %g", found[0], found[1]);
  g_assert_cmpfloat(found[0], <, 0.05);
  g_assert_cmpfloat(found[1], >, 2 * found[0]);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/physics/inversion/coefficients-are-found", test_coefficients);
  g_test_add_func("/physics/inversion/windows-find-a-chaotic-flow", test_windows);
  g_test_add_func("/physics/inversion/a-field-that-stands-still-is-found", test_field);
  return g_test_run();
}
