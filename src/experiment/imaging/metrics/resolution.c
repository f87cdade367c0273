/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Image resolution: Fourier ring correlation with its cutoffs; modulation transfer from an edge and from a star. */
#include "experiment/imaging/metrics/resolution.h"

#include "backend/fourier.h"

#include <math.h>
#include <string.h>

/* ---- Fourier ring correlation ---- */

#define EDGE      8 /* 1/EDGE of the side is tapered at each edge */
#define SEVENTH   (1.0 / 7)
#define DARK      1e-24 /* of the total power, in a ring: rounding errors */
#define ARCSECOND (G_PI / 180 / 3600)

typedef struct {
  double cross, image, truth; /* sums over a ring */
  gsize  n;
} Ring;

/* Returns 1 in the middle, falling to 0 at the edge as a raised cosine. */
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

/* Packs both into one complex array: image + i truth. @weights: [side]: of a row or column, for their deviations from
 * their means; NULL: the images as they are */
static void
join_images(const double   *image,
            const double   *truth,
            gsize           side,
            const double   *weights,
            double complex *both)
{
  const gsize  n = side * side;
  const double image_mean = get_mean(image, n), truth_mean = get_mean(truth, n);

  for (gsize i = 0; weights == NULL && i < n; i++)
    both[i] = CMPLX(image[i], truth[i]);
  if (weights == NULL)
    return;

  for (gsize y = 0; y < side; y++)
    for (gsize x = 0; x < side; x++) {
      const gsize  i = y * side + x;
      const double weight = weights[y] * weights[x];

      both[i] = CMPLX(weight * (image[i] - image_mean), weight * (truth[i] - truth_mean));
    }
}

static gssize
get_frequency(gsize i, gsize side)
{
  return i <= side / 2 ? (gssize) i : (gssize) i - (gssize) side;
}

/* Adds the spectra at a frequency, and at its opposite if @n = 2: both images are real, so they are conjugate there. */
static void
add_frequency(Ring *ring, double complex here, double complex opposite, gsize n)
{
  const double image_re = (creal(here) + creal(opposite)) / 2;
  const double image_im = (cimag(here) - cimag(opposite)) / 2;
  const double truth_re = (cimag(here) + cimag(opposite)) / 2;
  const double truth_im = (creal(opposite) - creal(here)) / 2;
  const double weight = (double) n;

  ring->cross += weight * (image_re * truth_re + image_im * truth_im);
  ring->image += weight * (image_re * image_re + image_im * image_im);
  ring->truth += weight * (truth_re * truth_re + truth_im * truth_im);
  ring->n += n;
}

/* The columns of one half; the first, and the middle one of an even side, hold their own opposites. */
static void
sum_rings(const double complex *both, gsize side, Ring *rings, gsize n_rings)
{
  for (gsize y = 0; y < side; y++) {
    const double complex *here = both + y * side, *opposite = both + (side - y) % side * side;
    const double          fy = (double) get_frequency(y, side);

    for (gsize x = 0; x <= side / 2; x++) {
      const gsize ring = (gsize) (sqrt(fy * fy + (double) (x * x)) + 0.5);

      if (ring < n_rings)
        add_frequency(&rings[ring], here[x], opposite[(side - x) % side],
                      x == 0 || 2 * x == side ? 1 : 2);
    }
  }
}

static double
get_half_bit(gsize n)
{
  const double root = sqrt((double) n);

  return (0.2071 + 1.9102 / root) / (1.2071 + 0.9102 / root);
}

/* @thresholds: (nullable): one per ring; NULL: @level for all */
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

/* Fills the arrays of @result, which are allocated. */
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
  double              *taper_weights = lac_scratch_take(scratch, side * sizeof *taper_weights);
  Ring                *rings = lac_scratch_take(scratch, n * sizeof *rings);
  double               power = 0;

  memset(rings, 0, n * sizeof *rings);
  for (gsize i = 0; i < side; i++)
    taper_weights[i] = get_taper(i, side);
  join_images(image, truth, side, taper == LAC_TAPER_EDGES ? taper_weights : NULL, both);
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

