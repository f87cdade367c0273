/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The convolutions of the decoder, there and back, as products of small matrices with shifted planes. A transposed convolution with
 * stride 2 is four convolutions of 2 x 2 taps, one for each phase of its output: no zero is multiplied. */
#include "experiment/imaging/decoder-convolution.h"

#include <string.h>

#define ITEM_PRODUCTS (1 << 20) /* multiplications of an item, about */
#define LEAST_NUMBERS 48        /* of a plane that an item takes, where there are so many */
#define ROWS          16 /* channels of an item: whole tiles, and whole lines of the cache of weights */

/* How a product over @n_rows channels and whole planes is shared out. */
typedef struct {
  gsize n_rows, n, row_block, block, n_row_blocks, n_blocks;
} Shares;

typedef struct {
  LacDecoder           *decoder;
  const LacConvolution *layer;
  Shares                shares;
} Work;

static gsize
whole_blocks(gsize n)
{
  return (n + LAC_PLANE_BLOCK - 1) / LAC_PLANE_BLOCK * LAC_PLANE_BLOCK;
}

/* @depth: products of each number */
static Shares
share(gsize n_rows, gsize n, gsize depth)
{
  Shares shares = {.n_rows = n_rows, .n = whole_blocks(n)};

  shares.block = CLAMP(ITEM_PRODUCTS / (MIN(n_rows, ROWS) * depth), LEAST_NUMBERS, shares.n);
  shares.block = MAX(shares.block / LEAST_NUMBERS, 1) * LEAST_NUMBERS;
  shares.row_block = MAX(ITEM_PRODUCTS / (shares.block * depth) / ROWS, 1) * ROWS;
  shares.n_blocks = (shares.n + shares.block - 1) / shares.block;
  shares.n_row_blocks = (n_rows + shares.row_block - 1) / shares.row_block;
  return shares;
}

static gsize
n_items(const Shares *shares)
{
  return shares->n_row_blocks * shares->n_blocks;
}

/* Rows and numbers of an item. */
typedef struct {
  gsize row, n_rows, first, n;
} Share;

static Share
share_of(const Shares *shares, gsize item)
{
  const gsize row = item / shares->n_blocks * shares->row_block;
  const gsize first = item % shares->n_blocks * shares->block;

  return (Share){row, MIN(shares->row_block, shares->n_rows - row), first,
                 MIN(shares->block, shares->n - first)};
}

static void
forward_item(gsize item, guint worker, gpointer user_data)
{
  const Work           *work = user_data;
  const LacConvolution *layer = work->layer;
  const gsize           phase = item / n_items(&work->shares);
  const Share           share = share_of(&work->shares, item % n_items(&work->shares));
  LacPlaneTap           taps[LAC_DECODER_MOST_TAPS];
  LacPlaneProduct       product = {
          .taps = taps,
          .n_rows = share.n_rows,
          .depth = layer->n_in,
          .n = share.n,
          .a_row = 1,
          .a_depth = layer->n_out,
          .b_stride = layer->planes.stride,
          .c_stride = layer->planes.stride,
          .c = lac_decoder_work(work->decoder,
                                layer->y + (phase * layer->n_out + share.row) * layer->planes.stride +
                                  share.first),
  };

  for (gsize k = 0; k < layer->n_taps; k++) {
    const gsize weights = layer->weights + k * layer->n_in * layer->n_out + share.row;
    const gsize x = layer->x + share.first + (gsize) layer->shift_of[k];
    if (layer->phase_of[k] == phase)
      taps[product.n_taps++] = (LacPlaneTap){lac_decoder_theta(work->decoder, weights),
                                             lac_decoder_work(work->decoder, x)};
  }
  work->decoder->kernels->product(&product);
}

void
lac_convolution_forward(LacDecoder *decoder, gsize i)
{
  const LacConvolution *layer = &decoder->plan.layers[i];
  const gsize           depth = layer->n_in * layer->n_taps / layer->n_phases;
  Work                  work = {decoder, layer,
                                share(layer->n_out, layer->planes.side * layer->planes.pitch, depth)};

  lac_decoder_run(decoder, &decoder->spans[i].convolve, layer->n_phases * n_items(&work.shares),
                  forward_item, &work);
}

