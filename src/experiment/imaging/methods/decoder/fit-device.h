/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device path of fit.h: one recording runs from the network through the exposures and back, and the host waits only
 * for its losses; a second recording performs the Adam step. */
#pragma once

#include "experiment/imaging/methods/decoder/fit.h"

G_BEGIN_DECLS

/* Returns TRUE when the device kernels support this loss. */
gboolean lac_decoder_fit_device_knows(const LacDecoderFit *fit, LacAmplitudeLossKind loss);

/* Makes fit->device_part if the device has the kernels; otherwise it stays NULL and the CPU compares. Returns: FALSE
 * with an error when the device has too little memory. */
gboolean lac_decoder_fit_device_new(LacDecoderFit *fit, GError **error);
void     lac_decoder_fit_device_free(LacDecoderFitDevice *part);

/* Marks apertures and pupil as changed, so that they are copied to the device again. */
void lac_decoder_fit_device_forget(LacDecoderFitDevice *part);

/* Performs lac_decoder_fit_look() and lac_decoder_fit_compare() without changing the object of the estimate. The
 * gradient is always computed, even if it is not used. */
void lac_decoder_fit_device_see(LacDecoderFit *fit, gsize n_terms);
/* Performs lac_decoder_fit_learn(), after lac_decoder_fit_device_see(). */
void lac_decoder_fit_device_learn(LacDecoderFit *fit, double rate);

LacStatus lac_decoder_fit_device_get_status(const LacDecoderFitDevice *part);

G_END_DECLS
