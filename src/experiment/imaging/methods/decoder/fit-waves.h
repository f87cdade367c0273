/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exposures of fit.h by the backend's waves. A device records one step from the network through the exposures and
 * back, and the host waits only for its losses; a second recording performs the Adam step. Elsewhere the way back belongs
 * to the second part, which a finished exposure does not need. */
#pragma once

#include "experiment/imaging/methods/decoder/fit.h"

G_BEGIN_DECLS

/* Makes fit->waves. Returns: FALSE with an error when the device has too little memory. */
gboolean lac_decoder_waves_new(LacDecoderFit *fit, GError **error);
void     lac_decoder_waves_free(LacDecoderWaves *part);

/* Marks apertures and pupil as changed, so that they are copied to the device again. */
void lac_decoder_waves_forget(LacDecoderWaves *part);

/* Copies union and amplitudes of the rehearsed output to the device, or that there is none. */
void lac_decoder_waves_remember(LacDecoderFit *fit);

LacStatus lac_decoder_waves_get_status(const LacDecoderWaves *part);

G_END_DECLS
