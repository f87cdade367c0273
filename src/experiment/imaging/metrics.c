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

/* Images, squares and product. */
enum { A, B, AA, BB, AB, N_MEANS };

/* Local means row by row: of each row those along x are kept until no row needs them any more. */
typedef struct {
  const double *image, *truth;
  gsize         side;
  gsize        *place;             /* [side + 2 REACH]: fold() of -REACH and on */
  double        weight[REACH + 1]; /* from the middle outwards */
  double       *line;              /* [N_MEANS][side + 2 REACH] */
  double       *kept;              /* [TAPS][N_MEANS][side] */
  double       *means;             /* [N_MEANS][side]: of the row that is asked for */
  gsize         n_rows;            /* so many have been smoothed along x */
} Window;

static void
window_init(Window *window, const double *image, const double *truth, gsize side, Mirror mirror)
{
  double sum = 0;

  *window = (Window){.image = image, .truth = truth, .side = side};
  window->place = g_new(gsize, side + 2 * REACH);
  window->line = g_new(double, N_MEANS *(side + 2 * REACH));
  window->kept = g_new(double, TAPS *N_MEANS *side);
  window->means = g_new(double, N_MEANS *side);
  for (gsize i = 0; i < side + 2 * REACH; i++)
    window->place[i] = fold((gssize) i - REACH, side, mirror);
  for (int t = 0; t <= REACH; t++) {
    window->weight[t] = exp(-t * t / (2 * SIGMA * SIGMA));
    sum += (t == 0 ? 1 : 2) * window->weight[t];
  }
  for (int t = 0; t <= REACH; t++)
    window->weight[t] /= sum;
}

static void
window_clear(Window *window)
{
  g_free(window->place);
  g_free(window->line);
  g_free(window->kept);
  g_free(window->means);
}

/* @smooth: [n]: the mean about each of n places of what eleven lines hold there */
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
  const gsize   n = window->side, width = n + 2 * REACH;
  double       *line = window->line, *kept = window->kept + y % TAPS * N_MEANS * n;
  const double *image = window->image + y * n, *truth = window->truth + y * n;

  for (gsize i = 0; i < width; i++) {
    const double a = image[window->place[i]], b = truth[window->place[i]];

    line[A * width + i] = a;
    line[B * width + i] = b;
    line[AA * width + i] = a * a;
    line[BB * width + i] = b * b;
    line[AB * width + i] = a * b;
  }
  for (gsize m = 0; m < N_MEANS; m++) {
    const double *lines[TAPS];

    for (gsize t = 0; t < TAPS; t++)
      lines[t] = line + m * width + t;
    smooth_lines(window->weight, lines, n, kept + m * n);
  }
}

/* The means of row @y; rows are asked for in their order. */
static void
window_go_to(Window *window, gsize y)
{
  const gsize n = window->side;

  for (; window->n_rows < MIN(y + REACH + 1, n); window->n_rows++)
    smooth_row(window, window->n_rows);
  for (gsize m = 0; m < N_MEANS; m++) {
    const double *lines[TAPS];

    for (gsize t = 0; t < TAPS; t++)
      lines[t] = window->kept + (window->place[y + t] % TAPS * N_MEANS + m) * n;
    smooth_lines(window->weight, lines, n, window->means + m * n);
  }
}

/* @luminance, @structure: [side][side] */
static void
compare_locally(Window *window, double range, double *luminance, double *structure)
{
  const gsize   n = window->side;
  const double  c1 = 0.01 * range * 0.01 * range, c2 = 0.03 * range * 0.03 * range;
  const double *a = window->means + A * n, *b = window->means + B * n;
  const double *aa = window->means + AA * n, *bb = window->means + BB * n;
  const double *ab = window->means + AB * n;

  for (gsize y = 0; y < n; y++) {
    window_go_to(window, y);
#pragma omp simd
    for (gsize x = 0; x < n; x++) {
      const double covariance = ab[x] - a[x] * b[x];
      const double variances = aa[x] - a[x] * a[x] + bb[x] - b[x] * b[x];

      luminance[y * n + x] = (2 * a[x] * b[x] + c1) / (a[x] * a[x] + b[x] * b[x] + c1);
      structure[y * n + x] = (2 * covariance + c2) / (variances + c2);
    }
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

  window_init(&window, image, truth, side, mirror);
  compare_locally(&window, range, map, structure);
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

    window_init(&window, a, b, side, MIRROR_WITHOUT_EDGE);
    compare_locally(&window, range, luminance, structure);
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