static void
image_item(gsize item, guint worker, gpointer user_data)
{
  const Work           *work = user_data;
  const LacConvolution *layer = work->layer;
  const Share           share = share_of(&work->shares, item);
  LacPlaneTap           taps[LAC_DECODER_MOST_TAPS];
  LacPlaneProduct       product = {
          .taps = taps,
          .n_taps = layer->n_taps,
          .n_rows = share.n_rows,
          .depth = layer->n_out,
          .n = share.n,
          .a_row = layer->n_out,
          .a_depth = 1,
          .b_stride = layer->planes.stride,
          .c_stride = layer->planes.stride,
          .c = lac_decoder_work(work->decoder,
                                layer->x_bar + share.row * layer->planes.stride + share.first),
  };

  for (gsize k = 0; k < layer->n_taps; k++) {
    const gsize weights = layer->weights + (k * layer->n_in + share.row) * layer->n_out;
    const gsize y =
      layer->y_bar + layer->phase_of[k] * layer->n_out * layer->planes.stride + share.first;
    taps[k] = (LacPlaneTap){lac_decoder_theta(work->decoder, weights),
                            lac_decoder_work(work->decoder, y - (gsize) layer->shift_of[k])};
  }
  work->decoder->kernels->product(&product);
}

void
lac_convolution_reverse_image(LacDecoder *decoder, gsize i)
{
  const LacConvolution *layer = &decoder->plan.layers[i];
  const gsize           depth = layer->n_out * layer->n_taps;
  Work work = {decoder, layer, share(layer->n_in, layer->planes.side * layer->planes.pitch, depth)};

  lac_decoder_run(decoder, &decoder->spans[i].image_reverse, n_items(&work.shares), image_item,
                  &work);
}

#define TURNED_NUMBERS 1024 /* of a plane that an item turns */
#define SUMMED_NUMBERS 512  /* of a plane that are summed from zero */

static gsize
n_turned(const LacConvolution *layer)
{
  return (layer->planes.side * layer->planes.pitch + TURNED_NUMBERS - 1) / TURNED_NUMBERS;
}

/* Pieces of the planes of the input, then of each phase of the output's bars. */
static void
turn_item(gsize item, guint worker, gpointer user_data)
{
  const Work           *work = user_data;
  const LacConvolution *layer = work->layer;
  const gsize set = item / n_turned(layer), first = item % n_turned(layer) * TURNED_NUMBERS;
  const gsize n = layer->planes.side * layer->planes.pitch;
  const gsize n_channels = set == 0 ? layer->n_in : layer->n_out;
  const gsize phase = set - 1;
  const gsize from =
    set == 0 ? layer->x : layer->y_bar + phase * layer->n_out * layer->planes.stride;
  const gsize to = set == 0 ? layer->x_turned : layer->y_bar_turned + phase * layer->turned_stride;

  work->decoder->kernels->transpose(&(LacPlaneTranspose){
    .x = lac_decoder_work(work->decoder, from + first),
    .y = lac_decoder_work(work->decoder, to + first * n_channels),
    .x_stride = layer->planes.stride,
    .y_stride = n_channels,
    .n_channels = n_channels,
    .n = MIN(TURNED_NUMBERS, n - first),
  });
}

/* Some input channels of one tap. */
static void
weights_item(gsize item, guint worker, gpointer user_data)
{
  const Work           *work = user_data;
  const LacConvolution *layer = work->layer;
  const gsize           n_numbers = layer->planes.side * layer->planes.pitch;
  const gsize           tap = item / n_items(&work->shares);
  const Share           share = share_of(&work->shares, item % n_items(&work->shares));
  const gsize y = layer->y_bar_turned + layer->phase_of[tap] * layer->turned_stride + share.first;
  LacPlaneTap one;
  LacPlaneProduct product = {
    .taps = &one,
    .n_taps = 1,
    .n_rows = share.n_rows,
    .n = share.n,
    .a_row = 1,
    .a_depth = layer->n_in,
    .b_stride = layer->n_out,
    .c_stride = layer->n_out,
    .c = lac_decoder_gradient(
      work->decoder, layer->weights + (tap * layer->n_in + share.row) * layer->n_out + share.first),
  };

  for (gsize first = 0; first < n_numbers; first += SUMMED_NUMBERS) {
    const gssize seen = (gssize) first - layer->shift_of[tap];
    one.a = lac_decoder_work(work->decoder, layer->x_turned + first * layer->n_in + share.row);
    one.b = lac_decoder_work(work->decoder, y + (gsize) (seen * (gssize) layer->n_out));
    product.depth = MIN(SUMMED_NUMBERS, n_numbers - first);
    product.add = first > 0;
    work->decoder->kernels->product(&product);
  }
}

