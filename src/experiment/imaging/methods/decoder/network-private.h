/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the decoder network share. */
#pragma once

#include "experiment/imaging/methods/decoder/network.h"

G_BEGIN_DECLS

#define LAC_DECODER_MOST_LAYERS 32
#define LAC_DECODER_FIRST_SIDE  4 /* of the planes after the first layer */

/* A convolution: transposed with stride 2 (up) or plain 3 x 3. Offsets are in numbers: of theta where they say so, else of the
 * work arena, and of the first number of the first plane. */
typedef struct {
  gsize         n_in, n_out;
  gboolean      up;
  LacPlaneShape planes; /* of its input, and of each phase of its output */
  gsize         n_taps, n_phases;
  gsize         weights;  /* in theta: [tap][in][out] */
  gsize         x, x_bar; /* [in] */
  gsize         y, y_bar; /* [phase][out] */
  gsize         scratch;
} LacConvolution;

/* The normalising before a convolution. */
typedef struct {
  gsize n, n_phases;
  gsize side, pitch, stride; /* of the phases */
  gsize y, y_bar;
  gsize scales; /* in theta: n scales, then n offsets */
  gsize sums;   /* in the sums */
} LacNormalising;

/* One recorded interval of a step. */
typedef struct {
  guint32 name;
  double  flops, bytes;
} LacDecoderSpan;

typedef struct {
  LacDecoderSpan convolve, normalise, normalise_reverse, image_reverse, weights_reverse;
} LacLayerSpans;

/* What follows from the settings and from what a backend's layers ask for. Layer 0 is the first transposed convolution, of one number a
 * channel. */
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
  gsize              picture_sums, n_sums; /* sums: of the picture's reverse; how many there are */
} LacDecoderPlan;

/* Parts of a step, each of which a device records once and replays. */
typedef enum {
  LAC_DECODER_FORWARD,
  LAC_DECODER_REVERSE,
  LAC_DECODER_STEP,
  LAC_DECODER_PARTS,
} LacDecoderPart;

struct _LacDecoder {
  LacDecoderPlan        plan;
  LacDecoderMeans       means;
  LacDevice             device;
  const LacPlaneLayers *layers;
  gboolean              is_host; /* whether its memory is the host's */
  gsize                 size;    /* bytes of a number */
  guint8               *memory;  /* all that follows */
  gsize                 n_bytes;
  guint8               *theta, *m, *v, *gradient, *work; /* gradient: without layer 0's weights */
  guint8               *z_bar;                           /* of the latent vector */
  double               *sums;
  double               *numbers;  /* rate and corrections of the step of Adam */
  double  *picture, *picture_bar; /* where the memory is the host's: the caller's, while he calls */
  gpointer recordings[LAC_DECODER_PARTS];
  gboolean is_plain;     /* what has no recording cannot be recorded */
  LacStatus      status; /* the first trouble of the device */
  gint64         n_updates;
  gint64         n_steps; /* for the records */
  LacLayerSpans  spans[LAC_DECODER_MOST_LAYERS];
  LacDecoderSpan span_first, span_picture, span_picture_reverse, span_adam_first, span_adam;
  LacDecoderSpan span_parts[LAC_DECODER_PARTS]; /* of what is replayed */
};

/* Fills everything but the names. */
void lac_decoder_plan(LacDecoderPlan           *plan,
                      const LacDecoderSettings *settings,
                      const LacPlaneLayers     *layers);

/* Bytes of a decoder's memory; fills in where its parts begin, from @memory on. */
gsize lac_decoder_divide(LacDecoder *decoder, guint8 *memory);

LacConvolve     lac_decoder_convolve_of(const LacDecoder *decoder, gsize i);
LacNormalise    lac_decoder_normalise_of(const LacDecoder *decoder, gsize i);
LacPlanePicture lac_decoder_picture_of(const LacDecoder *decoder);

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

/* Numbers of the host in the decoder's type. */
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

/* Keeps the first trouble. */
static inline void
lac_decoder_note(LacDecoder *decoder, LacStatus status)
{
  if (decoder->status == LAC_STATUS_OK)
    decoder->status = status;
}

G_END_DECLS
