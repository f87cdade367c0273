/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The progressive decoder: a network without input whose parameters represent the picture.
 *
 * A trainable latent vector becomes planes of 4 x 4 by a transposed convolution; each further one (4 x 4, stride 2,
 * padding 1) doubles the sides and halves the channels until the sides reach the output's; then 3 x 3 convolutions
 * (padding 1) halve the channels until two remain. Each output is normalised over the pixels of a channel (one
 * picture: mean and biased variance, eps 1e-5, trainable scale and offset) and followed by a ReLU. The last is a 3 x 3
 * convolution with a bias, to one channel, mapped into its bounds by a formula. The original has no padding there,
 * which leaves a dark frame of one pixel around a picture whose side is a power of two; here it is padded like the
 * others unless the frame is requested. Planes larger or smaller than the output are cropped or zero-padded about the
 * centre, from (n - M) / 2 on in both directions.
 *
 * Summation order does not depend on the number of threads. Everything lies in one arena made at creation. */
#pragma once

#include "backend/plane-layers.h"
#include "backend/recorded-step.h"
#include "base/pool.h"
#include "field/visit.h"
#include "perf/recorder/perf.h"

G_BEGIN_DECLS

typedef struct {
  gsize grid;   /* N, rounded down to a power of two, is twice the channels of the first layer */
  gsize output; /* M: side of the picture, at most N rounded down to a power of two */
  gsize latent; /* number of elements of the latent vector; 0: N rounded down to a power of two */
  gboolean framed; /* the last convolution is not padded */
  LacBound bound;
  LacType  type;
} LacDecoderSettings;

/* Compute resources; all but the pool may be NULL, but @perf requires @lane. Without a device the CPU computes. A
 * device with recording records each part of a step once and replays it. */
typedef struct {
  LacPool  *pool;
  LacPerf  *perf;
  LacLane  *lane;
  LacDevice device;
} LacDecoderMeans;

typedef struct _LacDecoder LacDecoder;

/* Sets LAC_ERROR_OUT_OF_RANGE when such a network is not possible. */
gboolean lac_decoder_check(const LacDecoderSettings *settings, GError **error);
gsize    lac_decoder_count_parameters(const LacDecoderSettings *settings);
/* Return the bytes of a decoder on the CPU, and the floating-point operations of a forward and reverse pass (two per
 * multiply-add). */
gsize  lac_decoder_count_bytes(const LacDecoderSettings *settings);
double lac_decoder_count_flops(const LacDecoderSettings *settings);

/* Returns: a decoder whose parameters are zero until lac_decoder_init() or lac_decoder_visit(). */
LacDecoder *
lac_decoder_new(const LacDecoderSettings *settings, const LacDecoderMeans *means, GError **error);
void lac_decoder_free(LacDecoder *decoder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDecoder, lac_decoder_free)

/* Initialises weights and bias uniformly within +-1 / sqrt(fan-in), where the fan-in of a transposed convolution is
 * 16 times its output channels (as in PyTorch); scales 1, offsets 0; latent vector normal. Resets Adam. */
void lac_decoder_init(LacDecoder *decoder, guint64 seed);

/* Computes the picture, [M * M], from the current parameters. */
void lac_decoder_forward(LacDecoder *decoder, double *picture);
/* Computes the gradient of a loss from @picture_bar, [M * M], its derivatives with respect to the picture of the last
 * forward pass. */
void lac_decoder_reverse(LacDecoder *decoder, const double *picture_bar);

/* Performs an Adam step on the gradient of the last reverse pass; at most one step per pass. Source: Kingma and Ba
 * (2015), algorithm 1. */
void lac_decoder_step(LacDecoder *decoder, double rate);
/* Enqueue the three operations above, for callers that record their own step on the device. The picture and its
 * derivatives are then in device memory, [M * M]. Before each replay of a step, lac_decoder_set_rate() must set the
 * rate and advance the step number. */
void    lac_decoder_enqueue_forward(LacDecoder *decoder);
void    lac_decoder_enqueue_reverse(LacDecoder *decoder);
void    lac_decoder_enqueue_step(LacDecoder *decoder);
void    lac_decoder_set_rate(LacDecoder *decoder, double rate);
double *lac_decoder_get_picture(LacDecoder *decoder);
double *lac_decoder_get_picture_bar(LacDecoder *decoder);

gsize lac_decoder_get_n_parameters(const LacDecoder *decoder);
gsize lac_decoder_get_arena_bytes(const LacDecoder *decoder);
/* Returns the device that computes: the CPU where the means have none. */
LacDevice lac_decoder_get_device(const LacDecoder *decoder);
/* Returns the first error of the device, after which no request has any effect. */
LacStatus lac_decoder_get_status(const LacDecoder *decoder);
/* Returns the first error since the last call and clears it. */
LacStatus lac_decoder_take_status(LacDecoder *decoder);
/* Sets the step whose layers are enqueued next. @step: (nullable), borrowed */
void lac_decoder_set_running(LacDecoder *decoder, LacRecordedStep *step);
/* Return and set the parameters in order: weights of the first layer, latent vector, then for each layer the scales,
 * the offsets and the weights of the next layer, [tap][in][out]; last the bias. */
void lac_decoder_get_parameters(LacDecoder *decoder, double *theta);
void lac_decoder_set_parameters(LacDecoder *decoder, const double *theta);
/* Returns the gradient of the last reverse pass; call it before the Adam step. */
void lac_decoder_get_gradient(LacDecoder *decoder, double *gradient);

/* Visits parameters and Adam state, bitwise; names in the store begin with @prefix. */
void lac_decoder_visit(LacDecoder *decoder, LacVisit *visit, const char *prefix);

G_END_DECLS
