/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Amplitude losses and their derivatives. */
#include "experiment/imaging/methods/decoder/amplitude-loss.h"

#include <math.h>
#include <string.h>

/* ---- structural dissimilarity at one scale ---- */

/* SSIM and its adjoint through the same windows. */

#define REACH 5 /* of the window: 11 x 11 */
#define SIGMA 1.5
#define C1    (0.01 * 0.01)
#define C2    (0.03 * 0.03)

#define SCALES        5
#define LEAST_SIDE    (2 * REACH + 1) /* of all scales but the first */
#define LEAST_SIMILAR 1e-10           /* lower bound of a scale's mean similarity */

/* Scratch maps, [n] each: local moments, later their adjoints; then the images at all scales, and their adjoints. */
enum { MEAN_X, MEAN_Y, XX, YY, XY, ROWS, N_MAPS };
enum { IMAGE, TRUTH, BAR, N_PYRAMIDS };
#define PYRAMID 2 /* [n] of each: all scales together have 4/3 of the first */
G_STATIC_ASSERT(N_MAPS + N_PYRAMIDS * PYRAMID == LAC_AMPLITUDE_SSIM_MAPS);

/* One scale of both images. */
typedef struct {
  gsize         side;
  const double *x, *y; /* [side][side] */
  double       *maps;
  gboolean      has_luminance; /* TRUE: structure and luminance; FALSE: structure alone */
} Scale;

static void
make_window(double window[2 * REACH + 1])
{
  double sum = 0;

  for (int k = -REACH; k <= REACH; k++)
    sum += window[k + REACH] = exp(-k * k / (2 * SIGMA * SIGMA));
  for (int k = 0; k <= 2 * REACH; k++)
    window[k] /= sum;
}

/* Mirrors an index at the edge without repeating it. */
static gsize
mirror(gssize i, gsize n)
{
  const gssize last = (gssize) n - 1;

  i = ABS(i);
  return (gsize) (i > last ? 2 * last - i : i);
}

/* Convolves the rows of @x with the window into @y, or applies the adjoint if @back; rows are @step elements apart,
 * elements of a row @other. */
static void
blur_along(const double *x, double *y, gsize n, gsize step, gboolean back)
{
  const gsize other = step == 1 ? n : 1;
  double      window[2 * REACH + 1];

  make_window(window);
  memset(y, 0, n * n * sizeof *y);
  for (gsize i = 0; i < n; i++)
    for (int k = -REACH; k <= REACH; k++) {
      const gsize   seen = mirror((gssize) i + k, n);
      const double *from = x + (back ? i : seen) * step;
      double       *to = y + (back ? seen : i) * step;
      for (gsize j = 0; j < n; j++)
        to[j * other] += window[k + REACH] * from[j * other];
    }
}

static void
blur(double *map, double *rows, gsize n, gboolean back)
{
  blur_along(map, rows, n, n, back);
  blur_along(rows, map, n, 1, back);
}

static void
fill_maps(const Scale *scale)
{
  const gsize n = scale->side * scale->side;

  for (gsize i = 0; i < n; i++) {
    const double x = scale->x[i], y = scale->y[i];

    scale->maps[MEAN_X * n + i] = x;
    scale->maps[MEAN_Y * n + i] = y;
    scale->maps[XX * n + i] = x * x;
    scale->maps[YY * n + i] = y * y;
    scale->maps[XY * n + i] = x * y;
  }
}

/* Similarity of one window, and its derivatives with respect to the windowed x, x^2 and x y. */
typedef struct {
  double value, by_x, by_xx, by_xy;
} Similarity;

/* Computes S = A1 A2 / (B1 B2), or A2 / B2. */
static Similarity
find_similarity(double x, double y, double xx, double yy, double xy, gboolean has_luminance)
{
  const double a2 = 2 * (xy - x * y) + C2, b2 = xx - x * x + yy - y * y + C2;
  const double a1 = 2 * x * y + C1, b1 = x * x + y * y + C1;
  const double s = a2 / b2;

  if (!has_luminance)
    return (Similarity){s, (2 * x * s - 2 * y) / b2, -s / b2, 2 / b2};
  return (Similarity){s * a1 / b1,
                      2 * y * (a2 - a1) / (b1 * b2) + 2 * x * s * a1 / b1 * (1 / b2 - 1 / b1),
                      -s * a1 / (b1 * b2), 2 * a1 / (b1 * b2)};
}

