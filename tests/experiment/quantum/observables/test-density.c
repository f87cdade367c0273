/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Densities and distances of electrons in hydrogenic orbitals, compared with closed forms. */
#include "experiment/quantum/helpers/hydrogenic.h"
#include "experiment/quantum/molecules.h"
#include "experiment/quantum/observables/density.h"
#include "experiment/quantum/observables/pair-correlation.h"

#include <glib.h>

#include <math.h>
#include <string.h>

static const double origin[3] = {0, 0, 0};

/* Returns samples of independent electrons: [n][N][3]. */
static double *
draw(gsize n, double z, guint64 seed)
{
  LacRng  rng = lac_rng(seed, 2);
  double *positions = g_new(double, 3 * n);

  for (gsize i = 0; i < n; i++)
    hydrogenic_draw(&rng, z, origin, positions + 3 * i);
  return positions;
}

static LacDensity *
measure(const char *name, double margin, gsize side, const double *positions, gsize n_walkers)
{
  g_autoptr(LacMolecule) molecule = lac_known_molecule_make(lac_known_molecule_find(name), 0);
  LacDensityGrid         grid = lac_density_grid(molecule, margin, side);
  LacDensity            *density = lac_density_new(molecule, &grid);

  lac_density_add(density, positions, n_walkers);
  return density;
}

static void
test_grid(void)
{
  g_autoptr(LacMolecule) molecule = lac_known_molecule_make(lac_known_molecule_find("h10"), 0);
  LacDensityGrid         grid = lac_density_grid(molecule, 4, 64);

  g_assert_cmpuint(grid.n[2], ==, 64);
  g_assert_cmpfloat_with_epsilon(grid.first[2], -12.1, 1e-12);
  g_assert_cmpuint(grid.n[0], <, 32);
  for (guint k = 0; k < 3; k++) {
    double last = grid.first[k] + grid.spacing * (double) (grid.n[k] - 1);

    g_assert_cmpfloat_with_epsilon(grid.first[k], -last, 1e-12);
    g_assert_cmpfloat(last, >=, (k == 2 ? 12.1 : 4) - 1e-12);
  }
}

/* A sphere of 8 bohr contains 1 - 1.6e-5 of hydrogen's electron. */
static void
test_integral(void)
{
  const gsize           n = 100000;
  g_autofree double    *positions = draw(n, 1, 3);
  g_autoptr(LacDensity) density = measure("h", 8, 48, positions, n);
  double inside = lac_density_get_inside(density), outside = lac_density_get_outside(density);

  g_assert_cmpfloat_with_epsilon(inside + outside, 1, 1e-12);
  g_assert_cmpfloat_with_epsilon(inside, 1, 1e-3);
  g_assert_cmpfloat(outside, >=, 0);
}

/* The share that falls on cells outside is counted too. */
static void
test_edges(void)
{
  const double          positions[] = {2.5, 0, 0, 0, -9, 0, 0, 0, 0.1};
  g_autoptr(LacDensity) density = measure("h", 2, 5, positions, 3);

  g_assert_cmpfloat_with_epsilon(lac_density_get_inside(density), 1.5 / 3, 1e-15);
  g_assert_cmpfloat_with_epsilon(lac_density_get_outside(density), 1.5 / 3, 1e-15);
}

/* Cloud-in-cell counting preserves the mean exactly and adds spacing^2 / 6 to the mean square, which is 1 / Z^2 for
 * an electron. */
