/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Image quality metrics: error, correlation, structural similarity. */
#include "experiment/imaging/metrics/metrics.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define TAPS   11 /* of the Gaussian window */
#define REACH  (TAPS / 2)
#define SIGMA  1.5
#define SCALES 5

double
lac_image_mse(const double *image, const double *truth, gsize n)
{
  double sum = 0;

#pragma omp simd reduction(+ : sum)
  for (gsize i = 0; i < n; i++)
    sum += (image[i] - truth[i]) * (image[i] - truth[i]);
  return sum / (double) n;
}

double
lac_image_psnr(const double *image, const double *truth, gsize n, double range)
{
  return 20 * log10(range / sqrt(lac_image_mse(image, truth, n)));
}

static double
get_mean_square(const double *image, gsize n)
{
  double sum = 0;

#pragma omp simd reduction(+ : sum)
  for (gsize i = 0; i < n; i++)
    sum += image[i] * image[i];
  return sum / (double) n;
}

double
lac_image_rmse(const double *image, const double *truth, gsize n)
{
  return 100 * sqrt(lac_image_mse(image, truth, n) / get_mean_square(truth, n));
}

double
lac_image_correlation(const double *image, const double *truth, gsize n)
{
  double mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;

#pragma omp simd reduction(+ : mean_a, mean_b)
  for (gsize i = 0; i < n; i++) {
    mean_a += image[i];
    mean_b += truth[i];
  }
  mean_a /= (double) n;
  mean_b /= (double) n;
#pragma omp simd reduction(+ : aa, bb, ab)
  for (gsize i = 0; i < n; i++) {
    const double a = image[i] - mean_a, b = truth[i] - mean_b;

    aa += a * a;
    bb += b * b;
    ab += a * b;
  }
  return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : (double) NAN;
}

/* ---- structural similarity ---- */

typedef enum {
  MIRROR_WITHOUT_EDGE, /* 2 1 | 0 1 2 */
  MIRROR_WITH_EDGE,    /* 1 0 | 0 1 2 */
} Mirror;

const char *
lac_ssim_get_name(LacSsimFlavour flavour)
{
  switch (flavour) {
  case LAC_SSIM_WHOLE: return N_("whole image");
  case LAC_SSIM_CROPPED: return N_("3 pixels cropped");
  case LAC_SSIM_VALID: return N_("5 pixels cropped");
  case LAC_SSIM_N_FLAVOURS: break;
  }
  g_return_val_if_reached(NULL);
}

/* Returns the pixel read for an index beyond the edge, folded repeatedly for small images. */
static gsize
fold(gssize i, gsize side, Mirror mirror)
{
  const gssize n = (gssize) side, period = mirror == MIRROR_WITH_EDGE ? 2 * n : MAX(2 * n - 2, 1);

  i = ((i % period) + period) % period;
  if (i < n)
    return (gsize) i;
  return (gsize) (mirror == MIRROR_WITH_EDGE ? period - 1 - i : period - i);
}

/* Images, the sum of their squares, and their product. */
enum { A, B, SQUARES, PRODUCT, N_MEANS };

/* Two images, or the same region of both. */
typedef struct {
  const double *image, *truth;
  gsize         width, height, stride; /* stride: elements from row to row */
} Pair;

static Pair
whole_pair(const double *image, const double *truth, gsize side)
{
  return (Pair){image, truth, side, side, side};
}

/* Sliding window of local means: for each row, the means along x are stored until no output row needs them. */
typedef struct {
  Pair    pair;
  gsize  *across, *down;     /* [width or height + 2 REACH]: fold() of -REACH and on */
  double  weight[REACH + 1]; /* from the middle outwards */
  double *line;              /* [N_MEANS][width + 2 REACH] */
  double *kept;              /* [TAPS][N_MEANS][width] */
  double *means;             /* [N_MEANS][width]: of the current row */
  gsize   n_rows;            /* rows smoothed along x so far */
} Window;

static double *
take(LacScratch *scratch, gsize n)
{
  return lac_scratch_take(scratch, n * sizeof(double));
}

static double *
take_copy(LacScratch *scratch, const double *x, gsize n)
{
  return memcpy(take(scratch, n), x, n * sizeof *x);
}

static gsize *
take_places(LacScratch *scratch, gsize side, Mirror mirror)
{
  gsize *places = lac_scratch_take(scratch, (side + 2 * REACH) * sizeof *places);

  for (gsize i = 0; i < side + 2 * REACH; i++)
    places[i] = fold((gssize) i - REACH, side, mirror);
  return places;
}

