/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The work of PRISM's profile, as acts to be timed: Fourier transforms of a square grid, and its decoder. */
#pragma once

#include "backend/fourier.h"
#include "experiment/imaging/methods/decoder/network.h"

G_BEGIN_DECLS

typedef struct {
  const LacFourier *fourier;
  gsize             n;    /* pixels */
  double complex   *data; /* [n] */
} LacPrismTransform;

/* Acts on a LacPrismTransform. Only the round trip divides by n: the others repeat on zeros. */
void lac_prism_forward(gpointer transform);
void lac_prism_inverse(gpointer transform);
void lac_prism_round_trip(gpointer transform);

typedef struct {
  LacDecoderSettings settings;
  LacPool           *pool;
  LacDecoder        *decoder;       /* owned; NULL before it is constructed */
  double            *picture, *bar; /* [output^2] */
} LacPrismModel;

/* Returns: FALSE with an error where such a network is not possible. */
gboolean lac_prism_model_init(LacPrismModel *model, gsize grid, guint n_threads, GError **error);
void     lac_prism_model_clear(LacPrismModel *model);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacPrismModel, lac_prism_model_clear)

/* Acts on a LacPrismModel: makes it anew; a forward pass; a training step towards a striped image. */
void lac_prism_construct(gpointer model);
void lac_prism_look(gpointer model);
void lac_prism_train(gpointer model);

G_END_DECLS