static void
test_moments(void)
{
  const gsize           n = 200000;
  const double          z = 2;
  g_autofree double    *positions = draw(n, z, 4);
  g_autoptr(LacDensity) density = measure("h", 9, 60, positions, n);
  const LacDensityGrid *grid = lac_density_get_grid(density);
  gsize                 layer = grid->n[0] * grid->n[1];
  g_autofree float     *cells = g_new(float, layer * grid->n[2]);
  double                mean = 0, square = 0, sampled = 0, volume = pow(grid->spacing, 3);

  g_assert_cmpfloat(lac_density_get_outside(density), ==, 0);
  lac_density_fill(density, LAC_DENSITY_ALL, cells);
  for (gsize i = 0; i < layer * grid->n[2]; i++) {
    double height = grid->first[2] + grid->spacing * (double) (i / layer);

    mean += height * (double) cells[i] * volume;
    square += height * height * (double) cells[i] * volume;
  }
  for (gsize i = 0; i < n; i++)
    sampled += positions[3 * i + 2] / (double) n;
  g_assert_cmpfloat_with_epsilon(mean, sampled, 1e-6); /* cells are in single precision */
  /* Var(z^2) = 3.5 / Z^4: <z^4> = 9 / (2 Z^4). */
  g_assert_cmpfloat_with_epsilon(square, 1 / (z * z) + grid->spacing * grid->spacing / 6,
                                 4.5 * sqrt(3.5 / (double) n) / (z * z));
}

static void
test_pieces(void)
{
  const gsize           n = 1000;
  g_autofree double    *positions = draw(3 * n, 1, 5);
  g_autoptr(LacDensity) whole = measure("li", 8, 20, positions, n);
  g_autoptr(LacDensity) pieces = measure("li", 8, 20, positions, 1);
  gsize                 length = lac_packing_get_length(lac_density_pack, whole);
  g_autofree double    *a = g_new(double, length), *b = g_new(double, length);

  lac_density_add(pieces, positions + 9, 499);
  lac_packing_save(lac_density_pack, pieces, a);
  lac_density_add(pieces, positions, 17);
  lac_packing_load(lac_density_pack, pieces, a);
  lac_density_add(pieces, positions + 9 * 500, n - 500);
  lac_packing_save(lac_density_pack, pieces, a);
  lac_packing_save(lac_density_pack, whole, b);
  g_assert_cmpmem(a, length * sizeof *a, b, length * sizeof *b);
}

/* Faded counts have less weight; counts faded to 0 have none, for any number of repeats. */
static void
test_fading(void)
{
  const double          left[] = {-1, 0, 0}, right[] = {1, 0, 0};
  g_autoptr(LacDensity) density = measure("h", 2, 5, left, 1);
  float                 cells[125];

  lac_density_fade(density, 0.5);
  lac_density_add(density, right, 1);
  lac_density_fill(density, LAC_DENSITY_ALL, cells);
  g_assert_cmpfloat_with_epsilon(cells[2 * 25 + 2 * 5 + 1], 1.0 / 3, 1e-6);
  g_assert_cmpfloat_with_epsilon(cells[2 * 25 + 2 * 5 + 3], 2.0 / 3, 1e-6);
  for (guint i = 0; i < 5000; i++) {
    lac_density_fade(density, 0.98);
    lac_density_add(density, right, 1);
  }
  lac_density_fill(density, LAC_DENSITY_ALL, cells);
  g_assert_cmpfloat_with_epsilon(cells[2 * 25 + 2 * 5 + 3], 1, 1e-6);
  g_assert_cmpfloat_with_epsilon(lac_density_get_inside(density), 1, 1e-12);
  lac_density_fade(density, 0);
  lac_density_add(density, left, 1);
  lac_density_fill(density, LAC_DENSITY_ALL, cells);
  g_assert_cmpfloat(cells[2 * 25 + 2 * 5 + 1], ==, 1);
}

/* Two electrons up and one down. */
static void
test_spin(void)
{
  const gsize           n = 2000;
  g_autofree double    *positions = draw(3 * n, 1, 6);
  g_autoptr(LacDensity) density = measure("li", 9, 16, positions, n);
  const LacDensityGrid *grid = lac_density_get_grid(density);
  gsize                 side = grid->n[0];
  g_autofree float     *cells = g_new(float, side *side *side);
  double                sum = 0;

  lac_density_fill(density, LAC_DENSITY_SPIN, cells);
  for (gsize i = 0; i < side * side * side; i++)
    sum += (double) cells[i] * pow(grid->spacing, 3);
  g_assert_cmpfloat_with_epsilon(sum, 1, 2e-3); /* at most the part outside */
}