static void
window_init(Window *window, const Pair *pair, Mirror mirror, LacScratch *scratch)
{
  const gsize width = pair->width;
  double      sum = 0;

  *window = (Window){.pair = *pair};
  window->across = take_places(scratch, width, mirror);
  window->down = take_places(scratch, pair->height, mirror);
  window->line = take(scratch, N_MEANS * (width + 2 * REACH));
  window->kept = take(scratch, TAPS * N_MEANS * width);
  window->means = take(scratch, N_MEANS * width);
  for (int t = 0; t <= REACH; t++) {
    window->weight[t] = exp(-t * t / (2 * SIGMA * SIGMA));
    sum += (t == 0 ? 1 : 2) * window->weight[t];
  }
  for (int t = 0; t <= REACH; t++)
    window->weight[t] /= sum;
}

/* @smooth: [n]: weighted mean of eleven lines at each of n points */
static void
smooth_lines(const double *weight, const double *const *lines, gsize n, double *restrict smooth)
{
  const double *l0 = lines[0], *l1 = lines[1], *l2 = lines[2], *l3 = lines[3], *l4 = lines[4];
  const double *l5 = lines[5], *l6 = lines[6], *l7 = lines[7], *l8 = lines[8], *l9 = lines[9];
  const double *l10 = lines[10];
  const double  w0 = weight[0], w1 = weight[1], w2 = weight[2], w3 = weight[3], w4 = weight[4];
  const double  w5 = weight[5];

  _Static_assert(REACH == 5, "the sum below has five pairs");
#pragma omp simd
  for (gsize x = 0; x < n; x++)
    smooth[x] = w0 * l5[x] + w1 * (l4[x] + l6[x]) + w2 * (l3[x] + l7[x]) + w3 * (l2[x] + l8[x]) +
                w4 * (l1[x] + l9[x]) + w5 * (l0[x] + l10[x]);
}

static void
smooth_row(Window *window, gsize y)
{
  const Pair   *pair = &window->pair;
  const gsize   n = pair->width, width = n + 2 * REACH;
  double       *line = window->line, *kept = window->kept + y % TAPS * N_MEANS * n;
  const double *image = pair->image + y * pair->stride, *truth = pair->truth + y * pair->stride;

  for (gsize i = 0; i < width; i++) {
    const double a = image[window->across[i]], b = truth[window->across[i]];

    line[A * width + i] = a;
    line[B * width + i] = b;
    line[SQUARES * width + i] = a * a + b * b;
    line[PRODUCT * width + i] = a * b;
  }
  for (gsize m = 0; m < N_MEANS; m++) {
    const double *lines[TAPS];

    for (gsize t = 0; t < TAPS; t++)
      lines[t] = line + m * width + t;
    smooth_lines(window->weight, lines, n, kept + m * n);
  }
}

/* Computes the means of row @y; rows must be visited in order. */
static void
window_go_to(Window *window, gsize y)
{
  const gsize n = window->pair.width;

  for (; window->n_rows < MIN(y + REACH + 1, window->pair.height); window->n_rows++)
    smooth_row(window, window->n_rows);
  for (gsize m = 0; m < N_MEANS; m++) {
    const double *lines[TAPS];

    for (gsize t = 0; t < TAPS; t++)
      lines[t] = window->kept + (window->down[y + t] % TAPS * N_MEANS + m) * n;
    smooth_lines(window->weight, lines, n, window->means + m * n);
  }
}

/* @luminance, @structure: [height][width] */
static void
compare_locally(Window *window, double range, double *luminance, double *structure)
{
  const gsize   n = window->pair.width;
  const double  c1 = 0.01 * range * 0.01 * range, c2 = 0.03 * range * 0.03 * range;
  const double *a = window->means + A * n, *b = window->means + B * n;
  const double *squares = window->means + SQUARES * n, *product = window->means + PRODUCT * n;

  for (gsize y = 0; y < window->pair.height; y++) {
    window_go_to(window, y);
#pragma omp simd
    for (gsize x = 0; x < n; x++) {
      const double covariance = product[x] - a[x] * b[x];
      const double variances = squares[x] - a[x] * a[x] - b[x] * b[x];

      luminance[y * n + x] = (2 * a[x] * b[x] + c1) / (a[x] * a[x] + b[x] * b[x] + c1);
      structure[y * n + x] = (2 * covariance + c2) / (variances + c2);
    }
  }
}

/* @map: [height][width] */
static void
make_map(const Pair *pair, double range, Mirror mirror, LacScratch *scratch, double *map)
{
  const LacScratchMark mark = lac_scratch_mark(scratch);
  const gsize          n = pair->width * pair->height;
  double              *structure = take(scratch, n);
  Window               window;

  window_init(&window, pair, mirror, scratch);
  compare_locally(&window, range, map, structure);
  for (gsize i = 0; i < n; i++)
    map[i] *= structure[i];
  lac_scratch_release(scratch, mark);
}

