/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A decoder network that stands for the object of an estimate: what it says of exposures, and one step that makes it say better. */
#pragma once

#include "experiment/imaging/methods/decoder/amplitude-loss.h"
#include "experiment/imaging/methods/decoder/network.h"
#include "experiment/imaging/methods/estimate.h"

G_BEGIN_DECLS

typedef struct {
  gsize                latent;
  LacBound             bound;
  LacAmplitudeLossKind loss;
  double               weights[LAC_LOSS_COMPOSITE]; /* of a composite loss */
  gboolean             normalised;
  gboolean             remembers; /* lac_decoder_fit_remember() may be called */
  gsize most_terms; /* of a comparison; on a device alone they are counted beforehand */
} LacDecoderFitSettings;

/* An exposure, and what came of comparing with it. */
typedef struct {
  gsize     position;
  double    loss;
  LacMisfit misfit;
} LacDecoderTerm;

typedef struct _LacDecoderFitDevice LacDecoderFitDevice;

typedef struct {
  LacImagingEstimate   *h; /* borrowed; keeps patches */
  LacDecoderFitSettings settings;
  LacDecoder           *network;
  LacDecoder           *phase_network; /* of an object with a phase; else NULL */
  double  gain, offset; /* the object is (offset + gain picture) e^(i phase), where it may be */
  double *picture, *picture_bar;     /* [s*s] */
  double *phase, *phase_bar;         /* [s*s], radians; NULL without a phase */
  double complex      *object_bar;   /* [s*s] */
  double complex      *spectrum_bar; /* [n_band] */
  double             **bars;         /* [n_benches][d*d] */
  double             **maps;         /* [n_benches][LAC_AMPLITUDE_LOSS_MAPS][d*d] */
  double              *target;       /* [s*s]: the picture to begin with; NULL: there is none */
  LacDecoderTerm      *terms;        /* [n_positions]: of the comparison under way */
  gsize                n_terms;
  LacDecoderFitDevice *device_part;    /* NULL: the processor compares */
  gboolean             seen_by_device; /* the last comparison */
  gboolean             has_memory; /* of its own output through the union of earlier exposures */
  double               memory_loss;
  guint8              *seen;                    /* [n_band] */
  double              *remembered, *memory_bar; /* [N*N] */
  double complex      *memory_field;            /* [N*N] */
  double              *memory_maps;             /* [LAC_AMPLITUDE_LOSS_MAPS][N*N] */
  guint32              span_terms, span_object, span_memory;
} LacDecoderFit;

/* Returns: (nullable): NULL with an error where there is no such network. */
LacDecoderFit *lac_decoder_fit_new(LacImagingEstimate          *estimate,
                                   const LacDecoderFitSettings *settings,
                                   GError                     **error);
void           lac_decoder_fit_free(LacDecoderFit *fit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDecoderFit, lac_decoder_fit_free)

/* The network's picture becomes the object of the estimate, and its spectrum that of the estimate. */
void lac_decoder_fit_look(LacDecoderFit *fit);

/* Of what lac_decoder_fit_look() found, with the scan positions that the first @n_terms of fit->terms name, each once, and with the memory where there is
 * one: losses, misfits. */
void lac_decoder_fit_compare(LacDecoderFit *fit, gsize n_terms);

/* Both, wherever that is done: on a device without an object for the estimate, until it is looked at. */
void lac_decoder_fit_see(LacDecoderFit *fit, gsize n_terms);

/* One step of Adam down the mean of the terms' losses (and of the memory's, counted as one of them) of the last comparison, times two as
 * there are two in the plain scheme: the new exposure and an old one. */
void lac_decoder_fit_learn(LacDecoderFit *fit, double rate);

/* What the network begins with. */
typedef enum {
  LAC_START_NONE,    /* what comes of its first parameters */
  LAC_START_CIRCLE,  /* a bright disc as wide as the object */
  LAC_START_FIRST,   /* what the first exposure shows */
  LAC_START_AVERAGE, /* the mean of what all of them show */
  LAC_N_STARTS,
} LacDecoderStart;

/* Makes the picture to begin with, from its darkest at 0 to its brightest at 1. */
void lac_decoder_fit_aim(LacDecoderFit *fit, LacDecoderStart start);

/* Of what lac_decoder_fit_look() found. Returns: mean |picture - target| / mean |target| */
double lac_decoder_fit_compare_start(LacDecoderFit *fit);
/* One step of Adam down that, after the comparison. */
void lac_decoder_fit_learn_start(LacDecoderFit *fit, double rate);

/* Whether the device has done all that it was asked for; sets LAC_ERROR_DEVICE. */
gboolean lac_decoder_fit_is_sound(const LacDecoderFit *fit, GError **error);

/* Of the comparisons from now on. */
void lac_decoder_fit_set_loss(LacDecoderFit *fit, LacAmplitudeLossKind loss);

/* From now on the amplitude of the object as it is, seen through the union of the first @n_positions exposures, is held on to. 0: no more. */
void lac_decoder_fit_remember(LacDecoderFit *fit, gsize n_positions);

void     lac_decoder_fit_save(const LacDecoderFit *fit, LacStore *store);
gboolean lac_decoder_fit_load(LacDecoderFit *fit, const LacStore *store, GError **error);

G_END_DECLS
