/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring correlation, modulation transfer and chart bars against blurs known in closed form. */
#include "backend/fourier.h"
#include "base/rng.h"
#include "experiment/imaging/metrics/resolution.h"
#include "experiment/imaging/objects/siemens.h"
#include "experiment/imaging/objects/usaf-chart.h"

#include <math.h>
#include <string.h>

#define SIDE 256

static double
frequency_at(gsize i, gsize side)
{
  return (i <= side / 2 ? (double) i : (double) i - (double) side) / (double) side;
}

/* Multiplies the spectrum by that of a Gaussian of @sigma pixels, or by a sharp cutoff if it is negative. */
static void
blur(double *image, gsize side, double sigma)
{
  const LacFourier          *fourier = lac_fourier_prepare(side, side);
  g_autofree double complex *data = g_new(double complex, side *side);

  for (gsize i = 0; i < side * side; i++)
    data[i] = image[i];
  lac_fourier_forward(fourier, data);
  for (gsize y = 0; y < side; y++)
    for (gsize x = 0; x < side; x++) {
      const double f = hypot(frequency_at(y, side), frequency_at(x, side));
      data[y * side + x] *= sigma < 0 ? f <= -sigma : exp(-2 * G_PI * G_PI * sigma * sigma * f * f);
    }
  lac_fourier_inverse(fourier, data);
  for (gsize i = 0; i < side * side; i++)
    image[i] = creal(data[i]) / (double) (side * side);
}

static double *
new_noise(gsize side, guint64 seed)
{
  LacRng  rng = lac_rng(seed, 3);
  double *noise = g_new(double, side *side);

  for (gsize i = 0; i < side * side; i++)
    noise[i] = lac_rng_normal(&rng);
  return noise;
}

/* ---- ring correlation ---- */

static void
test_equal(void)
{
  g_autofree double            *a = new_noise(64, 1);
  g_autoptr(LacRingCorrelation) rings = lac_ring_correlation_new(a, a, 64, LAC_TAPER_NONE);

  g_assert_cmpuint(rings->n, ==, 33);
  for (gsize r = 0; r < rings->n; r++)
    g_assert_cmpfloat_with_epsilon(rings->correlation[r], 1, 1e-12);
  g_assert_cmpfloat(rings->cutoff_half_bit, ==, 0.5);
  g_assert_cmpfloat(rings->cutoff_seventh, ==, 0.5);
  g_assert_cmpfloat(lac_resolution_pixels(rings->cutoff_seventh), ==, 2);
}

/* Independent noise correlates by chance: 1/sqrt(n/2) in a ring of n, half of which are the conjugates of the other
 * half. */
static void
test_independent(void)
{
  g_autofree double            *a = new_noise(SIDE, 1), *b = new_noise(SIDE, 2);
  g_autoptr(LacRingCorrelation) rings = lac_ring_correlation_new(a, b, SIDE, LAC_TAPER_NONE);

  for (gsize r = 4; r < rings->n; r++)
    g_assert_cmpfloat(fabs(rings->correlation[r]), <, 5 / sqrt(G_PI * (double) r));
}

/* A sharp cutoff is the resolution: there is nothing beyond it. */
static void
test_limit(void)
{
  const double       limits[] = {0.08, 0.17, 0.31};
  g_autofree double *a = new_noise(SIDE, 1);

  for (gsize i = 0; i < G_N_ELEMENTS(limits); i++) {
    g_autofree double *b = g_memdup2(a, SIDE * SIDE * sizeof *a);

    blur(b, SIDE, -limits[i]);
    g_autoptr(LacRingCorrelation) rings = lac_ring_correlation_new(b, a, SIDE, LAC_TAPER_NONE);
    /* up to the width of a ring */
    g_assert_cmpfloat_with_epsilon(rings->cutoff_half_bit, limits[i], 1.0 / SIDE);
    g_assert_cmpfloat_with_epsilon(rings->cutoff_seventh, limits[i], 1.0 / SIDE);
  }
}

