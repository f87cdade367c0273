/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Radial distributions, energy distributions and the exact cusp, compared with closed forms. */
#include "experiment/quantum/helpers/hydrogenic.h"
#include "experiment/quantum/molecules.h"
#include "experiment/quantum/observables/distributions.h"

#include <math.h>

enum { N_WALKERS = 40000 };

static LacPlane
make_plane(gsize nx, gsize ny)
{
  return (LacPlane){.nx = nx, .ny = ny, .data = g_new0(float, nx *ny)};
}

static LacDistributions *
make(const LacMolecule *molecule)
{
  const LacDistributionSettings settings = lac_distribution_settings(molecule, -2.9, 5, 4);

  return lac_distributions_new(molecule, &settings, N_WALKERS);
}

/* Two electrons in exp(-2 z r): 8 z^3 r^2 exp(-2 z r), averaged over a shell by its integral; the errors are those of
 * counts. */
static void
test_radial(void)
{
  const double                z = 1.6, centre[3] = {0, 0, 0};
  g_autoptr(LacMolecule)      molecule = lac_known_molecule_make(lac_known_molecule_find("he"), 0);
  g_autoptr(LacDistributions) he = make(molecule);
  g_autofree double          *positions = g_new(double, 6 * N_WALKERS);
  LacPlane                    plane = make_plane(LAC_DISTRIBUTION_RADII, 2);
  LacRng                      rng = lac_rng(7, 1);
  gsize                       n_far = 0;
  double                      sum = 0;

  for (gsize i = 0; i < 2 * N_WALKERS; i++)
    hydrogenic_draw(&rng, z, centre, positions + 3 * i);
  lac_distributions_look(he, positions, N_WALKERS);
  lac_distributions_fill_radial(he, &plane);
  const double width = plane.x_max / ((double) plane.nx - 0.5);
  for (gsize i = 0; i < plane.nx; i++) {
    double within[2];

    for (gsize k = 0; k < 2; k++) {
      const double x = 2 * z * width * (double) (i + k);
      within[k] = 2 * (1 - exp(-x) * (1 + x + x * x / 2));
    }
    const double exact = (within[1] - within[0]) / width;
    const double error = sqrt(exact / (width * N_WALKERS));

    n_far += fabs((double) plane.data[i] - exact) > 4 * error + 1e-6;
    sum += (double) plane.data[i] * width;
    if (exact > 0.1)
      g_assert_cmpfloat_with_epsilon((double) plane.data[plane.nx + i], error, 0.1 * error);
  }
  g_assert_cmpuint(n_far, ==, 0);
  g_assert_cmpfloat_with_epsilon(sum, 2, 1e-3);
  g_free(plane.data);
}

/* One row per element, not one per nucleus. */
static void
test_elements(void)
{
  g_autoptr(LacMolecule) molecule = lac_known_molecule_make(lac_known_molecule_find("h2o"), 0);
  guint                  elements[LAC_N_ELEMENTS];

  g_assert_cmpuint(lac_distribution_elements(molecule, elements), ==, 2);
  g_assert_cmpuint(elements[0] + elements[1], ==, 9);
}

/* All walkers are counted once; outliers are separate, and those beyond the axis count at its ends. */
static void
test_energies(void)
{
  g_autoptr(LacMolecule)      molecule = lac_known_molecule_make(lac_known_molecule_find("he"), 0);
  g_autoptr(LacDistributions) he = make(molecule);
  LacPlane                    plane = make_plane(LAC_DISTRIBUTION_ENERGIES, 2);
  double                      energies[1000], sums[2] = {0};

  for (gsize i = 0; i < 1000; i++)
    energies[i] = -2.9 + 0.1 * sin((double) i);
  energies[10] = -100;
  energies[20] = 100;
  energies[30] = -1.2;
  energies[40] = NAN;
  lac_distributions_add_energies(he, energies, G_N_ELEMENTS(energies));
  lac_distributions_fill_energies(he, &plane);
  const double width = (plane.x_max - plane.x_min) / (double) (plane.nx - 1);
  for (gsize i = 0; i < 2 * plane.nx; i++)
    if (isfinite(plane.data[i]))
      sums[i / plane.nx] += (double) plane.data[i] * width;
  g_assert_cmpfloat_with_epsilon(sums[0], 996.0 / 999, 1e-5);
  g_assert_cmpfloat_with_epsilon(sums[1], 3.0 / 999, 1e-5);
  g_assert_true(isfinite(plane.data[plane.nx]) && isfinite(plane.data[2 * plane.nx - 1]));
  g_free(plane.data);
}

