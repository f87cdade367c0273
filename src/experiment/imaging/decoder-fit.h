/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A decoder network that stands for the object of a hypothesis: what it says of exposures, and one step that makes it say better. */
#pragma once

#include "experiment/imaging/amplitude-loss.h"
#include "experiment/imaging/decoder-network.h"
#include "experiment/imaging/hypothesis.h"

G_BEGIN_DECLS

typedef struct {
  gsize                latent;
  LacBound             bound;
  LacAmplitudeLossKind loss;
  gboolean             normalised;
  gboolean             remembers; /* lac_decoder_fit_remember() may be called */
} LacDecoderFitSettings;

/* An exposure, and what came of comparing with it. */
typedef struct {
  gsize     visit;
  double    loss;
  LacMisfit misfit;
} LacDecoderTerm;

typedef struct {
  LacHypothesis        *h; /* borrowed; keeps patches */
  LacDecoderFitSettings settings;
  LacDecoder           *network;
  double                gain, offset; /* the object is offset + gain picture, where it may be */
  double               *picture, *picture_bar; /* [s*s] */
  double complex       *object_bar;            /* [s*s] */
  double complex       *spectrum_bar;          /* [n_band] */
  double              **bars;                  /* [n_benches][d*d] */
  double              **maps;                  /* [n_benches][LAC_AMPLITUDE_LOSS_MAPS][d*d] */
  LacDecoderTerm       *terms;                 /* [n_visits]: of the comparison under way */
  gsize                 n_terms;
  gboolean              has_memory; /* of its own output through the union of earlier exposures */
  double                memory_loss;
  guint8               *seen;                    /* [n_band] */
  double               *remembered, *memory_bar; /* [N*N] */
  double complex       *memory_field;            /* [N*N] */
  double               *memory_maps;             /* [LAC_AMPLITUDE_LOSS_MAPS][N*N] */
  guint32               span_terms, span_object, span_memory;
} LacDecoderFit;

/* Returns: (nullable): NULL with an error where there is no such network. */
LacDecoderFit *lac_decoder_fit_new(LacHypothesis               *hypothesis,
                                   const LacDecoderFitSettings *settings,
                                   GError                     **error);
void           lac_decoder_fit_free(LacDecoderFit *fit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDecoderFit, lac_decoder_fit_free)

/* The network's picture becomes the object of the hypothesis, and its spectrum that of the hypothesis. */
void lac_decoder_fit_look(LacDecoderFit *fit);

/* Of what lac_decoder_fit_look() found, with the visits that the first @n_terms of fit->terms name, each once, and with the memory where there is
 * one: losses, misfits. */
void lac_decoder_fit_compare(LacDecoderFit *fit, gsize n_terms);

/* One step of Adam down the mean of the terms' losses (and of the memory's, counted as one of them) of the last comparison, times two as
 * there are two in the plain scheme: the new exposure and an old one. */
void lac_decoder_fit_learn(LacDecoderFit *fit, double rate);

/* Of the comparisons from now on. */
void lac_decoder_fit_set_loss(LacDecoderFit *fit, LacAmplitudeLossKind loss);

/* From now on the amplitude of the object as it is, seen through the union of the first @n_visits exposures, is held on to. 0: no more. */
void lac_decoder_fit_remember(LacDecoderFit *fit, gsize n_visits);

void     lac_decoder_fit_save(const LacDecoderFit *fit, LacStore *store);
gboolean lac_decoder_fit_load(LacDecoderFit *fit, const LacStore *store, GError **error);

G_END_DECLS
