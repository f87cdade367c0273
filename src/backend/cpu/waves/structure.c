/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structural dissimilarity on the CPU: similarity and its adjoint through the same windows, of one image in one thread. */
#include "backend/structure.h"

#include "backend/cpu/waves/object.h"
#include "base/pool.h"

#include <string.h>

#define REACH     LAC_STRUCTURE_REACH
#define MOST_PART 512 /* elements of a row at a time */

/* Scratch maps, [n] each: local moments, later their adjoints; then the images at all scales, and their adjoints. */
enum { MEAN_X, MEAN_Y, XX, YY, XY, ROWS, N_MAPS };
enum { IMAGE, TRUTH, BAR, N_PYRAMIDS };
#define PYRAMID 2 /* [n] of each: all scales together have 4/3 of the first */
G_STATIC_ASSERT(N_MAPS + N_PYRAMIDS * PYRAMID == LAC_STRUCTURE_MAPS);

/* One scale of both images. */
typedef struct {
  gsize         side;
  const double *x, *y; /* [side][side] */
  double       *maps;
  gboolean      has_luminance;
} Scale;

/* Convolves the columns of @x with the window into @y, or applies the adjoint if @back. */
static void
blur_columns(const double *window, const double *x, double *y, gsize n, gboolean back)
{
  memset(y, 0, n * n * sizeof *y);
  for (gsize i = 0; i < n; i++)
    for (int k = -REACH; k <= REACH; k++) {
      const gsize   seen = lac_structure_mirror((gssize) i + k, n);
      const double *from = x + (back ? i : seen) * n;
      double       *to = y + (back ? seen : i) * n;
      for (gsize j = 0; j < n; j++)
        to[j] += window[k + REACH] * from[j];
    }
}

/* Adds to @y what windows centred beyond the ends of a row of @n see of it. */
static void
fold_ends(const double *window, const double *x, double *y, gsize n)
{
  for (gsize i = 0; i < REACH; i++)
    for (int k = (int) i + 1; k <= REACH; k++) {
      const gsize last = n - 1;

      y[(gsize) k - i] += window[REACH - k] * x[i];
      y[last - ((gsize) k - i)] += window[REACH + k] * x[last - i];
    }
}

/* The same for one row, of which a part stands in a buffer between its neighbours: mirrored beyond the ends, or zeros for the
 * adjoint, to which the ends are then added. */
static void
blur_row(const double *window, const double *x, double *y, gsize n, gboolean back)
{
  double part[MOST_PART + 2 * REACH];

  for (gsize first = 0; first < n; first += MOST_PART) {
    const gsize count = MIN(MOST_PART, n - first);

    for (gsize i = 0; i < count + 2 * REACH; i++) {
      const gssize at = (gssize) (first + i) - REACH;

      part[i] = at >= 0 && at < (gssize) n ? x[at] : back ? 0 : x[lac_structure_mirror(at, n)];
    }
    memset(y + first, 0, count * sizeof *y);
    for (int k = 0; k < LAC_STRUCTURE_WINDOW; k++)
      for (gsize i = 0; i < count; i++)
        y[first + i] += window[k] * part[i + (gsize) k];
  }
  if (back)
    fold_ends(window, x, y, n);
}

