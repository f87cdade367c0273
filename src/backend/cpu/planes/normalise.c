/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Normalisation over the pixels of each channel. Channels of one chunk need one pass over the pool, larger ones two,
 * between which the chunks' statistics are combined in order. */
#include "backend/cpu/planes/layers.h"

#include <math.h>

#define EPSILON          1e-5 /* inside the root */
#define ROW_NUMBERS      8192 /* elements of a channel per statistics item */
#define TOGETHER_NUMBERS 4096 /* elements of small channels per item */

#define MOMENTS_DOUBLES (sizeof(LacPlaneMoments) / sizeof(double))
#define SUMS_DOUBLES    (sizeof(LacPlaneSums) / sizeof(double))

typedef struct {
  const LacNormalise    *args;
  const LacPlaneKernels *kernels;
  gsize                  n_rows; /* rows of a chunk */
  gsize n_chunks, n_together;    /* chunks per channel; channels per item, when n_chunks is 1 */
  LacPlaneMoments *moments;      /* [n][n_chunks] */
  LacPlaneSums    *sums;         /* [n][n_chunks] */
} Work;

static Work
work_of(const LacNormalise *args)
{
  const gsize n_numbers = args->n_phases * args->side * args->side;
  Work        work = {
           .args = args,
           .kernels = lac_plane_kernels(args->type),
           .n_rows = CLAMP(ROW_NUMBERS / (args->n_phases * args->side), 1, args->side),
  };

  work.n_chunks = (args->side + work.n_rows - 1) / work.n_rows;
  work.n_together = work.n_chunks > 1 ? 1 : MAX(1, TOGETHER_NUMBERS / n_numbers);
  work.moments = (LacPlaneMoments *) args->sums;
  work.sums = (LacPlaneSums *) (args->sums + MOMENTS_DOUBLES * args->n * work.n_chunks);
  return work;
}

size_t
lac_cpu_planes_normalise_sums(const LacNormalise *args)
{
  return (MOMENTS_DOUBLES + SUMS_DOUBLES) * args->n * work_of(args).n_chunks;
}

/* Combines the moments of all chunks; Chan, Golub and LeVeque (1983), eq. 2.1. */
static LacPlaneMoments
moments_of(const Work *work, gsize channel)
{
  LacPlaneMoments all = work->moments[channel * work->n_chunks];

  for (gsize k = 1; k < work->n_chunks; k++) {
    const LacPlaneMoments part = work->moments[channel * work->n_chunks + k];
    const double          n = all.n + part.n, apart = part.mean - all.mean;
    all.squares += part.squares + apart * apart * all.n * part.n / n;
    all.mean += apart * part.n / n;
    all.n = n;
  }
  return all;
}

static double
inverse_deviation(const LacPlaneMoments *moments)
{
  return 1 / sqrt(moments->squares / moments->n + EPSILON);
}

static LacPlaneRows
rows_of(const Work *work, gsize channel, gsize chunk)
{
  const LacNormalise *args = work->args;
  const gsize  first = chunk * work->n_rows, image_first = args->n_phases == 4 ? 2 * first : first;
  const gsize  image = channel * args->image_stride + image_first * args->image_pitch;
  LacPlaneRows rows = {
    .image = lac_number_at(args->type, args->image, (gssize) image),
    .image_bar = lac_number_at(args->type, args->image_bar, (gssize) image),
    .n_phases = args->n_phases,
    .n_rows = MIN(work->n_rows, args->side - first),
    .width = args->side,
    .pitch = args->pitch,
    .image_pitch = args->image_pitch,
  };

  for (gsize p = 0; p < args->n_phases; p++) {
    const gssize at = (gssize) ((p * args->n + channel) * args->stride + first * args->pitch);
    rows.phases[p] = lac_number_at(args->type, args->y, at);
    rows.phases_bar[p] = lac_number_at(args->type, args->y_bar, at);
  }
  return rows;
}