/* ---- modulation transfer ---- */

#define FINER       4    /* profile samples per pixel, for a slanted edge */
#define LEAST_SIDE  8    /* rows and columns of an edge */
#define PASSES      3    /* iterations of the edge fit */
#define AROUND_RING 1.0  /* pixels: half width of a ring of the star */
#define AROUND      0.25 /* fraction of the columns searched around the edge for its middle */

void
lac_transfer_curve_free(LacTransferCurve *curve)
{
  if (curve == NULL)
    return;
  g_free(curve->frequency);
  g_free(curve->transfer);
  g_free(curve);
}

double
lac_transfer_cutoff(const LacTransferCurve *curve, double level)
{
  for (gsize i = 1; i < curve->n; i++) {
    const double before = curve->transfer[i - 1], here = curve->transfer[i];

    if (here < level)
      return curve->frequency[i - 1] +
             (before - level) / (before - here) * (curve->frequency[i] - curve->frequency[i - 1]);
  }
  return curve->n > 0 ? curve->frequency[curve->n - 1] : 0;
}

/* ---- modulation transfer of an edge ---- */

typedef struct {
  const double *image;
  gsize         rows, columns;
  double        at, slope; /* the edge: x = at + slope y */
} Edge;

/* Returns the centroid of the change along a row, searched about @near; NaN: the row does not change there. */
static double
find_middle(const Edge *edge, gsize y, double near, double reach)
{
  const double *row = edge->image + y * edge->columns;
  double        sum = 0, moment = 0;

  for (gsize x = 0; x + 1 < edge->columns; x++) {
    const double place = (double) x + 0.5;

    if (fabs(place - near) > reach)
      continue;
    sum += row[x + 1] - row[x];
    moment += (row[x + 1] - row[x]) * place;
  }
  return sum != 0 ? moment / sum : (double) NAN;
}

/* Fits a straight line through the middles of all rows. */
static gboolean
fit_edge(Edge *edge, double reach)
{
  double n = 0, y_sum = 0, x_sum = 0, yy = 0, yx = 0;

  for (gsize y = 0; y < edge->rows; y++) {
    const double middle = find_middle(edge, y, edge->at + edge->slope * (double) y, reach);

    if (isnan(middle))
      continue;
    n++;
    y_sum += (double) y;
    x_sum += middle;
    yy += (double) y * (double) y;
    yx += (double) y * middle;
  }
  const double spread = n * yy - y_sum * y_sum;
  if (n < 2 || spread <= 0)
    return FALSE;
  edge->slope = (n * yx - y_sum * x_sum) / spread;
  edge->at = (x_sum - edge->slope * y_sum) / n;
  return fabs(edge->slope) <= 1 && edge->at > -(double) edge->columns &&
         edge->at < 2 * (double) edge->columns;
}

static gboolean
find_edge(Edge *edge)
{
  edge->at = (double) (edge->columns - 1) / 2;
  edge->slope = 0;
  for (int pass = 0; pass < PASSES; pass++)
    if (!fit_edge(edge, (pass == 0 ? 1 : AROUND) * (double) edge->columns))
      return FALSE;
  return TRUE;
}

/* Averages all pixels at each distance from the edge; @n: bins of 1/finer pixel about the middle. An empty bin copies
 * its neighbour. @counts: [n] scratch */
