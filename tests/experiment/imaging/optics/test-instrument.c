/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instruments against known values, tilted illumination against a shifted aperture, apertures against known pixel
 * counts. */
#include "base/rng.h"
#include "experiment/imaging/optics/instrument.h"

#include <math.h>

static void
test_microscope(void)
{
  const LacMicroscope microscope = {
    .numerical_aperture = 0.1, .wavelength = 550e-9, .pixel = 6.5e-6 / 20, .grid = 256};

  g_assert_cmpfloat_with_epsilon(lac_microscope_radius(&microscope), 15.127, 5e-4);
}

static void
test_coherence(void)
{
  /* radius, distance, wavelength; coherence radius; half a unit of its last digit */
  static const double bodies[][5] = {
    {1.569e6, 6.283e11, 698.9e-9, 0.0891, 5e-5},
    {2.575e6, 1.2e12, 2e-6, 0.297, 5e-4},
    {617e9, 700 * 9.461e15, 500e-9, 1.708, 5e-4},
    {2.5e7, 29.1 * 1.496e11, 500e-9, 0.0277, 5e-5},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(bodies); i++) {
    const double *body = bodies[i];

    g_assert_cmpfloat_with_epsilon(lac_coherence_radius(body[0], body[1], body[2]), body[3],
                                   body[4]);
  }
}

/* |F^-1(A F(o exp(2 pi i k x)))| with A at DC is |F^-1(A_-k F o)|. */
static void
test_tilted_light(void)
{
  const LacMicroscope microscope = {
    .numerical_aperture = 0.1, .wavelength = 550e-9, .pixel = 6.5e-6 / 20, .grid = 128};
  const double               step = microscope.wavelength / (128 * microscope.pixel);
  const LacScanBox           scan[] = {{0, 0, 0, 0},
                                       lac_microscope_tilted(&microscope, 1, 5 * step, -9 * step)};
  const LacOpticsSettings    settings = {.grid = 128,
                                         .support = 128,
                                         .aperture.radius = lac_microscope_radius(&microscope),
                                         .unit = LAC_DETECTOR_INTENSITY,
                                         .n_positions = 2,
                                         .scan = scan};
  g_autoptr(GError)          error = NULL;
  g_autoptr(LacOptics)       optics = lac_optics_new(&settings, NULL, &error);
  const gsize                d = lac_optics_get_detector(optics);
  const LacBand              band = lac_optics_get_band(optics);
  g_autofree double complex *object = g_new(double complex, 128 * 128),
                            *lit = g_new(double complex, 128 * 128);
  g_autofree double complex *spectrum = g_new(double complex, band.height *band.width),
                            *fields = g_new(double complex, d *d);
  g_autofree double *tilted = g_new(double, d *d), *shifted = g_new(double, d *d);
  LacRng             rng = lac_rng(1, 0);

  g_assert_no_error(error);
  g_assert_cmpfloat_with_epsilon(scan[1].y, -5, 1e-12);
  g_assert_cmpfloat_with_epsilon(scan[1].x, 9, 1e-12);
  for (gsize i = 0; i < 128 * 128; i++) {
    const double y = (double) (i / 128) - 64, x = (double) (i % 128) - 64;

    object[i] = lac_rng_uniform(&rng);
    lit[i] = object[i] * cexp(2 * G_PI * CMPLX(0, 1) * (5 * y - 9 * x) / 128);
  }
  lac_optics_spectrum(optics, object, spectrum);
  lac_optics_measure(optics, 1, spectrum, fields, shifted);
  lac_optics_spectrum(optics, lit, spectrum);
  lac_optics_measure(optics, 0, spectrum, fields, tilted);
  for (gsize i = 0; i < d * d; i++)
    g_assert_cmpfloat_with_epsilon(tilted[i], shifted[i], 1e-9 * (1 + shifted[i]));
}

static void
test_counts(void)
{
  /* radius, pixels around (0, 0), around (0.5, 0.5) */
  static const double known[][3] = {
    {5, 81, 80},    {8.5, 225, 216},  {10, 317, 316},   {12.5, 489, 484},
    {16, 797, 812}, {20, 1257, 1264}, {25, 1961, 1976}, {50, 7845, 7860},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(known); i++) {
    const LacAperture circle = {.radius = known[i][0]};

    g_assert_cmpuint(lac_aperture_count(&circle, 0, 0, 256), ==, (gsize) known[i][1]);
    g_assert_cmpuint(lac_aperture_count(&circle, 0.5, 0.5, 256), ==, (gsize) known[i][2]);
  }
}

/* The area equals that of the shape up to edge pixels. */
static void
test_areas(void)
{
  const LacAperture hexagon = {.shape = LAC_APERTURE_HEXAGON, .radius = 100};
  const LacAperture ring = {.shape = LAC_APERTURE_OBSCURED, .radius = 100, .inner = 30};
  LacAperture       crossed = ring;
  double            hidden;

  g_assert_cmpfloat_with_epsilon((double) lac_aperture_count(&hexagon, 0.3, 0.1, 512),
                                 2 * sqrt(3) * 1e4, 200);
  g_assert_cmpfloat_with_epsilon((double) lac_aperture_count(&ring, 0.3, 0.1, 512),
                                 G_PI * (1e4 - 900), 200);
  crossed.spider = 5;
  hidden = (double) lac_aperture_count(&ring, 0.3, 0.1, 512) -
           (double) lac_aperture_count(&crossed, 0.3, 0.1, 512);
  /* eight arms of 70 by 5 */
  g_assert_cmpfloat_with_epsilon(hidden, 8 * 70 * 5, 150);
}

/* Compares with the inequality at every pixel of the grid, including apertures at its edge. */
static void
test_rows(void)
{
  const LacAperture circle = {.radius = 9.25};
  LacApertureRow    rows[64];

  g_assert_cmpuint(lac_aperture_max_spans(&circle), <=, G_N_ELEMENTS(rows));
  for (double y = -34; y < 34; y += 4.3)
    for (double x = -34; x < 34; x += 3.7) {
      guint8      seen[64][64] = {{0}};
      const gsize n = lac_aperture_trace(&circle, y, x, 64, rows);

      for (gsize i = 0; i < n; i++)
        for (gint32 j = 0; j < rows[i].n; j++)
          seen[rows[i].y + 32][rows[i].x + j + 32]++;
      for (gsize i = 0; i < 64; i++)
        for (gsize j = 0; j < 64; j++) {
          const double dy = (double) i - 32 - y, dx = (double) j - 32 - x;

          g_assert_cmpuint(seen[i][j], ==, dy * dy + dx * dx <= 9.25 * 9.25);
        }
    }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/instrument/a-microscope-has-the-pupil-of-its-numerical-aperture",
                  test_microscope);
  g_test_add_func("/imaging/instrument/coherence-radii-as-published", test_coherence);
  g_test_add_func("/imaging/instrument/tilted-light-is-a-shifted-aperture", test_tilted_light);
  g_test_add_func("/imaging/aperture/circles-pass-as-many-pixels-as-published", test_counts);
  g_test_add_func("/imaging/aperture/shapes-pass-their-area", test_areas);
  g_test_add_func("/imaging/aperture/rows-hold-each-pixel-once", test_rows);
  return g_test_run();
}
