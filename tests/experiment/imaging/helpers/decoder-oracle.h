/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chain of a decoder's fit by the optics, in double precision, with the adjoint of each part: what the backend's waves are
 * compared with. */
#pragma once

#include "experiment/imaging/methods/decoder/fit.h"

typedef struct {
  LacDecoderFit  *fit; /* borrowed; its waves are not used */
  gsize           n_terms;
  double         *picture_bar, *phase_bar; /* [s*s]: derivatives of twice the mean loss */
  double complex *spectrum_bar;            /* [n_band] */
} DecoderOracle;

DecoderOracle *decoder_oracle_new(LacDecoderFit *fit);
void           decoder_oracle_free(DecoderOracle *oracle);

/* As lac_decoder_fit_see() and lac_decoder_fit_learn(). */
void decoder_oracle_see(DecoderOracle *oracle, gsize n_terms);
void decoder_oracle_learn(DecoderOracle *oracle, double rate);
