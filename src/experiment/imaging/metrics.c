/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How near an image comes to the truth: error, correlation, structural similarity. */
#include "experiment/imaging/metrics.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define TAPS   11 /* of the Gaussian window */
#define REACH  (TAPS / 2)
#define SIGMA  1.5
#define SCALES 5

double
lac_image_mse(const double *image, const double *truth, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += (image[i] - truth[i]) * (image[i] - truth[i]);
  return sum / (double) n;
}

double
lac_image_psnr(const double *image, const double *truth, gsize n, double range)
{
  return 20 * log10(range / sqrt(lac_image_mse(image, truth, n)));
}

double
lac_image_rmse(const double *image, const double *truth, gsize n)
{
  double norm = 0;

  for (gsize i = 0; i < n; i++)
    norm += truth[i] * truth[i];
  return 100 * sqrt(lac_image_mse(image, truth, n) / (norm / (double) n));
}

double
lac_image_correlation(const double *image, const double *truth, gsize n)
{
  double mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;

  for (gsize i = 0; i < n; i++) {
    mean_a += image[i];
    mean_b += truth[i];
  }
  mean_a /= (double) n;
  mean_b /= (double) n;
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
  case LAC_SSIM_WHOLE: return N_("whole picture");
  case LAC_SSIM_CROPPED: return N_("3 pixels cut");
  case LAC_SSIM_VALID: return N_("5 pixels cut");
  case LAC_SSIM_N_FLAVOURS: break;
  }
  g_return_val_if_reached(NULL);
}

/* Where a pixel beyond the edge is read: folded as often as a small image needs. */
static gsize
fold(gssize i, gsize side, Mirror mirror)
{
  const gssize n = (gssize) side, period = mirror == MIRROR_WITH_EDGE ? 2 * n : MAX(2 * n - 2, 1);

  i = ((i % period) + period) % period;
  if (i < n)
    return (gsize) i;
  return (gsize) (mirror == MIRROR_WITH_EDGE ? period - 1 - i : period - i);
}

typedef struct {
  gsize   side;
  gsize  *place; /* [side + 2 REACH]: fold() of -REACH and on */
  double  weight[TAPS];
  double *rows; /* [side][side]: filtered along x */
} Window;

static void
window_init(Window *window, gsize side, Mirror mirror)
{
  double sum = 0;

  window->side = side;
  window->place = g_new(gsize, side + 2 * REACH);
  window->rows = g_new(double, side *side);
  for (gsize i = 0; i < side + 2 * REACH; i++)
    window->place[i] = fold((gssize) i - REACH, side, mirror);
  for (int t = 0; t < TAPS; t++)
    sum += window->weight[t] = exp(-(t - REACH) * (t - REACH) / (2 * SIGMA * SIGMA));
  for (int t = 0; t < TAPS; t++)
    window->weight[t] /= sum;
}

static void
window_clear(Window *window)
{
  g_free(window->place);
  g_free(window->rows);
}

/* @smooth: [side][side]: the local means of a product of two images */
static void
window_mean(const Window *window, const double *a, const double *b, double *smooth)
{
  const gsize        n = window->side;
  g_autofree double *line = g_new(double, n + 2 * REACH);

  for (gsize y = 0; y < n; y++) {
    double *row = window->rows + y * n;

    for (gsize i = 0; i < n + 2 * REACH; i++) {
      const gsize at = y * n + window->place[i];
      line[i] = b != NULL ? a[at] * b[at] : a[at];
    }
    for (gsize x = 0; x < n; x++)
      row[x] = 0;
    for (int t = 0; t < TAPS; t++) {
#pragma omp simd
      for (gsize x = 0; x < n; x++)
        row[x] += window->weight[t] * line[x + (gsize) t];
    }
  }
  for (gsize y = 0; y < n; y++) {
    double *row = smooth + y * n;

    for (gsize x = 0; x < n; x++)
      row[x] = 0;
    for (gsize t = 0; t < TAPS; t++) {
      const double *from = window->rows + window->place[y + t] * n;
#pragma omp simd
      for (gsize x = 0; x < n; x++)
        row[x] += window->weight[t] * from[x];
    }
  }
}