static void
reverse_weights_by_channels(LacDecoder *decoder, gsize i)
{
  const LacConvolution *layer = &decoder->plan.layers[i];
  const gsize           n = layer->planes.side * layer->planes.pitch;
  Work                  work = {decoder, layer, share(layer->n_in, layer->n_out, n)};

  lac_decoder_run(decoder, &decoder->spans[i].turn, (1 + layer->n_phases) * n_turned(layer),
                  turn_item, &work);
  lac_decoder_run(decoder, &decoder->spans[i].weights_reverse,
                  layer->n_taps * n_items(&work.shares), weights_item, &work);
}

#define DOT_ROWS 4 /* input channels of an item */

static gsize
n_row_blocks(const LacConvolution *layer)
{
  return (layer->n_in + DOT_ROWS - 1) / DOT_ROWS;
}

/* Some input channels with every tap of every output channel over one chunk of the planes. */
static void
dots_item(gsize item, guint worker, gpointer user_data)
{
  const Work           *work = user_data;
  const LacConvolution *layer = work->layer;
  const gsize chunk = item / n_row_blocks(layer), row = item % n_row_blocks(layer) * DOT_ROWS;
  const gsize n = whole_blocks(layer->planes.side * layer->planes.pitch);
  const gsize first = chunk * LAC_DECODER_DOT_NUMBERS;
  const gsize n_columns = layer->n_taps * layer->n_out;
  const void *columns[LAC_DECODER_MOST_TAPS * LAC_DECODER_WIDE_CHANNELS];

  for (gsize k = 0; k < layer->n_taps; k++)
    for (gsize c = 0; c < layer->n_out; c++) {
      const gsize plane =
        layer->y_bar + (layer->phase_of[k] * layer->n_out + c) * layer->planes.stride;
      columns[k * layer->n_out + c] =
        lac_decoder_work(work->decoder, plane + first - (gsize) layer->shift_of[k]);
    }
  work->decoder->kernels->dots(&(LacPlaneDots){
    .p = lac_decoder_work(work->decoder, layer->x + row * layer->planes.stride + first),
    .q = columns,
    .p_stride = layer->planes.stride,
    .n_rows = MIN(DOT_ROWS, layer->n_in - row),
    .n_columns = n_columns,
    .n = MIN(LAC_DECODER_DOT_NUMBERS, n - first),
    .c = lac_decoder_work(work->decoder, layer->partial + (chunk * layer->n_in + row) * n_columns),
  });
}

/* The chunks' sums, added in order. */
static void
add_chunks(LacDecoder *decoder, const LacConvolution *layer)
{
  const gsize    n = layer->n_in * layer->n_taps * layer->n_out;
  const gpointer partial = lac_decoder_work(decoder, layer->partial);
  const gpointer gradient = lac_decoder_gradient(decoder, layer->weights);

  for (gsize row = 0; row < layer->n_in; row++)
    for (gsize tap = 0; tap < layer->n_taps; tap++)
      for (gsize c = 0; c < layer->n_out; c++) {
        const gsize from = (row * layer->n_taps + tap) * layer->n_out + c;
        double      sum = 0;
        for (gsize chunk = 0; chunk < layer->n_chunks; chunk++)
          sum += lac_decoder_number(decoder, partial, chunk * n + from);
        lac_decoder_put(decoder, gradient, (tap * layer->n_in + row) * layer->n_out + c, sum);
      }
}

void
lac_convolution_reverse_weights(LacDecoder *decoder, gsize i)
{
  const LacConvolution *layer = &decoder->plan.layers[i];
  Work                  work = {.decoder = decoder, .layer = layer};

  if (layer->by_channels) {
    reverse_weights_by_channels(decoder, i);
    return;
  }
  lac_decoder_run(decoder, &decoder->spans[i].weights_reverse,
                  layer->n_chunks * n_row_blocks(layer), dots_item, &work);
  add_chunks(decoder, layer);
}