/* Returns: 1 / sigma */
static double
set_formula(const Work *work, gsize channel, LacPlaneRows *rows)
{
  const LacNormalise   *args = work->args;
  const LacPlaneMoments moments = moments_of(work, channel);
  const double          inverse = inverse_deviation(&moments);

  rows->mean = moments.mean;
  rows->scale = lac_number_get(args->type, args->scales, channel) * inverse;
  rows->offset = lac_number_get(args->type, args->scales, args->n + channel);
  return inverse;
}

static void
take_moments(const Work *work, gsize channel, gsize chunk)
{
  const LacPlaneRows rows = rows_of(work, channel, chunk);

  work->moments[channel * work->n_chunks + chunk] = work->kernels->moments(&rows);
}

static void
write_image(const Work *work, gsize channel, gsize chunk)
{
  LacPlaneRows rows = rows_of(work, channel, chunk);

  set_formula(work, channel, &rows);
  work->kernels->normalise(&rows);
}

static void
take_sums(const Work *work, gsize channel, gsize chunk)
{
  LacPlaneRows rows = rows_of(work, channel, chunk);

  set_formula(work, channel, &rows);
  work->sums[channel * work->n_chunks + chunk] = work->kernels->normalise_sums(&rows);
}

static void
write_bars(const Work *work, gsize channel, gsize chunk)
{
  const LacNormalise *args = work->args;
  const double        n = (double) (args->n_phases * args->side * args->side);
  LacPlaneRows        rows = rows_of(work, channel, chunk);
  const double        inverse = set_formula(work, channel, &rows);
  double              g = 0, g_times_distance = 0;

  for (gsize k = 0; k < work->n_chunks; k++) {
    g += work->sums[channel * work->n_chunks + k].g;
    g_times_distance += work->sums[channel * work->n_chunks + k].g_times_distance;
  }
  if (chunk == 0) {
    lac_number_put(args->type, args->scales_bar, channel, g_times_distance * inverse);
    lac_number_put(args->type, args->scales_bar, args->n + channel, g);
  }
  rows.shift = g / n;
  rows.slope = g_times_distance * inverse * inverse / n;
  work->kernels->normalise_reverse(&rows);
}

typedef void (*Pass)(const Work *work, gsize channel, gsize chunk);

/* Runs both passes over a few channels of one chunk. */
static void
together(const Work *work, gsize item, Pass first, Pass second)
{
  const gsize begin = item * work->n_together, end = MIN(begin + work->n_together, work->args->n);

  for (gsize channel = begin; channel < end; channel++) {
    first(work, channel, 0);
    second(work, channel, 0);
  }
}

#define CHUNKED(name, pass)                                   \
  static void name(gsize item, guint worker, gpointer data)   \
  {                                                           \
    const Work *work = data;                                  \
    pass(work, item / work->n_chunks, item % work->n_chunks); \
  }
CHUNKED(moments_item, take_moments)
CHUNKED(image_item, write_image)
CHUNKED(sums_item, take_sums)
CHUNKED(bars_item, write_bars)

static void
forward_item(gsize item, guint worker, gpointer user_data)
{
  together(user_data, item, take_moments, write_image);
}

static void
reverse_item(gsize item, guint worker, gpointer user_data)
{
  together(user_data, item, take_sums, write_bars);
}

typedef struct {
  LacPoolFunc together, first, second;
} Passes;

static LacStatus
run(const LacNormalise *args, const Passes *passes)
{
  Work        work = work_of(args);
  const gsize n_items = args->n * work.n_chunks;

  if (work.n_chunks == 1) {
    lac_pool_run(args->pool, (args->n + work.n_together - 1) / work.n_together, passes->together,
                 &work);
    return LAC_STATUS_OK;
  }
  lac_pool_run(args->pool, n_items, passes->first, &work);
  lac_pool_run(args->pool, n_items, passes->second, &work);
  return LAC_STATUS_OK;
}

LacStatus
lac_cpu_planes_normalise(void *self, const LacNormalise *args)
{
  return run(args, &(Passes){forward_item, moments_item, image_item});
}

LacStatus
lac_cpu_planes_normalise_reverse(void *self, const LacNormalise *args)
{
  return run(args, &(Passes){reverse_item, sums_item, bars_item});
}