static void
make_profile(const Edge *edge, guint finer, gsize n, double *profile, double *counts)
{
  const double across = 1 / sqrt(1 + edge->slope * edge->slope);

  memset(profile, 0, n * sizeof *profile);
  memset(counts, 0, n * sizeof *counts);
  for (gsize y = 0; y < edge->rows; y++)
    for (gsize x = 0; x < edge->columns; x++) {
      const double distance = ((double) x - edge->at - edge->slope * (double) y) * across;
      const double place = floor(distance * finer + (double) n / 2 + 0.5);

      if (place < 0 || place >= (double) n)
        continue;
      profile[(gsize) place] += edge->image[y * edge->columns + x];
      counts[(gsize) place]++;
    }
  for (gsize i = 0; i < n; i++)
    if (counts[i] > 0)
      profile[i] /= counts[i];
    else if (i > 0)
      profile[i] = profile[i - 1];
  for (gsize i = n - 1; i-- > 0;)
    if (counts[i] <= 0 && profile[i] == 0)
      profile[i] = profile[i + 1];
}

/* Returns a window that is flat over the middle half and falls off as a raised cosine. */
static double
get_window(gsize i, gsize n)
{
  const double from_middle = fabs((double) i + 0.5 - (double) n / 2) / ((double) n / 2);

  return from_middle < 0.5 ? 1 : 0.5 + 0.5 * cos(2 * G_PI * (from_middle - 0.5));
}

static double
sinc(double x)
{
  return fabs(x) < 1e-12 ? 1 : sin(G_PI * x) / (G_PI * x);
}

/* @spread: (inout): the profile, then its derivative; @curve: (inout): arrays of curve->n values */
static void
transform_profile(double *spread, gsize n, guint finer, LacTransferCurve *curve)
{
  const double step = 1.0 / finer;
  double       before = spread[0], total = 0;

  for (gsize i = 0; i < n; i++) {
    const double here = spread[i], next = spread[MIN(i + 1, n - 1)];

    spread[i] = (next - before) / 2 * get_window(i, n);
    before = here;
    total += spread[i];
  }
  for (gsize k = 0; k < curve->n; k++) {
    const double frequency = (double) k / ((double) n * step);
    double       real = 0, imaginary = 0;

    for (gsize i = 0; i < n; i++) {
      const double angle = 2 * G_PI * (double) (k * i % n) / (double) n;
      real += spread[i] * cos(angle);
      imaginary -= spread[i] * sin(angle);
    }
    /* compensates the attenuation by the two-bin difference and by the bin width */
    const double own = sinc(2 * frequency * step) * (finer > 1 ? sinc(frequency * step) : 1);
    curve->frequency[k] = frequency;
    curve->transfer[k] = own > 0.05 ? hypot(real, imaginary) / fabs(total) / own : 0;
  }
}

/* Returns a curve of @n points in memory of @scratch. */
static LacTransferCurve
take_curve(LacScratch *scratch, gsize n)
{
  return (LacTransferCurve){
    .n = n,
    .frequency = lac_scratch_take(scratch, n * sizeof(double)),
    .transfer = lac_scratch_take(scratch, n * sizeof(double)),
  };
}

LacTransferCurve
lac_transfer_read_edge(LacScratch *scratch, const double *image, gsize rows, gsize columns)
{
  Edge edge = {image, rows, columns, 0, 0};

  if (rows < LEAST_SIDE || columns < LEAST_SIDE || !find_edge(&edge))
    return (LacTransferCurve){0};
  /* all pixels of a row-aligned edge lie at the same few distances */
  const guint  finer = fabs(edge.slope) * (double) rows >= 1 ? FINER : 1;
  const double mean = edge.at + edge.slope * (double) (rows - 1) / 2;
  const double room = MIN(mean, (double) (columns - 1) - mean);
  const gsize  n = 2 * (gsize) MAX(room * finer, 0);

  if (n < LEAST_SIDE)
    return (LacTransferCurve){0};
  LacTransferCurve curve = take_curve(scratch, n / (finer > 1 ? finer : 2) + 1);
  double          *profile = lac_scratch_take(scratch, (n + 1) * sizeof *profile);
  double          *counts = lac_scratch_take(scratch, n * sizeof *counts);
  if (finer ==
      1) /* the pixels themselves are the profile, regardless of the edge's subpixel position */
    edge = (Edge){image, rows, columns, round(mean), 0};
  make_profile(&edge, finer, n, profile, counts);
  if (profile[0] == profile[n - 1])
    return (LacTransferCurve){0};
  transform_profile(profile, n, finer, &curve);
  return curve;
}