void
lac_image_ssim_map(const double *image, const double *truth, gsize side, double range, double *map)
{
  g_autoptr(LacScratch) scratch = lac_scratch_new();
  const Pair            pair = whole_pair(image, truth, side);

  make_map(&pair, range, MIRROR_WITHOUT_EDGE, scratch, map);
}

static gsize
get_cut(LacSsimFlavour flavour, gsize side)
{
  gsize cut = flavour == LAC_SSIM_WHOLE ? 0 : flavour == LAC_SSIM_CROPPED ? 3 : REACH;

  while (2 * cut + 1 > side && cut > 0)
    cut--;
  return cut;
}

static double
get_mean(const double *map, gsize side, gsize cut)
{
  const gsize n = side - 2 * cut;
  double      sum = 0;

  for (gsize y = cut; y < side - cut; y++) {
    const double *row = map + y * side;

#pragma omp simd reduction(+ : sum)
    for (gsize x = cut; x < side - cut; x++)
      sum += row[x];
  }
  return sum / (double) (n * n);
}

static double
find_ssim(LacSsimFlavour flavour, const Pair *pair, double range, LacScratch *scratch)
{
  const LacScratchMark mark = lac_scratch_mark(scratch);
  const gsize          side = pair->width;
  double              *map = take(scratch, side * side), mean;

  make_map(pair, range, flavour == LAC_SSIM_WHOLE ? MIRROR_WITHOUT_EDGE : MIRROR_WITH_EDGE, scratch,
           map);
  mean = get_mean(map, side, get_cut(flavour, side));
  lac_scratch_release(scratch, mark);
  return mean;
}

double
lac_image_ssim(LacSsimFlavour flavour,
               const double  *image,
               const double  *truth,
               gsize          side,
               double         range)
{
  g_return_val_if_fail(side > 0, NAN);
  g_autoptr(LacScratch) scratch = lac_scratch_new();
  const Pair            pair = whole_pair(image, truth, side);

  return find_ssim(flavour, &pair, range, scratch);
}

/* Halves the sides by averaging 2 x 2 pixels; an odd last row and column are dropped. */
static void
halve(double *image, gsize side)
{
  const gsize half = side / 2;

  for (gsize y = 0; y < half; y++)
    for (gsize x = 0; x < half; x++) {
      const double *from = image + 2 * y * side + 2 * x;
      image[y * half + x] = (from[0] + from[1] + from[side] + from[side + 1]) / 4;
    }
}

/* Accumulates the scales of MS-SSIM. */
typedef struct {
  int    n; /* scales so far, the index of the next */
  double sum, exponent;
} Scales;

/* @structure: [side][side] of this scale; @luminance: of the last one. */
static void
take_scale(Scales *scales, const double *luminance, double *structure, gsize side)
{
  static const double weights[SCALES] = {0.0448, 0.2856, 0.3001, 0.2363, 0.1333};

  for (gsize i = 0; i < side * side && scales->n == SCALES - 1; i++)
    structure[i] *= luminance[i];
  scales->sum += weights[scales->n];
  scales->exponent += weights[scales->n] * log(CLAMP(get_mean(structure, side, 0), 1e-10, 1));
  scales->n++;
}

/* Computes the remaining scales. @a, @b: the images at the next scale, overwritten. */
static double
finish_scales(Scales scales, double *a, double *b, gsize side, double range, LacScratch *scratch)
{
  while (scales.n < SCALES && (scales.n == 0 || side >= TAPS)) {
    const LacScratchMark mark = lac_scratch_mark(scratch);
    const Pair           pair = whole_pair(a, b, side);
    double *luminance = take(scratch, side * side), *structure = take(scratch, side * side);
    Window  window;

    window_init(&window, &pair, MIRROR_WITHOUT_EDGE, scratch);
    compare_locally(&window, range, luminance, structure);
    take_scale(&scales, luminance, structure, side);
    lac_scratch_release(scratch, mark);
    halve(a, side);
    halve(b, side);
    side /= 2;
  }
  return exp(scales.exponent / scales.sum);
}

static double
find_ms_ssim(const Pair *pair, double range, LacScratch *scratch)
{
  const LacScratchMark mark = lac_scratch_mark(scratch);
  const gsize          side = pair->width, n = side * side;
  double      *a = take_copy(scratch, pair->image, n), *b = take_copy(scratch, pair->truth, n);
  const double found = finish_scales((Scales){0}, a, b, side, range, scratch);

  lac_scratch_release(scratch, mark);
  return found;
}