/* With signal and noise of equal power the expected correlation with the clean image is 1/sqrt(2). */
static void
test_half(void)
{
  g_autofree double *a = new_noise(SIDE, 1), *b = new_noise(SIDE, 2);
  double             sum = 0, weight = 0;

  for (gsize i = 0; i < SIDE * SIDE; i++)
    b[i] += a[i];
  g_autoptr(LacRingCorrelation) rings = lac_ring_correlation_new(b, a, SIDE, LAC_TAPER_NONE);
  for (gsize r = 1; r < rings->n; r++) {
    sum += rings->correlation[r] * (double) r;
    weight += (double) r;
  }
  /* 51 000 pixels within the rings, half of them independent: 4 deviations */
  g_assert_cmpfloat_with_epsilon(sum / weight, G_SQRT2 / 2, 0.02);
}

static void
test_units(void)
{
  /* 1.22 lambda / D at 500 nm and 10 cm is 1.258 arcseconds; a period of one metre at 1 m / 1.258" is the same */
  const double angle = 1.22 * 500e-9 / 0.1;

  g_assert_cmpfloat_with_epsilon(lac_resolution_arcseconds(0.25, 0.25, 1 / angle), 1.2582, 1e-4);
  g_assert_cmpfloat_with_epsilon(lac_resolution_metres(0.25, 42883), 4 * 42883, 1e-6);
}

/* The edges of a crop are equal in both images; tapering keeps them from counting as resolution. */
static void
test_taper(void)
{
  g_autofree double *a = new_noise(64, 1), *b = new_noise(64, 2);

  for (gsize i = 0; i < 64 * 64; i++) {
    a[i] += (double) (i % 64);
    b[i] += (double) (i % 64);
  }
  g_autoptr(LacRingCorrelation) plain = lac_ring_correlation_new(a, b, 64, LAC_TAPER_NONE);
  g_autoptr(LacRingCorrelation) tapered = lac_ring_correlation_new(a, b, 64, LAC_TAPER_EDGES);
  double                        sum_plain = 0, sum_tapered = 0;
  for (gsize r = 16; r < plain->n; r++) {
    sum_plain += plain->correlation[r] / 17;
    sum_tapered += tapered->correlation[r] / 17;
  }
  g_assert_cmpfloat(sum_plain, >, 0.4);
  g_assert_cmpfloat(fabs(sum_tapered), <, 0.1);
}

/* ---- an edge ---- */

static void
fill_edge(double *image, gsize rows, gsize columns, double slope, double sigma)
{
  const double across = 1 / sqrt(1 + slope * slope), middle = (double) (columns - 1) / 2;

  for (gsize y = 0; y < rows; y++)
    for (gsize x = 0; x < columns; x++) {
      const double at = middle + slope * ((double) y - (double) (rows - 1) / 2);
      image[y * columns + x] =
        0.2 + 0.6 * 0.5 * erfc(-((double) x - at) * across / (sigma * G_SQRT2));
    }
}

static void
test_edge(void)
{
  static const double slopes[] = {0.06, -0.1, 0.17};
  g_autofree double  *image = g_new(double, 96 * 80);

  for (gsize s = 0; s < G_N_ELEMENTS(slopes); s++)
    for (double sigma = 0.7; sigma < 2.2; sigma += 0.7) {
      fill_edge(image, 96, 80, slopes[s], sigma);
      g_autoptr(LacTransferCurve) curve = lac_transfer_from_edge(image, 96, 80);
      g_assert_nonnull(curve);
      for (gsize k = 0; k < curve->n && curve->frequency[k] <= 0.5; k++) {
        const double f = curve->frequency[k];
        g_assert_cmpfloat_with_epsilon(curve->transfer[k],
                                       exp(-2 * G_PI * G_PI * sigma * sigma * f * f), 0.006);
      }
      const double half = sqrt(log(2) / 2) / (G_PI * sigma);
      g_assert_cmpfloat_with_epsilon(lac_transfer_cutoff(curve, 0.5), half, 0.01 * half);
    }
}