/* Returns: the mean similarity; overwrites the maps with the derivatives. */
static double
compare(const Scale *scale)
{
  const gsize n = scale->side * scale->side;
  double     *maps = scale->maps, sum = 0;

  fill_maps(scale);
  for (gsize m = MEAN_X; m <= XY; m++)
    blur(maps + m * n, maps + ROWS * n, scale->side, FALSE);
  for (gsize i = 0; i < n; i++) {
    const Similarity s =
      find_similarity(maps[MEAN_X * n + i], maps[MEAN_Y * n + i], maps[XX * n + i],
                      maps[YY * n + i], maps[XY * n + i], scale->has_luminance);

    sum += s.value;
    maps[MEAN_X * n + i] = s.by_x;
    maps[XX * n + i] = s.by_xx;
    maps[XY * n + i] = s.by_xy;
  }
  return sum / (double) n;
}

/* Adds @weight times the derivatives from compare(), summed over all windows. */
static void
add_slopes(const Scale *scale, double weight, double *bar)
{
  const gsize n = scale->side * scale->side;
  double     *maps = scale->maps;

  blur(maps + MEAN_X * n, maps + ROWS * n, scale->side, TRUE);
  blur(maps + XX * n, maps + ROWS * n, scale->side, TRUE);
  blur(maps + XY * n, maps + ROWS * n, scale->side, TRUE);
  for (gsize i = 0; i < n; i++)
    bar[i] += weight * (maps[MEAN_X * n + i] + 2 * scale->x[i] * maps[XX * n + i] +
                        scale->y[i] * maps[XY * n + i]);
}

/* ---- the images at all scales ---- */

/* Halves the sides by averaging 2 x 2 pixels; an odd last row and column are dropped. */
static void
halve(const double *from, gsize side, double *to)
{
  const gsize half = side / 2;

  for (gsize y = 0; y < half; y++)
    for (gsize x = 0; x < half; x++) {
      const double *four = from + 2 * y * side + 2 * x;

      to[y * half + x] = (four[0] + four[1] + four[side] + four[side + 1]) / 4;
    }
}

static void
halve_back(const double *bar, gsize side, double *to)
{
  const gsize half = side / 2;

  for (gsize y = 0; y < half; y++)
    for (gsize x = 0; x < half; x++) {
      double      *four = to + 2 * y * side + 2 * x;
      const double quarter = bar[y * half + x] / 4;

      four[0] += quarter;
      four[1] += quarter;
      four[side] += quarter;
      four[side + 1] += quarter;
    }
}

typedef struct {
  guint  n;
  Scale  scales[SCALES];
  gsize  at[SCALES];    /* offset of each scale in a pyramid */
  double means[SCALES]; /* similarities */
} Pyramid;

static double *
get_pyramid(const LacAmplitudeLoss *args, gsize which)
{
  return args->scratch + (N_MAPS + which * PYRAMID) * args->n;
}

/* Builds both pyramids. Unmeasured pixels get the same value in both. */
static void
build(const LacAmplitudeLoss *args, guint most, Pyramid *pyramid)
{
  double *image = get_pyramid(args, IMAGE), *truth = get_pyramid(args, TRUTH);
  gsize   side = (gsize) lround(sqrt((double) args->n)), at = 0;

  for (gsize i = 0; i < args->n; i++) {
    const gboolean known = !(args->measured[i] < 0);

    image[i] = known ? args->scale * args->predicted[i] : 0;
    truth[i] = known ? args->scale * args->measured[i] : 0;
  }
  for (pyramid->n = 0; pyramid->n < most && (pyramid->n == 0 || side >= LEAST_SIDE); pyramid->n++) {
    pyramid->at[pyramid->n] = at;
    pyramid->scales[pyramid->n] = (Scale){
      .side = side,
      .x = image + at,
      .y = truth + at,
      .maps = args->scratch,
      .has_luminance = most == 1 || pyramid->n == SCALES - 1,
    };
    halve(image + at, side, image + at + side * side);
    halve(truth + at, side, truth + at + side * side);
    at += side * side;
    side /= 2;
  }
}

/* Returns the weighted geometric mean over the scales. @slopes: (out): derivative with respect to each scale's mean */
static double
combine(const Pyramid *pyramid, double *slopes)
{
  static const double weights[SCALES] = {0.0448, 0.2856, 0.3001, 0.2363, 0.1333};
  double              sum = 0, exponent = 0, product;

  for (guint i = 0; i < pyramid->n; i++) {
    sum += weights[i];
    exponent += weights[i] * log(CLAMP(pyramid->means[i], LEAST_SIMILAR, 1));
  }
  product = exp(exponent / sum);
  for (guint i = 0; i < pyramid->n; i++)
    slopes[i] = pyramid->means[i] > LEAST_SIMILAR && pyramid->means[i] <= 1
                  ? product * weights[i] / (sum * pyramid->means[i])
                  : 0;
  return product;
}