static LacTransferCurve *
copy_curve(const LacTransferCurve *read)
{
  LacTransferCurve *curve = g_new0(LacTransferCurve, 1);

  curve->n = read->n;
  curve->frequency = g_memdup2(read->frequency, read->n * sizeof *read->frequency);
  curve->transfer = g_memdup2(read->transfer, read->n * sizeof *read->transfer);
  return curve;
}

LacTransferCurve *
lac_transfer_from_edge(const double *image, gsize rows, gsize columns)
{
  g_autoptr(LacScratch)  scratch = lac_scratch_new();
  const LacTransferCurve read = lac_transfer_read_edge(scratch, image, rows, columns);

  return read.n > 0 ? copy_curve(&read) : NULL;
}

/* ---- modulation transfer of a star ---- */

/* Least squares of a + b cos(n t) + c sin(n t) over the pixels of a ring, by normal equations. */
typedef struct {
  double m[3][3], right[3];
} Fit;

static void
add_to_fit(Fit *fit, double angle, double value)
{
  const double terms[3] = {1, cos(angle), sin(angle)};

  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      fit->m[i][j] += terms[i] * terms[j];
    fit->right[i] += terms[i] * value;
  }
}

static double
determinant(const double m[3][3])
{
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Returns: NaN when the pixels do not determine it. */
static double
get_modulation(const Fit *fit)
{
  const double whole = determinant(fit->m);
  double       solution[3];

  if (fabs(whole) <= 1e-9 * fit->m[0][0] * fit->m[0][0] * fit->m[0][0])
    return NAN;
  for (int k = 0; k < 3; k++) {
    double m[3][3];

    memcpy(m, fit->m, sizeof m);
    for (int i = 0; i < 3; i++)
      m[i][k] = fit->right[i];
    solution[k] = determinant((const double(*)[3]) m) / whole;
  }
  return solution[0] > 0 ? hypot(solution[1], solution[2]) / solution[0] : (double) NAN;
}

static double
read_ring(const double *image, gsize side, guint n_spokes, double radius)
{
  const double middle = (double) side / 2;
  Fit          fit = {0};

  for (gsize y = 0; y < side; y++)
    for (gsize x = 0; x < side; x++) {
      const double v = (double) y + 0.5 - middle, u = (double) x + 0.5 - middle;

      if (fabs(hypot(u, v) - radius) <= AROUND_RING)
        add_to_fit(&fit, n_spokes * atan2(v, u), image[y * side + x]);
    }
  return get_modulation(&fit) * G_PI / 4;
}

LacTransferCurve
lac_transfer_read_star(LacScratch   *scratch,
                       const double *image,
                       gsize         side,
                       guint         n_spokes,
                       double        rim)
{
  /* the rim must not cut a pixel of the ring */
  const double     largest = rim - AROUND_RING - 1, smallest = n_spokes / G_PI;
  const gsize      most = largest > smallest ? (gsize) (largest - smallest) + 2 : 1;
  LacTransferCurve curve = take_curve(scratch, most);

  curve.n = 1;
  curve.frequency[0] = 0;
  curve.transfer[0] = 1;
  for (double radius = largest; radius >= smallest && curve.n < most; radius--) {
    const double transfer = read_ring(image, side, n_spokes, radius);

    if (isnan(transfer))
      continue;
    curve.frequency[curve.n] = n_spokes / (2 * G_PI * radius);
    curve.transfer[curve.n++] = transfer;
  }
  return curve;
}

LacTransferCurve *
lac_transfer_from_star(const double *image, gsize side, guint n_spokes, double rim)
{
  g_autoptr(LacScratch)  scratch = lac_scratch_new();
  const LacTransferCurve read = lac_transfer_read_star(scratch, image, side, n_spokes, rim);

  return copy_curve(&read);
}