double
lac_image_ms_ssim(const double *image, const double *truth, gsize side, double range)
{
  g_autoptr(LacScratch) scratch = lac_scratch_new();
  const Pair            pair = whole_pair(image, truth, side);

  return find_ms_ssim(&pair, range, scratch);
}

/* ---- all of them at once ---- */

#define FRAME (REACH - 3) /* lines counted by LAC_SSIM_CROPPED whose windows cross the edge */

/* Sums the lines of a map, at both ends of one axis, that LAC_SSIM_CROPPED counts and LAC_SSIM_VALID does not. */
static double
sum_frame(const Pair *whole, double range, gboolean is_down, LacScratch *scratch)
{
  const LacScratchMark mark = lac_scratch_mark(scratch);
  const gsize          side = whole->width, deep = 2 * REACH;
  double              *map = take(scratch, deep * side);
  double               sum = 0;

  for (int end = 0; end < 2; end++) {
    const gsize from = end ? side - deep : 0, first = end ? deep - REACH : 3;
    const gsize skip = from * (is_down ? whole->stride : 1);
    const Pair  strip = {whole->image + skip, whole->truth + skip, is_down ? side : deep,
                        is_down ? deep : side, whole->stride};
    const gsize cut = is_down ? 3 : REACH; /* the corners are counted with the rows */

    make_map(&strip, range, MIRROR_WITH_EDGE, scratch, map);
    for (gsize i = first; i < first + FRAME; i++)
      for (gsize j = cut; j < side - cut; j++)
        sum += is_down ? map[i * side + j] : map[j * deep + i];
  }
  lac_scratch_release(scratch, mark);
  return sum;
}

/* Derives all variants from one map: windows inside the image do not depend on the treatment of the edge. @map: of
 * LAC_SSIM_WHOLE. */
static void
report_similarities(const Pair        *pair,
                    double             range,
                    const double      *map,
                    LacScratch        *scratch,
                    LacImageQualities *qualities)
{
  const gsize  side = pair->width, valid = side - 2 * REACH, cropped = side - 6;
  const double within = get_mean(map, side, REACH) * (double) (valid * valid);

  qualities->ssim[LAC_SSIM_WHOLE] = get_mean(map, side, 0);
  qualities->ssim[LAC_SSIM_VALID] = within / (double) (valid * valid);
  qualities->ssim[LAC_SSIM_CROPPED] =
    (within + sum_frame(pair, range, TRUE, scratch) + sum_frame(pair, range, FALSE, scratch)) /
    (double) (cropped * cropped);
}

static void
find_similarities(const Pair *pair, double range, LacScratch *scratch, LacImageQualities *qualities)
{
  const LacScratchMark mark = lac_scratch_mark(scratch);
  const gsize          side = pair->width, n = side * side;
  double *a = take_copy(scratch, pair->image, n), *b = take_copy(scratch, pair->truth, n);
  double *map = take(scratch, n), *structure = take(scratch, n);
  Scales  scales = {0};
  Window  window;

  window_init(&window, pair, MIRROR_WITHOUT_EDGE, scratch);
  compare_locally(&window, range, map, structure);
  take_scale(&scales, map, structure, side);
  for (gsize i = 0; i < n; i++)
    map[i] *= structure[i];
  report_similarities(pair, range, map, scratch, qualities);
  halve(a, side);
  halve(b, side);
  qualities->ms_ssim = finish_scales(scales, a, b, side / 2, range, scratch);
  lac_scratch_release(scratch, mark);
}

void
lac_image_qualities_with(LacScratch        *scratch,
                         const double      *image,
                         const double      *truth,
                         gsize              side,
                         double             range,
                         LacImageQualities *qualities)
{
  const gsize  n = side * side;
  const Pair   pair = whole_pair(image, truth, side);
  const double mse = lac_image_mse(image, truth, n);

  qualities->psnr = 20 * log10(range / sqrt(mse));
  qualities->rmse = 100 * sqrt(mse / get_mean_square(truth, n));
  qualities->correlation = lac_image_correlation(image, truth, n);
  if (side >= 4 * REACH) {
    find_similarities(&pair, range, scratch, qualities);
    return;
  }
  for (int flavour = 0; flavour < LAC_SSIM_N_FLAVOURS; flavour++)
    qualities->ssim[flavour] = find_ssim((LacSsimFlavour) flavour, &pair, range, scratch);
  qualities->ms_ssim = find_ms_ssim(&pair, range, scratch);
}

void
lac_image_qualities(const double      *image,
                    const double      *truth,
                    gsize              side,
                    double             range,
                    LacImageQualities *qualities)
{
  g_autoptr(LacScratch) scratch = lac_scratch_new();

  lac_image_qualities_with(scratch, image, truth, side, range, qualities);
}