/* A vertical edge is sampled at one position per pixel: sufficient for a blurred one. */
static void
test_straight_edge(void)
{
  g_autofree double *image = g_new(double, 40 * 64);

  fill_edge(image, 40, 64, 0, 1.5);
  g_autoptr(LacTransferCurve) curve = lac_transfer_from_edge(image, 40, 64);
  for (gsize k = 0; k < curve->n && curve->frequency[k] < 0.2; k++)
    g_assert_cmpfloat_with_epsilon(
      curve->transfer[k], exp(-2 * G_PI * G_PI * 2.25 * curve->frequency[k] * curve->frequency[k]),
      0.02);
}

static void
test_no_edge(void)
{
  g_autofree double *image = g_new0(double, 40 * 64);

  g_assert_null(lac_transfer_from_edge(image, 40, 64));
  g_assert_null(lac_transfer_from_edge(image, 4, 64));
}

/* ---- a star ---- */

static void
test_star(void)
{
  g_autofree double *image = g_new(double, SIDE *SIDE);
  const double       rim = lac_siemens_star_get_rim(SIDE), sigma = 1.3;
  double             squares = 0, n = 0;

  lac_siemens_star_draw(SIDE, 36, image);
  g_autoptr(LacTransferCurve) sharp = lac_transfer_from_star(image, SIDE, 36, rim);
  blur(image, SIDE, sigma);
  g_autoptr(LacTransferCurve) blurred = lac_transfer_from_star(image, SIDE, 36, rim);
  g_assert_cmpuint(sharp->n, >, 80);
  g_assert_cmpuint(sharp->n, ==, blurred->n);
  for (gsize i = 1; i < sharp->n && sharp->frequency[i] < 0.4; i++) {
    const double f = sharp->frequency[i];
    /* square pixels, averaged over all directions */
    const double own = 1 - G_PI * G_PI * f * f / 6;
    const double off = sharp->transfer[i] - own;

    squares += off * off;
    n++;
    g_assert_cmpfloat_with_epsilon(blurred->transfer[i],
                                   own * exp(-2 * G_PI * G_PI * sigma * sigma * f * f), 0.02);
  }
  g_assert_cmpfloat(sqrt(squares / n), <, 0.02);
}

/* ---- the chart ---- */

static gboolean
overlap(const LacChartBox *a, const LacChartBox *b)
{
  return a->y0 < b->y1 && b->y0 < a->y1 && a->x0 < b->x1 && b->x0 < a->x1;
}

static guint
count_boxes(const LacUsafChart *chart, LacChartBox *boxes)
{
  guint n = 0;

  boxes[n++] = chart->square;
  for (gsize i = 0; i < chart->n; i++) {
    memcpy(boxes + n, chart->elements[i].lying, sizeof chart->elements[i].lying);
    memcpy(boxes + n + 3, chart->elements[i].standing, sizeof chart->elements[i].standing);
    n += 6;
  }
  return n;
}

static void
test_chart_geometry(void)
{
  static const gsize sides[] = {64, 128, 256, 512, 1000};

  for (gsize s = 0; s < G_N_ELEMENTS(sides); s++) {
    g_autoptr(LacUsafChart) chart = lac_usaf_chart_new(sides[s]);
    g_autofree LacChartBox *boxes = g_new(LacChartBox, 6 * chart->n + 1);
    const guint             n = count_boxes(chart, boxes);
    g_autofree double      *image = g_new(double, sides[s] * sides[s]);
    double                  area = 0, sum = 0;

    for (guint i = 0; i < n; i++) {
      g_assert_true(boxes[i].y0 >= 0 && boxes[i].x0 >= 0);
      g_assert_true(boxes[i].y1 <= (double) sides[s] && boxes[i].x1 <= (double) sides[s]);
      area += (boxes[i].y1 - boxes[i].y0) * (boxes[i].x1 - boxes[i].x0);
      for (guint j = 0; j < i; j++)
        g_assert_false(overlap(&boxes[i], &boxes[j]));
    }
    lac_usaf_chart_draw(chart, sides[s], image);
    for (gsize i = 0; i < sides[s] * sides[s]; i++)
      sum += image[i];
    g_assert_cmpfloat_with_epsilon(sum, area, 1e-9 * area);
    for (gsize i = 1; i < chart->n; i++)
      g_assert_cmpfloat_with_epsilon(chart->elements[i].width / chart->elements[i - 1].width,
                                     pow(2, -1 / 6.0), 1e-12);
  }
}

