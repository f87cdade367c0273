/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fourier ring correlation, and the periods where it ends. */
#include "backend/fourier.h"
#include "experiment/imaging/metrics/resolution.h"

#include <math.h>
#include <string.h>

#define EDGE      8 /* the side over this is tapered at each edge */
#define SEVENTH   (1.0 / 7)
#define DARK      1e-24 /* of the whole power, in a ring: rounding */
#define ARCSECOND (G_PI / 180 / 3600)

typedef struct {
  double cross, image, truth; /* sums over a ring */
  gsize  n;
} Ring;

/* 1 in the middle, falling to 0 at the edge as a raised cosine. */
static double
get_taper(gsize i, gsize side)
{
  const double at = (double) MIN(i, side - 1 - i) + 0.5, width = (double) side / EDGE;

  return at >= width ? 1 : 0.5 - 0.5 * cos(G_PI * at / width);
}

static double
get_mean(const double *image, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += image[i];
  return sum / (double) n;
}

/* One complex array for both: image + i truth. */
static void
join_images(const double   *image,
            const double   *truth,
            gsize           side,
            LacTaper        taper,
            double complex *both)
{
  const gsize  n = side * side;
  const double image_mean = get_mean(image, n), truth_mean = get_mean(truth, n);

  for (gsize y = 0; y < side; y++)
    for (gsize x = 0; x < side; x++) {
      const gsize  i = y * side + x;
      const double weight = get_taper(y, side) * get_taper(x, side);

      if (taper == LAC_TAPER_EDGES)
        both[i] = CMPLX(weight * (image[i] - image_mean), weight * (truth[i] - truth_mean));
      else
        both[i] = CMPLX(image[i], truth[i]);
    }
}

static gssize
get_frequency(gsize i, gsize side)
{
  return i <= side / 2 ? (gssize) i : (gssize) i - (gssize) side;
}

static void
add_pixel(Ring *ring, double complex here, double complex opposite)
{
  const double complex image = (here + conj(opposite)) / 2,
                       truth = (here - conj(opposite)) / CMPLX(0, 2);

  ring->cross += creal(image * conj(truth));
  ring->image += creal(image * conj(image));
  ring->truth += creal(truth * conj(truth));
  ring->n++;
}

static void
sum_rings(const double complex *both, gsize side, Ring *rings, gsize n_rings)
{
  for (gsize y = 0; y < side; y++)
    for (gsize x = 0; x < side; x++) {
      const double radius = hypot((double) get_frequency(y, side), (double) get_frequency(x, side));
      const gsize  ring = (gsize) lround(radius);

      if (ring < n_rings)
        add_pixel(&rings[ring], both[y * side + x],
                  both[(side - y) % side * side + (side - x) % side]);
    }
}

static double
get_half_bit(gsize n)
{
  const double root = sqrt((double) n);

  return (0.2071 + 1.9102 / root) / (1.2071 + 0.9102 / root);
}

/* @thresholds: (nullable): of each ring; else @level everywhere */
static double
find_cutoff(const LacRingCorrelation *rings, const double *thresholds, double level)
{
  double before = INFINITY;

  for (gsize r = 1; r < rings->n; r++) {
    const double above = rings->correlation[r] - (thresholds != NULL ? thresholds[r] : level);

    if (above < 0 && r == 1)
      return rings->frequency[1];
    if (above < 0) {
      const double part = before / (before - above);
      return rings->frequency[r - 1] + part * (rings->frequency[r] - rings->frequency[r - 1]);
    }
    before = above;
  }
  return 0.5;
}

/* The arrays of @result are there. */
static void
correlate(LacScratch         *scratch,
          const double       *image,
          const double       *truth,
          gsize               side,
          LacTaper            taper,
          LacRingCorrelation *result)
{
  const LacScratchMark mark = lac_scratch_mark(scratch);
  const gsize          n = result->n;
  double complex      *both = lac_scratch_take(scratch, side * side * sizeof *both);
  Ring                *rings = lac_scratch_take(scratch, n * sizeof *rings);
  double               power = 0;

  memset(rings, 0, n * sizeof *rings);
  join_images(image, truth, side, taper, both);
  lac_fourier_forward(lac_fourier_prepare(side, side), both);
  sum_rings(both, side, rings, n);
  for (gsize r = 0; r < n; r++)
    power += sqrt(rings[r].image * rings[r].truth);
  for (gsize r = 0; r < n; r++) {
    const double norm = sqrt(rings[r].image * rings[r].truth);

    result->frequency[r] = (double) r / (double) side;
    result->half_bit[r] = get_half_bit(rings[r].n);
    result->correlation[r] = norm > DARK * power ? rings[r].cross / norm : 0;
    result->transfer[r] = norm > DARK * power ? rings[r].cross / rings[r].truth : 0;
  }
  result->cutoff_half_bit = find_cutoff(result, result->half_bit, 0);
  result->cutoff_seventh = find_cutoff(result, NULL, SEVENTH);
  lac_scratch_release(scratch, mark);
}

LacRingCorrelation *
lac_ring_correlation_new(const double *image, const double *truth, gsize side, LacTaper taper)
{
  g_return_val_if_fail(side >= 4, NULL);
  g_autoptr(LacScratch) scratch = lac_scratch_new();
  LacRingCorrelation   *result = g_new0(LacRingCorrelation, 1);

  result->n = side / 2 + 1;
  result->frequency = g_new(double, result->n);
  result->correlation = g_new(double, result->n);
  result->transfer = g_new(double, result->n);
  result->half_bit = g_new(double, result->n);
  correlate(scratch, image, truth, side, taper, result);
  return result;
}

void
lac_ring_correlation_find(LacRingCorrelation *rings,
                          LacScratch         *scratch,
                          const double       *image,
                          const double       *truth,
                          gsize               side,
                          LacTaper            taper)
{
  g_return_if_fail(side >= 4 && rings->n == side / 2 + 1);
  correlate(scratch, image, truth, side, taper, rings);
}

void
lac_ring_correlation_free(LacRingCorrelation *rings)
{
  if (rings == NULL)
    return;
  g_free(rings->frequency);
  g_free(rings->correlation);
  g_free(rings->transfer);
  g_free(rings->half_bit);
  g_free(rings);
}

double
lac_resolution_pixels(double cutoff)
{
  return 1 / cutoff;
}

double
lac_resolution_metres(double cutoff, double pixel)
{
  return pixel / cutoff;
}

double
lac_resolution_arcseconds(double cutoff, double pixel, double distance)
{
  return pixel / cutoff / distance / ARCSECOND;
}
