/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Normalising over the pixels of each channel. Channels of one chunk are done in one go, larger ones in two, between which the
 * chunks' statistics are put together in order.
 * Reverse: y_bar = scale / sigma (g - mean(g) - d mean(g d) / sigma^2), d = y - mean(y): every pixel moves every other. */
#include "experiment/imaging/decoder-network-private.h"

#include <math.h>

#define EPSILON 1e-5 /* inside the root */

typedef struct {
  LacDecoder     *decoder;
  LacNormalising *it;
} Work;

/* Of all chunks; Chan, Golub and LeVeque (1983), eq. 2.1. */
static LacPlaneMoments
moments_of(const LacNormalising *it, gsize channel)
{
  LacPlaneMoments all = it->moments[channel * it->n_chunks];

  for (gsize k = 1; k < it->n_chunks; k++) {
    const LacPlaneMoments part = it->moments[channel * it->n_chunks + k];
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
  const LacDecoder     *decoder = work->decoder;
  const LacNormalising *it = work->it;
  const gsize  first = chunk * it->n_rows, image_first = it->n_phases == 4 ? 2 * first : first;
  const gsize  image = channel * it->image.stride + image_first * it->image.pitch;
  LacPlaneRows rows = {
    .image = lac_decoder_work(decoder, it->image_at + image),
    .image_bar = lac_decoder_work(decoder, it->image_bar_at + image),
    .n_phases = it->n_phases,
    .n_rows = MIN(it->n_rows, it->side - first),
    .width = it->side,
    .pitch = it->pitch,
    .image_pitch = it->image.pitch,
  };

  for (gsize p = 0; p < it->n_phases; p++) {
    const gsize at = p * it->phase_stride + channel * it->stride + first * it->pitch;
    rows.phases[p] = lac_decoder_work(decoder, it->y + at);
    rows.phases_bar[p] = lac_decoder_work(decoder, it->y_bar + at);
  }
  return rows;
}

/* Returns: 1 / sigma */
static double
set_formula(const Work *work, gsize channel, LacPlaneRows *rows)
{
  const LacNormalising *it = work->it;
  const gpointer        scales = lac_decoder_theta(work->decoder, it->scales);
  const LacPlaneMoments moments = moments_of(it, channel);
  const double          inverse = inverse_deviation(&moments);

  rows->mean = moments.mean;
  rows->scale = lac_decoder_number(work->decoder, scales, channel) * inverse;
  rows->offset = lac_decoder_number(work->decoder, scales, it->n + channel);
  return inverse;
}

static void
take_moments(const Work *work, gsize channel, gsize chunk)
{
  const LacPlaneRows rows = rows_of(work, channel, chunk);

  work->it->moments[channel * work->it->n_chunks + chunk] = work->decoder->kernels->moments(&rows);
}

static void
write_image(const Work *work, gsize channel, gsize chunk)
{
  LacPlaneRows rows = rows_of(work, channel, chunk);

  set_formula(work, channel, &rows);
  work->decoder->kernels->normalise(&rows);
}

static void
take_sums(const Work *work, gsize channel, gsize chunk)
{
  LacPlaneRows rows = rows_of(work, channel, chunk);

  set_formula(work, channel, &rows);
  work->it->sums[channel * work->it->n_chunks + chunk] =
    work->decoder->kernels->normalise_sums(&rows);
}

static void
write_bars(const Work *work, gsize channel, gsize chunk)
{
  const LacNormalising *it = work->it;
  const double          n = (double) (it->n_phases * it->side * it->side);
  LacPlaneRows          rows = rows_of(work, channel, chunk);
  const double          inverse = set_formula(work, channel, &rows);
  double                g = 0, g_times_distance = 0;

  for (gsize k = 0; k < it->n_chunks; k++) {
    g += it->sums[channel * it->n_chunks + k].g;
    g_times_distance += it->sums[channel * it->n_chunks + k].g_times_distance;
  }
  if (chunk == 0) {
    const gpointer bars = lac_decoder_gradient(work->decoder, it->scales);
    lac_decoder_put(work->decoder, bars, channel, g_times_distance * inverse);
    lac_decoder_put(work->decoder, bars, it->n + channel, g);
  }
  rows.shift = g / n;
  rows.slope = g_times_distance * inverse * inverse / n;
  work->decoder->kernels->normalise_reverse(&rows);
}

typedef void (*Pass)(const Work *work, gsize channel, gsize chunk);

/* Both passes over a few channels of one chunk. */
static void
together(const Work *work, gsize item, Pass first, Pass second)
{
  const LacNormalising *it = work->it;
  const gsize           begin = item * it->n_together, end = MIN(begin + it->n_together, it->n);

  for (gsize channel = begin; channel < end; channel++) {
    first(work, channel, 0);
    second(work, channel, 0);
  }
}

#define CHUNKED(name, pass)                                           \
  static void name(gsize item, guint worker, gpointer user_data)      \
  {                                                                   \
    const Work *work = user_data;                                     \
    pass(work, item / work->it->n_chunks, item % work->it->n_chunks); \
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

void
lac_decoder_normalise(LacDecoder *decoder, gsize i)
{
  LacNormalising       *it = &decoder->plan.normalisings[i];
  const LacDecoderSpan *span = &decoder->spans[i].normalise;
  Work                  work = {decoder, it};

  if (it->n_chunks == 1) {
    lac_decoder_run(decoder, span, (it->n + it->n_together - 1) / it->n_together, forward_item,
                    &work);
    return;
  }
  lac_decoder_run(decoder, span, it->n * it->n_chunks, moments_item, &work);
  lac_decoder_run(decoder, span, it->n * it->n_chunks, image_item, &work);
}

void
lac_decoder_normalise_reverse(LacDecoder *decoder, gsize i)
{
  LacNormalising       *it = &decoder->plan.normalisings[i];
  const LacDecoderSpan *span = &decoder->spans[i].normalise_reverse;
  Work                  work = {decoder, it};

  if (it->n_chunks == 1) {
    lac_decoder_run(decoder, span, (it->n + it->n_together - 1) / it->n_together, reverse_item,
                    &work);
    return;
  }
  lac_decoder_run(decoder, span, it->n * it->n_chunks, sums_item, &work);
  lac_decoder_run(decoder, span, it->n * it->n_chunks, bars_item, &work);
}
