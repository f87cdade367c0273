/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals that the files of the decoder network share. */
#pragma once

#include "backend/recorded-step.h"
#include "base/memory-part.h"
#include "experiment/imaging/methods/decoder/network.h"

G_BEGIN_DECLS

#define LAC_DECODER_MOST_LAYERS 32
#define LAC_DECODER_FIRST_SIDE  4 /* side of the planes after the first layer */

/* A convolution: transposed with stride 2 (up) or plain 3 x 3. Offsets count elements of theta where stated,
 * otherwise elements of the work arena, and point to the first element of the first plane. */
typedef struct {
  gsize         n_in, n_out;
  gboolean      up;
  LacPlaneShape planes; /* layout of its input planes and of each output phase */
  gsize         n_taps, n_phases;
  gsize         weights;  /* in theta: [tap][in][out] */
  gsize         x, x_bar; /* [n_in] planes */
  gsize         y, y_bar; /* [n_phases][n_out] planes */
  gsize         scratch;
} LacConvolution;

/* The normalisation before a convolution. */
typedef struct {
  gsize n, n_phases;
  gsize side, pitch, stride; /* layout of the phases */
  gsize y, y_bar;
  gsize scales; /* in theta: n scales, then n offsets */
  gsize sums;   /* offset in LacDecoder.sums */
} LacNormalising;

/* An interval of a step in the performance records. */
typedef struct {
  guint32 name;
  double  flops, bytes;
} LacDecoderSpan;

typedef struct {
  LacDecoderSpan convolve, normalise, normalise_reverse, image_reverse, weights_reverse;
} LacLayerSpans;

/* Layout derived from the settings and from the requirements of the backend's layers. Layer 0 is the first transposed
 * convolution, whose input has one element per channel. */
typedef struct {
  LacDecoderSettings settings;
  gsize latent, first; /* number of latent elements; number of channels after the first layer */
  gsize n_layers;      /* number of layers without layer 0 */
  gsize side;          /* side of the planes of the last convolution */
  LacConvolution layers[LAC_DECODER_MOST_LAYERS];
  LacNormalising normalisings[LAC_DECODER_MOST_LAYERS]; /* [i]: before layers[i] */
  gsize z, y0, y0_bar, bias; /* offsets: z and bias in theta, the others in the work arena */
  gsize slope, map;          /* offsets in the work arena, for the planes of the last convolution */
  gsize n_theta, n_first;    /* total number of parameters; number of weights of layer 0 */
  gsize n_work;
  gsize picture_sums,
    n_sums; /* offset in LacDecoder.sums for the reverse pass of the picture; total number of sums */
} LacDecoderPlan;

/* Parts of a step that a device records once and replays. */
typedef enum {
  LAC_DECODER_FORWARD,
  LAC_DECODER_REVERSE,
  LAC_DECODER_STEP,
  LAC_DECODER_PARTS,
} LacDecoderPart;

typedef struct {
  LacDecoder      *decoder;
  LacDecoderPart   part;
  LacRecordedStep *step;
} LacDecoderRun;

struct _LacDecoder {
  LacDecoderPlan        plan;
  LacDecoderMeans       means;
  LacDevice             device;
  gboolean              owns_device;
  LacMemoryClaim        claim;
  const LacPlaneLayers *layers;
  gsize                 size;   /* bytes per element */
  guint8               *memory; /* the allocation that holds all of the following */
  gsize                 n_bytes;
  guint8          *theta, *m, *v, *gradient, *work; /* gradient: without the weights of layer 0 */
  guint8          *z_bar;                           /* gradient of the latent vector */
  double          *sums;
  double          *numbers;               /* learning rate and bias corrections of an Adam step */
  double          *picture, *picture_bar; /* [M * M] */
  LacDecoderRun    runs[LAC_DECODER_PARTS];
  LacRecordedStep *running;  /* (nullable): that the layers are enqueued for */
  gboolean         is_plain; /* nothing can be recorded: each layer is complete when it returns */
  LacStatus        status;   /* first error of the device */
  gint64           n_updates;
  gint64           n_steps; /* for the performance records */
  LacLayerSpans    spans[LAC_DECODER_MOST_LAYERS];
  LacDecoderSpan   span_first, span_picture, span_picture_reverse, span_adam_first, span_adam;
  LacDecoderSpan   span_parts[LAC_DECODER_PARTS]; /* operations that a replay covers */
};

/* Fills in everything but the names of the intervals. */
void lac_decoder_plan(LacDecoderPlan           *plan,
                      const LacDecoderSettings *settings,
                      const LacPlaneLayers     *layers);

/* Sets the address of each part of the decoder's memory, which starts at @memory. Returns: its size in bytes. */
gsize lac_decoder_divide(LacDecoder *decoder, guint8 *memory);

/* Makes the steps of all parts, so that no part allocates when it first runs. */
void lac_decoder_make_steps(LacDecoder *decoder);

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
