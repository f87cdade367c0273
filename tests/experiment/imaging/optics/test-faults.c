/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faults of a simulated instrument: within their limits, and not recorded in the exposures. */
#include "experiment/imaging/optics/exposures.h"

#include <math.h>
#include <string.h>

#define N_POSITIONS 200
#define SIDE        16

static void
fill_scan(LacScanBox *scan)
{
  for (gsize v = 0; v < N_POSITIONS; v++) {
    const double y = 0.05 * (double) v, x = 3 - 0.03 * (double) v;

    scan[v] = (LacScanBox){y, x, y + 2, x - 1};
  }
}

/* Uniform over the disc: the mean of r^2 is half of the maximum, to 4 sigma of 1 / sqrt(12 n). */
static void
test_displacement(void)
{
  const LacFaults faults = {.displacement = 1.5, .seed = 3}, none = {.seed = 3};
  LacScanBox      scan[N_POSITIONS], displaced[N_POSITIONS];
  double          square = 0;

  g_assert_true(lac_faults_is_none(&none));
  g_assert_false(lac_faults_is_none(&faults));
  fill_scan(scan);
  lac_faults_displace(&faults, scan, N_POSITIONS, displaced);
  g_assert_cmpmem(&scan[0], sizeof scan[0], &displaced[0], sizeof displaced[0]);
  for (gsize v = 1; v < N_POSITIONS; v++) {
    const double dy = displaced[v].y - scan[v].y, dx = displaced[v].x - scan[v].x;

    g_assert_cmpfloat(hypot(dy, dx), <=, 1.5);
    g_assert_cmpfloat_with_epsilon(displaced[v].end_y - scan[v].end_y, dy, 1e-12);
    g_assert_cmpfloat_with_epsilon(displaced[v].end_x - scan[v].end_x, dx, 1e-12);
    square += (dy * dy + dx * dx) / (1.5 * 1.5 * (N_POSITIONS - 1));
  }
  g_assert_cmpfloat_with_epsilon(square, 0.5, 4 / sqrt(12.0 * N_POSITIONS));
}

static void
test_exposures(void)
{
  const LacFaults         faults = {.aberrations = {1, 0.5, 0}, .displacement = 1, .seed = 1};
  const LacScanBox        scan[] = {{0, 0, 0, 0}, {4, -3, 4, -3}};
  const LacOpticsSettings settings = {
    .grid = 32,
    .support = SIDE,
    .aperture = {.shape = LAC_APERTURE_CIRCLE, .radius = 5},
    .n_positions = 2,
    .scan = scan,
  };
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacOptics)    optics = lac_optics_new(&settings, NULL, &error);
  g_autoptr(LacExposures) plain = NULL, faulty = NULL;
  LacScanBox              displaced[2];
  double complex          object[SIDE * SIDE];
  double                  energies[2] = {0};

  g_assert_no_error(error);
  for (gsize i = 0; i < SIDE * SIDE; i++)
    object[i] = i % 5 == 0;
  lac_faults_displace(&faults, scan, 2, displaced);
  plain = lac_exposures_simulate(optics, object, &LAC_NOISE_NONE, NULL);
  faulty = lac_faults_expose(&faults, &settings, displaced, object, &LAC_NOISE_NONE, NULL, &error);
  g_assert_no_error(error);
  g_assert_cmpmem(faulty->scan, sizeof scan, scan, sizeof scan);
  g_assert_cmpuint(faulty->d, ==, plain->d);
  /* a phase redistributes light but conserves it: at the undisplaced scan position the energy is equal, the image is
   * not */
  for (gsize i = 0; i < plain->d * plain->d; i++) {
    energies[0] += plain->images[i] * plain->images[i];
    energies[1] += faulty->images[i] * faulty->images[i];
  }
  g_assert_cmpfloat_with_epsilon(energies[0], energies[1], 1e-12 * energies[0]);
  g_assert_cmpint(
    memcmp(plain->images, faulty->images, plain->d * plain->d * sizeof *plain->images), !=, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/faults/apertures-miss-their-places-by-no-more-than-said",
                  test_displacement);
  g_test_add_func("/imaging/faults/the-exposures-say-what-is-believed", test_exposures);
  return g_test_run();
}