/* Returns the fraction of hydrogen's electron within r. */
static double
within(double z, double r)
{
  return 1 - exp(-2 * z * r) * (1 + 2 * z * r + 2 * z * z * r * r);
}

static void
test_radial(void)
{
  const gsize                 n = 200000, n_bins = 40;
  const double                z = 1.5, reach = 5, width = reach / (double) n_bins;
  g_autofree double          *positions = draw(n, z, 7);
  g_autoptr(LacRadialDensity) radial = lac_radial_density_new(1, origin, reach, n_bins);
  double                      values[40], errors[40], sum = 0;

  lac_radial_density_add(radial, positions, n);
  lac_radial_density_fill(radial, values, errors);
  for (gsize i = 0; i < n_bins; i++) {
    double low = width * (double) i;
    double exact = (within(z, low + width) - within(z, low)) / width;

    /* Forty values within 4.5 errors; errors from the expected counts where few were counted. */
    g_assert_cmpfloat_with_epsilon(values[i], exact, 4.5 * sqrt(exact / (width * (double) n)));
    sum += values[i] * width;
  }
  g_assert_cmpfloat_with_epsilon(sum + lac_radial_density_get_outside(radial), 1, 1e-12);
}

/* Independent electrons: a^3 / (192 pi) (a^2 r^2 + 3 a r + 3) exp(-a r) with a = 2 Z. */
static void
test_pairs(void)
{
  const double           a = 2, width = 3.0 / 60;
  g_autoptr(LacMolecule) molecule = lac_known_molecule_make(lac_known_molecule_find("he"), 0);
  g_autoptr(LacPairCorrelation) pairs = lac_pair_correlation_new(molecule, 3, 60);
  g_autofree double            *positions = draw(400000, 1, 8);
  double                        values[60], errors[60], sum = 0;

  lac_pair_correlation_add(pairs, positions, 200000);
  lac_pair_correlation_fill(pairs, LAC_PAIR_UNLIKE, values, errors);
  for (gsize i = 0; i < 60; i++) {
    double r = width * ((double) i + 0.5), low = width * (double) i, high = low + width;
    double exact = a * a * a / (192 * G_PI) * (a * a * r * r + 3 * a * r + 3) * exp(-a * r);
    double volume = 4 * G_PI / 3 * (high * high * high - low * low * low);

    /* The value at the middle of a shell equals its mean to 1e-3. */
    g_assert_cmpfloat_with_epsilon(values[i], exact,
                                   4.5 * sqrt(exact / (volume * 200000)) + 2e-3 * exact);
    sum += values[i] * volume;
  }
  g_assert_cmpfloat_with_epsilon(sum + lac_pair_correlation_get_outside(pairs, LAC_PAIR_UNLIKE), 1,
                                 1e-12);
  lac_pair_correlation_fill(pairs, LAC_PAIR_LIKE, values, NULL);
  for (gsize i = 0; i < 60; i++)
    g_assert_cmpfloat(values[i], ==, 0);
}

int
main(int argc, char *argv[])
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/quantum/density/a-grid-holds-the-molecule", test_grid);
  g_test_add_func("/quantum/density/integrates-to-the-electrons", test_integral);
  g_test_add_func("/quantum/density/what-falls-off-the-edge-is-counted", test_edges);
  g_test_add_func("/quantum/density/moments-are-those-of-the-samples", test_moments);
  g_test_add_func("/quantum/density/pieces-give-the-same-bits", test_pieces);
  g_test_add_func("/quantum/density/what-fades-counts-less", test_fading);
  g_test_add_func("/quantum/density/spin-is-up-less-down", test_spin);
  g_test_add_func("/quantum/density/radial-density-of-hydrogen", test_radial);
  g_test_add_func("/quantum/pair-correlation/independent-electrons", test_pairs);
  return g_test_run();
}
