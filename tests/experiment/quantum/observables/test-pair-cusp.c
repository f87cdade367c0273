/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pair cusp and potential from the gradient of log |psi|, for two electrons in closed form. */
#include "experiment/quantum/helpers/hydrogenic.h"
#include "experiment/quantum/molecules.h"
#include "experiment/quantum/observables/pair-cusp.h"
#include "experiment/quantum/sampling/local-energy.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define Z 1.7 /* of the orbitals */

enum { BATCHES = 256, WALKERS = 128 };

static const double origin[3] = {0, 0, 0};

/* Samples psi = exp(-Z (r_1 + r_2) + cusp r_12 / (2 + 2 r_12)) by rejection: the second exponent is between 0 and
 * cusp / 2. */
static void
draw_pair(LacRng *rng, double cusp, double *at, double *gradient)
{
  double offset[3], square, r, pull;

  do {
    square = 0;
    for (guint i = 0; i < 2; i++)
      hydrogenic_draw(rng, Z, origin, at + 3 * i);
    for (guint k = 0; k < 3; k++) {
      offset[k] = at[k] - at[3 + k];
      square += offset[k] * offset[k];
    }
    r = sqrt(square);
  } while (lac_rng_uniform(rng) > exp(cusp * r / (1 + r) - cusp));
  pull = cusp / (2 * (1 + r) * (1 + r));
  for (guint i = 0; i < 2; i++) {
    const double *here = at + 3 * i;
    const double  distance = sqrt(here[0] * here[0] + here[1] * here[1] + here[2] * here[2]);

    for (guint k = 0; k < 3; k++)
      gradient[3 * i + k] = -Z * here[k] / distance + (i ? -pull : pull) * offset[k] / r;
  }
}

static LacObserved
find_cusp(double cusp, guint64 seed)
{
  g_autoptr(LacMolecule) helium = lac_known_molecule_make(lac_known_molecule_find("he"), 0);
  g_autoptr(LacPairCusp) pairs = lac_pair_cusp_new(helium, 0.75 / 2, BATCHES);
  LacRng                 rng = lac_rng(seed, 4);

  for (guint t = 0; t < BATCHES; t++) {
    double positions[6 * WALKERS], gradients[6 * WALKERS];

    for (guint b = 0; b < WALKERS; b++)
      draw_pair(&rng, cusp, positions + 6 * b, gradients + 6 * b);
    lac_pair_cusp_add(pairs, positions, gradients, WALKERS);
  }
  return lac_pair_cusp_find(pairs);
}

/* In ten trials of each the squares of (found - true) / error sum to 20 on average, to more than 45 once in a
 * thousand. */
static void
test_cusp(void)
{
  static const double cusps[] = {0, 1};
  double              squares = 0;

  for (guint64 seed = 0; seed < 20; seed++) {
    const double      truth = cusps[seed % 2];
    const LacObserved found = find_cusp(truth, seed);

    g_assert_cmpfloat(found.error, <, 0.2);
    squares += pow((found.value - truth) / found.error, 2);
  }
  g_assert_cmpfloat(squares, <, 45);
  g_assert_cmpfloat(squares, >, 5);
}

static void
test_few_pairs(void)
{
  g_autoptr(LacMolecule) helium = lac_known_molecule_make(lac_known_molecule_find("he"), 0);
  g_autoptr(LacPairCusp) pairs = lac_pair_cusp_new(helium, 1, 4);
  const double           apart[6] = {2, 0, 0, -2, 0, 0}, slope[6] = {-1, 0, 0, 1, 0, 0};
  const double           met[6] = {0.5, 0, 0, 0.5, 0, 0};

  lac_pair_cusp_add(pairs, apart, slope, 1);
  lac_pair_cusp_add(pairs, met, slope, 1);
  g_assert_true(isnan(lac_pair_cusp_find(pairs).value));
  g_assert_true(isnan(lac_pair_cusp_find(pairs).error));
}

