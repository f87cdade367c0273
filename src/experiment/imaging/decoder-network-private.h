/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the decoder network share. */
#pragma once

#include "experiment/imaging/decoder-network.h"
#include "tensor/arena.h"

G_BEGIN_DECLS

#define LAC_DECODER_MOST_LAYERS  32
#define LAC_DECODER_MOST_TAPS    16
#define LAC_DECODER_PICTURE_ROWS 16 /* that one item takes */
#define LAC_DECODER_FIRST_SIDE   4  /* of the planes after the first layer */
#define LAC_DECODER_WIDE_CHANNELS \
  16 /* from here on gradients of weights are summed in vectors of channels */
#define LAC_DECODER_DOT_NUMBERS 2048 /* else: of a plane, summed from zero */

/* Where one channel after the other lies: side rows, pitch apart; see backend/planes.h. */
typedef struct {
  gsize side, pitch;
  gsize lead;   /* zeros before the first number */
  gsize stride; /* numbers from channel to channel */
} LacPlaneShape;

/* A convolution: transposed with stride 2 (up) or plain 3 x 3. Offsets are in numbers: of theta where they say so, else of the
 * work arena, and of the first number of the first channel. */
typedef struct {
  gsize         n_in, n_out;
  gboolean      up, last;
  LacPlaneShape planes; /* of its input, and of each phase of its output */
  gsize         n_taps, n_phases;
  gsize         phase_of[LAC_DECODER_MOST_TAPS];
  gssize
    shift_of[LAC_DECODER_MOST_TAPS]; /* the input number that tap sees, less the output number */
  gsize    weights;                  /* in theta: [tap][in][out] */
  gsize    x, x_bar;                 /* [in] */
  gsize    y, y_bar;                 /* [phase][out] */
  gboolean by_channels;              /* how the gradient of the weights is summed */
  gsize    x_turned;                 /* by channels: [number][in] */
  gsize    y_bar_turned;             /* by channels: [phase][number][out], borders included */
  gsize    turned_stride;            /* by channels: numbers from phase to phase */
  gsize    partial;                  /* else: [chunk][in][tap][out] */
  gsize    n_chunks;                 /* likewise */
} LacConvolution;

/* The normalising behind a layer; the last has none. */
typedef struct {
  gsize         n, n_phases;
  gsize         side, pitch, stride, phase_stride; /* of the phases */
  gsize         y, y_bar;
  LacPlaneShape image;
  gsize         image_at, image_bar_at;
  gsize         scales;       /* in theta: n scales, then n offsets */
  gsize         n_rows;       /* of a chunk */
  gsize n_chunks, n_together; /* chunks of a channel; channels of an item, where n_chunks is 1 */
  LacPlaneMoments *moments;   /* [n][n_chunks] */
  LacPlaneSums    *sums;      /* likewise */
} LacNormalising;

/* One recorded interval of a step. */
typedef struct {
  guint32 name;
  double  flops, bytes;
} LacDecoderSpan;

typedef struct {
  LacDecoderSpan convolve, normalise, normalise_reverse, image_reverse, turn, weights_reverse;
} LacLayerSpans;

/* What follows from the settings alone. Layer 0 is the first transposed convolution, of one number a channel. */
typedef struct {
  LacDecoderSettings settings;
  gsize              latent, first; /* numbers; channels after the first layer */
  gsize              n_layers;      /* without layer 0 */
  gsize              side;          /* of the last convolution's planes */
  LacConvolution     layers[LAC_DECODER_MOST_LAYERS];
  LacNormalising     normalisings[LAC_DECODER_MOST_LAYERS]; /* [i]: before layers[i] */
  gsize              z, y0, y0_bar, bias;                   /* theta; work; work; theta */
  gsize              slope, map;                            /* work: of the last planes */
  gsize              n_theta, n_first; /* parameters; of them, the weights of layer 0 */
  gsize              n_work;
} LacDecoderPlan;

struct _LacDecoder {
  LacDecoderPlan         plan;
  LacDecoderMeans        means;
  const LacPlaneKernels *kernels;
  gsize                  size; /* bytes of a number */
  LacArena              *arena;
  guint8                *theta, *m, *v, *gradient, *work; /* gradient: without layer 0's weights */
  guint8                *z_bar;                           /* of the latent vector */
  gint64                 n_updates;
  gint64                 n_steps;   /* for the records */
  double                *bias_sums; /* of each item of rows of the picture */
  LacLayerSpans          spans[LAC_DECODER_MOST_LAYERS];
  LacDecoderSpan span_first, span_bound, span_picture, span_picture_reverse, span_adam_first,
    span_adam;
};

/* Fills everything but the names. */
void lac_decoder_plan(LacDecoderPlan *plan, const LacDecoderSettings *settings);

static inline gpointer
lac_decoder_work(const LacDecoder *decoder, gsize offset)
{
  return decoder->work + offset * decoder->size;
}

static inline gpointer
lac_decoder_theta(const LacDecoder *decoder, gsize offset)
{
  return decoder->theta + offset * decoder->size;
}

/* Of parameter @offset, which is none of layer 0's weights. */
static inline gpointer
lac_decoder_gradient(const LacDecoder *decoder, gsize offset)
{
  return decoder->gradient + (offset - decoder->plan.n_first) * decoder->size;
}

static inline double
lac_decoder_number(const LacDecoder *decoder, gconstpointer numbers, gsize i)
{
  return decoder->size == sizeof(float) ? (double) ((const float *) numbers)[i]
                                        : ((const double *) numbers)[i];
}

static inline void
lac_decoder_put(const LacDecoder *decoder, gpointer numbers, gsize i, double value)
{
  if (decoder->size == sizeof(float))
    ((float *) numbers)[i] = (float) value;
  else
    ((double *) numbers)[i] = value;
}

/* Shares items out; records the whole as one span. */
void lac_decoder_run(LacDecoder           *decoder,
                     const LacDecoderSpan *span,
                     gsize                 n_items,
                     LacPoolFunc           func,
                     gpointer              user_data);
/* From phases to image, and from the image's bar to that of the phases; of the normalising before layers[@i]. */
void lac_decoder_normalise(LacDecoder *decoder, gsize i);
void lac_decoder_normalise_reverse(LacDecoder *decoder, gsize i);

G_END_DECLS