/* @luminance, @structure: (nullable): [side][side] */
static void
compare_locally(const double *image,
                const double *truth,
                Window       *window,
                double        range,
                double       *luminance,
                double       *structure)
{
  const gsize        n = window->side * window->side;
  const double       c1 = 0.01 * range * 0.01 * range, c2 = 0.03 * range * 0.03 * range;
  g_autofree double *means = g_new(double, 5 * n);
  double            *a = means, *b = a + n, *aa = b + n, *bb = aa + n, *ab = bb + n;

  window_mean(window, image, NULL, a);
  window_mean(window, truth, NULL, b);
  window_mean(window, image, image, aa);
  window_mean(window, truth, truth, bb);
  window_mean(window, image, truth, ab);
  for (gsize i = 0; i < n; i++) {
    const double covariance = ab[i] - a[i] * b[i];
    const double variances = aa[i] - a[i] * a[i] + bb[i] - b[i] * b[i];

    luminance[i] = (2 * a[i] * b[i] + c1) / (a[i] * a[i] + b[i] * b[i] + c1);
    structure[i] = (2 * covariance + c2) / (variances + c2);
  }
}

static void
make_map(const double *image,
         const double *truth,
         gsize         side,
         double        range,
         Mirror        mirror,
         double       *map)
{
  Window             window;
  g_autofree double *structure = g_new(double, side *side);

  window_init(&window, side, mirror);
  compare_locally(image, truth, &window, range, map, structure);
  for (gsize i = 0; i < side * side; i++)
    map[i] *= structure[i];
  window_clear(&window);
}

void
lac_image_ssim_map(const double *image, const double *truth, gsize side, double range, double *map)
{
  make_map(image, truth, side, range, MIRROR_WITHOUT_EDGE, map);
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

  for (gsize y = cut; y < side - cut; y++)
    for (gsize x = cut; x < side - cut; x++)
      sum += map[y * side + x];
  return sum / (double) (n * n);
}

double
lac_image_ssim(LacSsimFlavour flavour,
               const double  *image,
               const double  *truth,
               gsize          side,
               double         range)
{
  g_return_val_if_fail(side > 0, NAN);
  g_autofree double *map = g_new(double, side *side);

  make_map(image, truth, side, range,
           flavour == LAC_SSIM_WHOLE ? MIRROR_WITHOUT_EDGE : MIRROR_WITH_EDGE, map);
  return get_mean(map, side, get_cut(flavour, side));
}

/* Half as many pixels, each the mean of four; an odd last row and column are left out. */
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

double
lac_image_ms_ssim(const double *image, const double *truth, gsize side, double range)
{
  static const double weights[SCALES] = {0.0448, 0.2856, 0.3001, 0.2363, 0.1333};
  g_autofree double  *a = g_memdup2(image, side * side * sizeof *a);
  g_autofree double  *b = g_memdup2(truth, side * side * sizeof *b);
  g_autofree double  *luminance = g_new(double, side *side);
  g_autofree double  *structure = g_new(double, side *side);
  double              sum = 0, exponent = 0;

  for (int scale = 0; scale < SCALES && (scale == 0 || side >= TAPS); scale++) {
    Window window;

    window_init(&window, side, MIRROR_WITHOUT_EDGE);
    compare_locally(a, b, &window, range, luminance, structure);
    window_clear(&window);
    for (gsize i = 0; i < side * side && scale == SCALES - 1; i++)
      structure[i] *= luminance[i];
    sum += weights[scale];
    exponent += weights[scale] * log(CLAMP(get_mean(structure, side, 0), 1e-10, 1));
    halve(a, side);
    halve(b, side);
    side /= 2;
  }
  return exp(exponent / sum);
}