static void
test_resume(void)
{
  g_autoptr(LacMolecule) helium = lac_known_molecule_make(lac_known_molecule_find("he"), 0);
  g_autoptr(LacPairCusp) through = lac_pair_cusp_new(helium, 1, 64);
  g_autoptr(LacPairCusp) resumed = lac_pair_cusp_new(helium, 1, 64);
  g_autofree double     *state = g_new(double, lac_packing_get_length(lac_pair_cusp_pack, through));
  LacRng                 rng = lac_rng(5, 4);

  for (guint t = 0; t < 64; t++) {
    double positions[6 * 16], gradients[6 * 16];

    for (guint b = 0; b < 16; b++)
      draw_pair(&rng, 1, positions + 6 * b, gradients + 6 * b);
    if (t == 20) {
      lac_packing_save(lac_pair_cusp_pack, through, state);
      lac_packing_load(lac_pair_cusp_pack, resumed, state);
    }
    lac_pair_cusp_add(through, positions, gradients, 16);
    if (t >= 20)
      lac_pair_cusp_add(resumed, positions, gradients, 16);
  }
  g_assert_cmpfloat(lac_pair_cusp_find(resumed).value, ==, lac_pair_cusp_find(through).value);
  g_assert_cmpfloat(lac_pair_cusp_find(resumed).error, ==, lac_pair_cusp_find(through).error);
}

/* Mean difference between the bare form and the smooth one with its variance, and the spread of both. */
static void
test_smooth_potential(void)
{
  g_autoptr(LacMolecule) helium = lac_known_molecule_make(lac_known_molecule_find("he"), 0);
  const gsize            n = 40000;
  LacRng                 rng = lac_rng(6, 4);
  double                 sums[2][2] = {{0}}, squares[2][2] = {{0}};

  for (gsize b = 0; b < n; b++) {
    double at[6], gradient[6], bare[2], smooth[2];

    draw_pair(&rng, 1, at, gradient);
    lac_local_energy_potential(helium, at, &bare[0], &bare[1]);
    lac_local_energy_smooth(helium, at, gradient, &smooth[0], &smooth[1]);
    for (guint k = 0; k < 2; k++) {
      const double said[2] = {bare[k] - smooth[k], smooth[k]};

      for (guint i = 0; i < 2; i++) {
        sums[k][i] += said[i] / (double) n;
        squares[k][i] += said[i] * said[i] / (double) n;
      }
    }
  }
  for (guint k = 0; k < 2; k++) {
    const double between = squares[k][0] - sums[k][0] * sums[k][0];
    const double smooth = squares[k][1] - sums[k][1] * sums[k][1];

    g_assert_cmpfloat(fabs(sums[k][0]), <, 4.5 * sqrt(between / (double) n));
    g_assert_cmpfloat(smooth, <, 0.5 * between);
  }
}

/* psi is exact: zero variance. */
static void
test_smooth_hydrogen(void)
{
  const LacNucleus       nucleus = {3, {0.1, -0.2, 0.3}};
  g_autoptr(LacMolecule) ion = lac_molecule_new("Li2+", 1, &nucleus, 1, 0);
  LacRng                 rng = lac_rng(7, 4);

  for (guint b = 0; b < 100; b++) {
    double at[3], gradient[3], attraction, repulsion, distance = 0;

    hydrogenic_draw(&rng, 3, nucleus.position, at);
    for (guint k = 0; k < 3; k++)
      distance += pow(at[k] - nucleus.position[k], 2);
    for (guint k = 0; k < 3; k++)
      gradient[k] = -3 * (at[k] - nucleus.position[k]) / sqrt(distance);
    lac_local_energy_smooth(ion, at, gradient, &attraction, &repulsion);
    g_assert_cmpfloat_with_epsilon(attraction, -9, 1e-12);
    g_assert_cmpfloat(repulsion, ==, 0);
  }
}

int
main(int argc, char *argv[])
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/quantum/pair-cusp/errors-cover-what-they-promise", test_cusp);
  g_test_add_func("/quantum/pair-cusp/too-few-pairs-say-nothing", test_few_pairs);
  g_test_add_func("/quantum/pair-cusp/a-resumed-series-is-the-same", test_resume);
  g_test_add_func("/quantum/smooth-potential/has-the-mean-of-the-bare-one", test_smooth_potential);
  g_test_add_func("/quantum/smooth-potential/of-an-exact-psi-is-constant", test_smooth_hydrogen);
  return g_test_run();
}