/* Applies the window, or its adjoint, to a map in place. */
static void
blur(double *map, double *scratch, gsize n, gboolean back)
{
  double window[LAC_STRUCTURE_WINDOW];

  lac_structure_make_window(window);
  blur_columns(window, map, scratch, n, back);
  for (gsize row = 0; row < n; row++)
    blur_row(window, scratch + row * n, map + row * n, n, back);
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
    const LacSimilarity s =
      lac_similarity_find(maps[MEAN_X * n + i], maps[MEAN_Y * n + i], maps[XX * n + i],
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

static double *
get_pyramid(const LacStructure *args, gsize which)
{
  return args->scratch + (N_MAPS + which * PYRAMID) * args->side * args->side;
}

static Scale
scale_of(const LacStructure *args, const LacStructureScales *scales, guint i)
{
  return (Scale){.side = scales->side[i],
                 .x = get_pyramid(args, IMAGE) + scales->at[i],
                 .y = get_pyramid(args, TRUTH) + scales->at[i],
                 .maps = args->scratch,
                 .has_luminance = lac_structure_has_luminance(scales, i)};
}

/* Builds both pyramids. Unmeasured pixels get the same value in both. */
static void
build(const LacStructure *args, const LacStructureScales *scales)
{
  double *image = get_pyramid(args, IMAGE), *truth = get_pyramid(args, TRUTH);

  for (gsize i = 0; i < args->side * args->side; i++) {
    const gboolean known = !(args->measured[i] < 0);

    image[i] = known ? args->scale * args->predicted[i] : 0;
    truth[i] = known ? args->scale * args->measured[i] : 0;
  }
  for (guint i = 0; i + 1 < scales->n; i++) {
    halve(image + scales->at[i], scales->side[i], image + scales->at[i + 1]);
    halve(truth + scales->at[i], scales->side[i], truth + scales->at[i + 1]);
  }
}

/* Runs the reverse pass. The maps of a single scale are still valid. */
static void
go_back(const LacStructure       *args,
        const LacStructureScales *scales,
        const double             *slopes,
        double                   *bar)
{
  memset(bar, 0, PYRAMID * args->side * args->side * sizeof *bar);
  for (guint i = scales->n; i-- > 0;) {
    const Scale scale = scale_of(args, scales, i);
    double     *own = bar + scales->at[i];

    if (i + 1 < scales->n)
      halve_back(bar + scales->at[i + 1], scale.side, own);
    if (scales->n > 1)
      compare(&scale);
    add_slopes(&scale, slopes[i] / (double) (scale.side * scale.side), own);
  }
}

double
lac_structure_find(const LacStructure *args, int is_plain, double weight, double *bar)
{
  const LacStructureScales scales = lac_structure_find_scales(args->side, is_plain);
  double  means[LAC_STRUCTURE_SCALES] = {0}, slopes[LAC_STRUCTURE_SCALES] = {0}, similarity;
  double *image_bar = get_pyramid(args, BAR);

  build(args, &scales);
  for (guint i = 0; i < scales.n; i++) {
    const Scale scale = scale_of(args, &scales, i);

    means[i] = compare(&scale);
  }
  similarity = lac_structure_combine(&scales, means, slopes);
  if (bar) {
    go_back(args, &scales, slopes, image_bar);
    for (gsize i = 0; i < args->side * args->side; i++)
      bar[i] = args->measured[i] < 0 ? 0 : -weight * args->scale / 2 * image_bar[i];
  }
  return (1 - similarity) / 2;
}

/* ---- the exposures of the waves ---- */

static void
find_amplitudes(const LacWaves *args, gsize slot, double *amplitudes)
{
  const gsize n = args->detector * args->detector, first = slot * args->n_along * n;

  for (gsize i = 0; i < n; i++) {
    double sum = 0;

    for (gsize along = 0; along < args->n_along; along++) {
      const gsize  at = 2 * (first + along * n + i);
      const float *f = (const float *) args->fields + at;
      const double re = args->type == LAC_F32 ? (double) f[0] : ((const double *) args->fields)[at];
      const double im =
        args->type == LAC_F32 ? (double) f[1] : ((const double *) args->fields)[at + 1];

      sum += re * re + im * im;
    }
    amplitudes[i] = sqrt(sum / (double) args->n_along);
  }
}

static void
structure_slot(gsize slot, guint worker, gpointer user_data)
{
  const LacWaves   *args = user_data;
  const gsize       n = args->detector * args->detector;
  const LacWaveSlot seen = args->slots[slot];
  const double      weights[] = {args->weight_ms_ssim, args->weight_ssim}; /* by is_plain */
  double           *room = args->maps + worker * LAC_WAVE_MAPS * n, *bar = room + n;
  double           *to = args->dissimilarities + slot * (1 + n);

  memset(to, 0, (1 + n) * sizeof *to);
  if (seen.visit < 0)
    return;
  find_amplitudes(args, slot, room);
  for (int is_plain = 0; is_plain < 2; is_plain++) {
    const LacStructure images = {.side = args->detector,
                                 .predicted = room,
                                 .measured = args->amplitudes + (gsize) seen.visit * n,
                                 .scale = (double) args->detector / (double) args->grid,
                                 .scratch = room + 2 * n};

    if (weights[is_plain] == 0)
      continue;
    to[0] += weights[is_plain] * lac_structure_find(&images, is_plain, weights[is_plain], bar);
    for (gsize i = 0; i < n; i++)
      to[1 + i] += bar[i];
  }
}

LacStatus
lac_cpu_structure(void *self G_GNUC_UNUSED, const LacWaves *args)
{
  if (args->pool && lac_pool_get_n_threads(args->pool) <= args->n_maps)
    lac_pool_run(args->pool, args->n_slots, structure_slot, (gpointer) args);
  else
    for (gsize slot = 0; slot < args->n_slots; slot++)
      structure_slot(slot, 0, (gpointer) args);
  return LAC_STATUS_OK;
}
