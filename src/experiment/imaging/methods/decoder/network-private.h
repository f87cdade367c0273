/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals that the files of the decoder network share. */
#pragma once

#include "experiment/imaging/methods/decoder/network.h"

G_BEGIN_DECLS

#define LAC_DECODER_MOST_LAYERS 32
#define LAC_DECODER_FIRST_SIDE  4 /* side of the planes after the first layer */

/* A convolution: transposed with stride 2 (up) or plain 3 x 3. Offsets count elements: of theta where noted, else of
 * the work arena, at the first element of the first plane. */
typedef struct {
  gsize         n_in, n_out;
  gboolean      up;
  LacPlaneShape planes; /* of its input, and of each output phase */
  gsize         n_taps, n_phases;
  gsize         weights;  /* in theta: [tap][in][out] */
  gsize         x, x_bar; /* [in] */
  gsize         y, y_bar; /* [phase][out] */
  gsize         scratch;
} LacConvolution;

/* The normalisation before a convolution. */
typedef struct {
  gsize n, n_phases;
  gsize side, pitch, stride; /* of the phases */
  gsize y, y_bar;
  gsize scales; /* in theta: n scales, then n offsets */
  gsize sums;   /* in the sums */
} LacNormalising;

/* A recorded interval of a step. */
typedef struct {
  guint32 name;
  double  flops, bytes;
} LacDecoderSpan;

typedef struct {
  LacDecoderSpan convolve, normalise, normalise_reverse, image_reverse, weights_reverse;
} LacLayerSpans;

/* Layout derived from the settings and from the requirements of the backend's layers. Layer 0 is the first transposed
 * convolution, with one element per channel. */
typedef struct {
  LacDecoderSettings settings;
  gsize              latent, first; /* latent elements; channels after the first layer */
  gsize              n_layers;      /* without layer 0 */
  gsize              side;          /* of the planes of the last convolution */
  LacConvolution     layers[LAC_DECODER_MOST_LAYERS];
  LacNormalising     normalisings[LAC_DECODER_MOST_LAYERS]; /* [i]: before layers[i] */
  gsize              z, y0, y0_bar, bias;                   /* theta; work; work; theta */
  gsize              slope, map;                            /* work: for the last planes */
  gsize              n_theta, n_first; /* all parameters; those that are weights of layer 0 */
  gsize              n_work;
  gsize picture_sums, n_sums; /* sums: for the reverse pass of the picture; total number */
} LacDecoderPlan;

/* Parts of a step that a device records once and replays. */
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
  gboolean              is_host; /* TRUE when its memory is host memory */
  gsize                 size;    /* bytes per element */
  guint8               *memory;  /* the allocation that holds all of the following */
  gsize                 n_bytes;
  guint8        *theta, *m, *v, *gradient, *work; /* gradient: excludes the weights of layer 0 */
  guint8        *z_bar;                           /* gradient of the latent vector */
  double        *sums;
  double        *numbers;               /* learning rate and bias corrections of an Adam step */
  double        *picture, *picture_bar; /* in host memory: the caller's, during the call */
  gpointer       recordings[LAC_DECODER_PARTS];
  gboolean       is_plain; /* the backend cannot record: run each part directly */
  LacStatus      status;   /* first error of the device */
  gint64         n_updates;
  gint64         n_steps; /* for the performance records */
  LacLayerSpans  spans[LAC_DECODER_MOST_LAYERS];
  LacDecoderSpan span_first, span_picture, span_picture_reverse, span_adam_first, span_adam;
  LacDecoderSpan span_parts[LAC_DECODER_PARTS]; /* operations that a replay covers */
};

/* Fills in everything except the names. */
void lac_decoder_plan(LacDecoderPlan           *plan,
                      const LacDecoderSettings *settings,
                      const LacPlaneLayers     *layers);

/* Returns the bytes of a decoder's memory and fills in the address of each part, from @memory on. */
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

/* Returns the gradient of parameter @offset, which must not be a weight of layer 0. */
static inline gpointer
lac_decoder_gradient(const LacDecoder *decoder, gsize offset)
{
  return decoder->gradient + (offset - decoder->plan.n_first) * decoder->size;
}

/* Reads a host element of the decoder's type. */
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

/* Stores @status if it is the first error. */
static inline void
lac_decoder_note(LacDecoder *decoder, LacStatus status)
{
  if (decoder->status == LAC_STATUS_OK)
    decoder->status = status;
}

G_END_DECLS
