/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The progressive decoder: a network without an input, whose parameters are the picture.
 *
 * A learnt latent vector becomes planes of 4 x 4 by a transposed convolution; each further one (4 x 4, stride 2, padding 1) doubles the
 * sides and halves the channels until the sides reach the output's; then 3 x 3 convolutions (padding 1) halve the channels to
 * two. Each of these is normalised over the pixels of a channel (one picture: mean and biased variance, eps 1e-5, a scale and an
 * offset that are learnt) and cut off below zero. The last is a 3 x 3 convolution with a bias, to one channel,
 * kept in bounds by a formula. The original has no padding there, which leaves a dark frame of one pixel around a picture whose side is
 * a power of two; here it is padded like the others unless the frame is asked for. What is larger or smaller than the output is cropped or padded with zeros in the centre, from
 * (n - M) / 2 on both ways.
 *
 * Sums run in an order that does not depend on the number of threads. Everything lies in one arena made at creation. */
#pragma once

#include "backend/plane-layers.h"
#include "base/pool.h"
#include "field/store.h"
#include "perf/recorder/perf.h"

G_BEGIN_DECLS

typedef struct {
  gsize    grid;   /* N: half as many channels (of its power of two) come after the first layer */
  gsize    output; /* M: side of the picture; at most N */
  gsize    latent; /* numbers of the latent vector; 0: as many as N's power of two */
  gboolean framed; /* the last convolution is not padded */
  LacBound bound;
  LacType  type;
} LacDecoderSettings;

/* What computes; all but the pool may be NULL, @lane where @perf is. Without a device the processor does. A device that can
 * records each part of a step once and replays it. */
typedef struct {
  LacPool  *pool;
  LacPerf  *perf;
  LacLane  *lane;
  LacDevice device;
} LacDecoderMeans;

typedef struct _LacDecoder LacDecoder;

/* Sets LAC_ERROR_OUT_OF_RANGE where there is no such network. */
gboolean lac_decoder_check(const LacDecoderSettings *settings, GError **error);
gsize    lac_decoder_count_parameters(const LacDecoderSettings *settings);
/* Of its memory on the processor; and the multiplications with additions of a step forwards and in reverse, two FLOP each. */
gsize  lac_decoder_count_bytes(const LacDecoderSettings *settings);
double lac_decoder_count_flops(const LacDecoderSettings *settings);

/* Parameters are zero until lac_decoder_init() or lac_decoder_load(). */
LacDecoder *
lac_decoder_new(const LacDecoderSettings *settings, const LacDecoderMeans *means, GError **error);
void lac_decoder_free(LacDecoder *decoder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDecoder, lac_decoder_free)

/* Weights and bias uniform within 1 / sqrt(fan in), where a transposed convolution's fan in is 16 times its output channels (as
 * PyTorch counts it); scales 1, offsets 0; the latent vector normal. Adam starts afresh. */
void lac_decoder_init(LacDecoder *decoder, guint64 seed);

/* The picture, [M * M], of the parameters as they are. */
void lac_decoder_forward(LacDecoder *decoder, double *picture);
/* Of the parameters and the picture of the last forward: keeps the gradient of a loss whose derivatives by the picture's numbers
 * are @picture_bar, [M * M]. */
void lac_decoder_reverse(LacDecoder *decoder, const double *picture_bar);

/* Adam on the gradient of the last reverse, once for each. Source: Kingma and Ba (2015), algorithm 1. */
void lac_decoder_step(LacDecoder *decoder, double rate);
/* The three above for who records a step of his own on the device: they only ask. The picture and its bars are in the
 * device's memory then, [M * M]. Before each replay of a step its rate and its number are set. */
void    lac_decoder_enqueue_forward(LacDecoder *decoder);
void    lac_decoder_enqueue_reverse(LacDecoder *decoder);
void    lac_decoder_enqueue_step(LacDecoder *decoder);
void    lac_decoder_set_rate(LacDecoder *decoder, double rate);
double *lac_decoder_get_picture(LacDecoder *decoder);
double *lac_decoder_get_picture_bar(LacDecoder *decoder);

gsize lac_decoder_get_n_parameters(const LacDecoder *decoder);
gsize lac_decoder_get_arena_bytes(const LacDecoder *decoder);
/* The first trouble of the device; nothing counts that was asked for since. */
LacStatus lac_decoder_get_status(const LacDecoder *decoder);
/* Of what was asked since; afterwards there is no trouble. */
LacStatus lac_decoder_take_status(LacDecoder *decoder);
/* The parameters one after the other: weights of the first layer, latent vector, then layer by layer scales, offsets and the weights of
 * the next, [tap][in][out]; the last bias. */
void lac_decoder_get_parameters(LacDecoder *decoder, double *theta);
void lac_decoder_set_parameters(LacDecoder *decoder, const double *theta);
/* Of the last reverse, before its step. */
void lac_decoder_get_gradient(LacDecoder *decoder, double *gradient);

/* Parameters and Adam, to the bit; names in the store begin with @prefix. */
void lac_decoder_save(LacDecoder *decoder, LacStore *store, const char *prefix);
gboolean
lac_decoder_load(LacDecoder *decoder, const LacStore *store, const char *prefix, GError **error);

G_END_DECLS