/* For any pairs, the reference curve starts at contact with Kato's slope: its logarithm minus r is even in r. */
static void
test_cusp(void)
{
  const double           z = 0.8, centre[3] = {0, 0, 0};
  g_autoptr(LacMolecule) molecule = lac_known_molecule_make(lac_known_molecule_find("h2"), 0);
  g_autoptr(LacPairCorrelation) pairs =
    lac_pair_correlation_new(molecule, LAC_PAIR_REACH, LAC_PAIR_BINS);
  g_autofree double *positions = g_new(double, 6 * N_WALKERS);
  LacRng             rng = lac_rng(11, 1);
  LacPlane           plane = make_plane(LAC_DISTRIBUTION_DISTANCES, 4);
  double             even[3], square[3];

  g_assert_cmpuint(lac_distribution_pair_rows(molecule), ==, 2);
  for (gsize i = 0; i < 2 * N_WALKERS; i++)
    hydrogenic_draw(&rng, z, centre, positions + 3 * i);
  lac_pair_correlation_add(pairs, positions, N_WALKERS);
  lac_distribution_fill_pairs(pairs, molecule, &plane);
  for (gsize k = 0; k < 3; k++) {
    const gsize  i = 1 + 5 * k;
    const double r = ((double) i + 0.5) * LAC_PAIR_REACH / LAC_DISTRIBUTION_DISTANCES;

    even[k] = log((double) plane.data[plane.nx + i]) - r;
    square[k] = r * r;
  }
  g_assert_cmpfloat_with_epsilon((even[1] - even[0]) / (square[1] - square[0]),
                                 (even[2] - even[0]) / (square[2] - square[0]), 1e-4);
  g_assert_true(isnan(plane.data[2 * plane.nx - 1]));
  g_free(plane.data);
}

/* A saved and restored object continues bitwise the same; faded counts are gone. */
static void
test_return(void)
{
  g_autoptr(LacMolecule)      molecule = lac_known_molecule_make(lac_known_molecule_find("h2o"), 0);
  g_autoptr(LacDistributions) first = make(molecule), second = make(molecule);
  g_autofree double *state = g_new(double, lac_packing_get_length(lac_distributions_pack, first));
  LacPlane           planes[2] = {make_plane(LAC_DISTRIBUTION_RADII, 4),
                                  make_plane(LAC_DISTRIBUTION_RADII, 4)};
  double             walker[30];

  for (gsize i = 0; i < 30; i++)
    walker[i] = cos((double) i);
  lac_distributions_look(first, walker, 1);
  lac_packing_save(lac_distributions_pack, first, state);
  lac_packing_load(lac_distributions_pack, second, state);
  lac_distributions_fade(first, 0.5);
  lac_distributions_fade(second, 0.5);
  lac_distributions_fill_radial(first, &planes[0]);
  lac_distributions_fill_radial(second, &planes[1]);
  g_assert_cmpmem(planes[0].data, 4 * LAC_DISTRIBUTION_RADII * sizeof(float), planes[1].data,
                  4 * LAC_DISTRIBUTION_RADII * sizeof(float));
  lac_distributions_fade(second, 0);
  lac_distributions_fill_radial(second, &planes[1]);
  for (gsize i = 0; i < 4 * LAC_DISTRIBUTION_RADII; i++)
    g_assert_cmpfloat((double) planes[1].data[i], ==, 0);
  g_free(planes[0].data);
  g_free(planes[1].data);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/quantum/distributions/radial-density-of-a-known-orbital", test_radial);
  g_test_add_func("/quantum/distributions/one-curve-an-element", test_elements);
  g_test_add_func("/quantum/distributions/every-walker-is-counted-once", test_energies);
  g_test_add_func("/quantum/distributions/exact-cusp-at-contact", test_cusp);
  g_test_add_func("/quantum/distributions/fade-and-return", test_return);
  return g_test_run();
}
