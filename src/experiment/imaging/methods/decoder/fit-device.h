/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chain of fit.h on a device: from the network to what the exposures say of it and back in one recording, in which nothing
 * waits but for the losses, and the step of Adam in another. */
#pragma once

#include "experiment/imaging/methods/decoder/fit.h"

G_BEGIN_DECLS

/* Whether a device that has the kernels can compare by this loss. */
gboolean lac_decoder_fit_device_knows(const LacDecoderFit *fit, LacAmplitudeLossKind loss);

/* Makes fit->device_part, where the device has what it takes; else it stays NULL, and the processor compares. Returns: FALSE with an
 * error where the device has no memory for it. */
gboolean lac_decoder_fit_device_new(LacDecoderFit *fit, GError **error);
void     lac_decoder_fit_device_free(LacDecoderFitDevice *part);

/* Apertures or the pupil are others than before. */
void lac_decoder_fit_device_forget(LacDecoderFitDevice *part);

/* As lac_decoder_fit_look() and lac_decoder_fit_compare(); the object of the estimate stays as it was. Its gradient is found in the
 * same go, whether it is used or not. */
void lac_decoder_fit_device_see(LacDecoderFit *fit, gsize n_terms);
/* As lac_decoder_fit_learn(), of what was seen. */
void lac_decoder_fit_device_learn(LacDecoderFit *fit, double rate);

LacStatus lac_decoder_fit_device_get_status(const LacDecoderFitDevice *part);

G_END_DECLS