/* Runs the reverse pass. @has_maps: the maps of a single scale are still valid */
static void
go_back(const LacAmplitudeLoss *args,
        const Pyramid          *pyramid,
        const double           *slopes,
        gboolean                has_maps,
        double                 *bar)
{
  memset(bar, 0, PYRAMID * args->n * sizeof *bar);
  for (guint i = pyramid->n; i-- > 0;) {
    const Scale *scale = &pyramid->scales[i];
    double      *own = bar + pyramid->at[i];

    if (i + 1 < pyramid->n)
      halve_back(bar + pyramid->at[i + 1], scale->side, own);
    if (!has_maps)
      compare(scale);
    add_slopes(scale, slopes[i] / (double) (scale->side * scale->side), own);
  }
}

/* Computes lac_amplitude_loss() for ssim and ms-ssim alone. */
static double
find_dissimilarity(const LacAmplitudeLoss *args, double weight, double *predicted_bar)
{
  const gboolean is_plain = args->kind == LAC_LOSS_SSIM;
  double        *bar = get_pyramid(args, BAR), slopes[SCALES] = {1}, similarity;
  Pyramid        pyramid;

  build(args, is_plain ? 1 : SCALES, &pyramid);
  for (guint i = 0; i < pyramid.n; i++)
    pyramid.means[i] = compare(&pyramid.scales[i]);
  similarity = is_plain ? pyramid.means[0] : combine(&pyramid, slopes);
  if (predicted_bar) {
    go_back(args, &pyramid, slopes, pyramid.n == 1, bar);
    for (gsize i = 0; i < args->n; i++)
      predicted_bar[i] = args->measured[i] < 0 ? 0 : -weight * args->scale / 2 * bar[i];
  }
  return (1 - similarity) / 2;
}

/* ---- the losses ---- */

#define TINY 1e-8

/* Sums over the measured image. */
typedef struct {
  double n, size, energy; /* of the measured pixels */
} Measured;

static Measured
sum_measured(const LacAmplitudeLoss *args)
{
  Measured sum = {0};

  for (gsize i = 0; i < args->n; i++) {
    const double y = args->measured[i];
    if (y < 0)
      continue;
    sum.n++;
    sum.size += y;
    sum.energy += y * y;
  }
  return sum;
}

static double
scale_of(const LacAmplitudeLoss *args, const Measured *sum)
{
  if (!args->normalised)
    return 1 / sum->n;
  if (args->kind == LAC_LOSS_L1)
    return 1 / (sum->size + sum->n * (args->floor + TINY));
  return 1 / (sum->energy + sum->n * (args->floor * args->floor + TINY));
}

static inline double
sign_of(double x)
{
  return (x > 0) - (x < 0);
}

static double
find_distance(const LacAmplitudeLoss *args, double weight, double *predicted_bar)
{
  const Measured sum = sum_measured(args);
  const double   scale = sum.n > 0 ? scale_of(args, &sum) : 0;
  double         loss = 0;

  for (gsize i = 0; i < args->n; i++) {
    const double   off = args->measured[i] < 0 ? 0 : args->predicted[i] - args->measured[i];
    const gboolean is_l1 = args->kind == LAC_LOSS_L1;

    loss += is_l1 ? fabs(off) : off * off;
    if (predicted_bar)
      predicted_bar[i] = weight * scale * (is_l1 ? sign_of(off) : 2 * off);
  }
  return loss * scale;
}

/* Adds up the weighted losses. The derivatives may overwrite the prediction, so they are summed in scratch memory. */
static double
add_parts(const LacAmplitudeLoss *args, double weight, double *predicted_bar)
{
  double          *sum = args->scratch + LAC_AMPLITUDE_SSIM_MAPS * args->n, *bar = sum + args->n;
  LacAmplitudeLoss part = *args;
  double           loss = 0;

  memset(sum, 0, args->n * sizeof *sum);
  for (int kind = 0; kind < LAC_LOSS_COMPOSITE; kind++) {
    if (args->weights[kind] == 0)
      continue;
    part.kind = (LacAmplitudeLossKind) kind;
    loss += args->weights[kind] *
            lac_amplitude_loss(&part, weight * args->weights[kind], predicted_bar ? bar : NULL);
    for (gsize i = 0; i < args->n && predicted_bar; i++)
      sum[i] += bar[i];
  }
  if (predicted_bar)
    memcpy(predicted_bar, sum, args->n * sizeof *sum);
  return loss;
}

double
lac_amplitude_loss(const LacAmplitudeLoss *args, double weight, double *predicted_bar)
{
  switch (args->kind) {
  case LAC_LOSS_L1:
  case LAC_LOSS_L2: return find_distance(args, weight, predicted_bar);
  case LAC_LOSS_SSIM:
  case LAC_LOSS_MS_SSIM: return find_dissimilarity(args, weight, predicted_bar);
  case LAC_LOSS_COMPOSITE: return add_parts(args, weight, predicted_bar);
  case LAC_N_LOSSES: break;
  }
  g_assert_not_reached();
}