/* A Gaussian blur leaves bars of width w nearly the contrast of their fundamental: the finest resolved bar grows with
 * the blur. */
static void
test_chart_reading(void)
{
  g_autoptr(LacUsafChart)     chart = lac_usaf_chart_new(512);
  g_autofree LacChartReading *readings = g_new(LacChartReading, chart->n);
  g_autofree double          *image = g_new(double, 512 * 512);
  double                      before = 0;

  lac_usaf_chart_draw(chart, 512, image);
  lac_usaf_chart_read(chart, image, 512, readings);
  for (gsize i = 0; i < chart->n && chart->elements[i].width > 4; i++) {
    g_assert_cmpfloat_with_epsilon(readings[i].contrast, 1, 1e-12);
    g_assert_true(readings[i].is_resolved);
  }
  for (double sigma = 1; sigma < 5; sigma += 1) {
    lac_usaf_chart_draw(chart, 512, image);
    blur(image, 512, sigma);
    const double finest = lac_usaf_chart_read(chart, image, 512, readings);

    g_test_message("sigma %g: bars of %g", sigma, finest);
    g_assert_cmpfloat(finest, >, before);
    /* 4/pi exp(-2 pi^2 sigma^2 / (2 w)^2) equals Rayleigh's 0.153 there, within an element or two: three bars are not
     * a grating */
    g_assert_cmpfloat(fabs(log2(finest / (sigma * G_PI / sqrt(2 * log(4 / G_PI / 0.153))))), <,
                      0.4);
    before = finest;
  }
  memset(image, 0, 512 * 512 * sizeof *image);
  g_assert_true(isinf(lac_usaf_chart_read(chart, image, 512, readings)));
}

/* Halving the contrast at every frequency does not change the correlation. */
static void
test_transfer(void)
{
  double a[SIDE * SIDE], b[SIDE * SIDE];
  LacRng rng = lac_rng(4, 1);

  for (gsize i = 0; i < SIDE * SIDE; i++) {
    a[i] = lac_rng_normal(&rng);
    b[i] = 0.5 * a[i];
  }
  g_autoptr(LacRingCorrelation) rings = lac_ring_correlation_new(b, a, SIDE, LAC_TAPER_NONE);
  for (gsize r = 0; r < rings->n; r++) {
    g_assert_cmpfloat_with_epsilon(rings->transfer[r], 0.5, 1e-12);
    g_assert_cmpfloat_with_epsilon(rings->correlation[r], 1, 1e-12);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/resolution/equal-images-correlate-in-every-ring", test_equal);
  g_test_add_func("/imaging/resolution/independent-noise-does-not", test_independent);
  g_test_add_func("/imaging/resolution/a-sharp-limit-is-found", test_limit);
  g_test_add_func("/imaging/resolution/signal-under-its-own-power-of-noise", test_half);
  g_test_add_func("/imaging/resolution/edges-of-a-cut-out-are-tapered", test_taper);
  g_test_add_func("/imaging/resolution/metres-and-arcseconds", test_units);
  g_test_add_func("/imaging/resolution/slanted-edge-of-a-known-blur", test_edge);
  g_test_add_func("/imaging/resolution/edge-along-the-columns", test_straight_edge);
  g_test_add_func("/imaging/resolution/no-edge-no-curve", test_no_edge);
  g_test_add_func("/imaging/resolution/star-of-a-known-blur", test_star);
  g_test_add_func("/imaging/resolution/chart-fits-and-nothing-overlaps", test_chart_geometry);
  g_test_add_func("/imaging/resolution/chart-reads-finer-bars-the-less-it-is-blurred",
                  test_chart_reading);
  g_test_add_func("/imaging/resolution/half-the-contrast-is-half-the-transfer", test_transfer);
  return g_test_run();
}
