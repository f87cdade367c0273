/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A decoder network that represents the object of an estimate: prediction of exposures, and training steps. */
#pragma once

#include "experiment/imaging/methods/decoder/network.h"
#include "experiment/imaging/methods/estimate.h"

G_BEGIN_DECLS

/* Losses between predicted amplitudes p and measured ones y.
 *
 *   l1: mean |p - y| / (mean |y| + floor + 1e-8),   l2: mean (p - y)^2 / (mean y^2 + floor^2 + 1e-8)
 *   ssim, ms-ssim: (1 - mean SSIM) / 2, (1 - MS-SSIM) / 2 (backend/structure.h; never normalised)
 *   composite: the weighted sum of these four
 *
 * In l1 and l2 a prediction of zero thus scores 1 for an image well above the floor; without normalisation the
 * denominator is omitted. The floor is the noise level, so that an image of pure noise does not outweigh the others. */
typedef enum {
  LAC_LOSS_L1,
  LAC_LOSS_L2,
  LAC_LOSS_SSIM,
  LAC_LOSS_MS_SSIM,
  LAC_LOSS_COMPOSITE,
  LAC_N_LOSSES,
} LacAmplitudeLossKind;

typedef struct {
  gsize                latent;
  LacBound             bound;
  LacAmplitudeLossKind loss;
  double               weights[LAC_LOSS_COMPOSITE]; /* weights of the parts of LAC_LOSS_COMPOSITE */
  gboolean             normalised;
  gboolean             remembers; /* allows lac_decoder_fit_remember() */
  gboolean             changes;   /* allows lac_decoder_fit_set_loss() */
  gsize
    most_terms; /* maximum number of exposures per comparison, > 0; determines the device memory */
} LacDecoderFitSettings;

/* An exposure and the result of comparing the prediction with it. */
typedef struct {
  gsize     position;
  double    loss;
  LacMisfit misfit;
} LacDecoderTerm;

typedef struct _LacDecoderWaves LacDecoderWaves;

typedef struct {
  LacImagingEstimate   *h; /* borrowed */
  LacDecoderFitSettings settings;
  LacDecoder           *network;
  LacDecoder           *phase_network; /* for an object with a phase; else NULL */
  double           gain, offset; /* object = (offset + gain picture) e^(i phase), inside the mask */
  double          *picture;      /* [s*s] */
  double          *phase;        /* [s*s], radians; NULL without a phase */
  double          *target;       /* [s*s]: initial picture; NULL: none */
  double          *start_bar;    /* [s*s]: derivatives of the loss of the initial picture */
  LacDecoderTerm  *terms;        /* [n_positions]: exposures of the current comparison */
  gsize            n_terms;
  LacDecoderWaves *waves;
  gboolean
                  has_memory; /* TRUE while the network rehearses its earlier output through the union of the earlier apertures */
  double          memory_loss;
  guint8         *seen;         /* [n_band]: 1 in the union */
  double         *remembered;   /* [N*N]: amplitudes */
  double complex *memory_field; /* [N*N] */
  guint32         span_object;
} LacDecoderFit;

/* Returns: (nullable): NULL with an error when such a network is not possible. */
LacDecoderFit *lac_decoder_fit_new(LacImagingEstimate          *estimate,
                                   const LacDecoderFitSettings *settings,
                                   GError                     **error);
void           lac_decoder_fit_free(LacDecoderFit *fit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDecoderFit, lac_decoder_fit_free)

/* Copies the network's picture and its spectrum to the estimate. */
void lac_decoder_fit_look(LacDecoderFit *fit);

/* Compares the network's picture with the exposures of the first @n_terms of fit->terms, which must be distinct, and with
 * the rehearsed output if there is one. Sets the losses and misfits of the terms. The object of the estimate is unchanged. */
void lac_decoder_fit_see(LacDecoderFit *fit, gsize n_terms);

/* Performs one Adam step on the mean loss of the terms of the last comparison (the rehearsed output counts as one
 * term), times two, because the original scheme sums two: the new exposure and an old one. */
void lac_decoder_fit_learn(LacDecoderFit *fit, double rate);

/* Initial picture of the network. */
typedef enum {
  LAC_START_NONE,    /* output of the random initial parameters */
  LAC_START_CIRCLE,  /* bright disc as wide as the object */
  LAC_START_FIRST,   /* image of the first exposure */
  LAC_START_AVERAGE, /* mean image of all exposures */
  LAC_N_STARTS,
} LacDecoderStart;

/* Makes the initial picture as fit->target, scaled from 0 at its darkest to 1 at its brightest. */
void lac_decoder_fit_aim(LacDecoderFit *fit, LacDecoderStart start);

/* Returns the loss l1 of images without missing pixels and without a floor. @bar: (out): [n], its derivatives */
double
lac_decoder_compare_l1(const double *predicted, const double *measured, gsize n, double *bar);

/* Compares the result of lac_decoder_fit_look() with the initial picture. Returns: mean |picture - target| / mean
 * |target| */
double lac_decoder_fit_compare_start(LacDecoderFit *fit);
/* Performs one Adam step on the loss of lac_decoder_fit_compare_start(), which must have run before. */
void lac_decoder_fit_learn_start(LacDecoderFit *fit, double rate);

/* Returns TRUE when all requests to the device succeeded; else sets LAC_ERROR_DEVICE. */
gboolean lac_decoder_fit_is_sound(const LacDecoderFit *fit, GError **error);

/* Sets the loss of later comparisons. */
void lac_decoder_fit_set_loss(LacDecoderFit *fit, LacAmplitudeLossKind loss);

/* Rehearses, from now on, the amplitude of the current object seen through the union of the apertures of the first
 * @n_positions exposures. 0 stops the rehearsal. */
void lac_decoder_fit_remember(LacDecoderFit *fit, gsize n_positions);

void lac_decoder_fit_visit(LacDecoderFit *fit, LacVisit *visit);

G_END_DECLS
