/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was wrong with the instrument, sought beside the object: the pupil's phase by Gauss and Newton, the centres of the apertures one by
 * one (position-search.h). Both make the misfit of the amplitudes smaller for the object as it is believed to be; the object then follows.
 * Sources: Chung, Kim et al. (2016), doi:10.1364/BOE.7.004787 (aberrations); Maiden et al. (2012), doi:10.1016/j.ultramic.2012.06.001
 * (positions). */
#pragma once

#include "experiment/imaging/methods/estimate.h"

G_BEGIN_DECLS

/* Whether anything is sought at step @step, from 1. */
gboolean lac_calibration_is_due(const LacImagingEstimate *estimate, gint64 step);

/* One step of both, from an estimate that was compared; it is so again afterwards. Nothing is allocated. */
void lac_calibration_step(LacImagingEstimate *estimate);

/* The pupil that the coefficients describe. */
void lac_calibration_set_pupil(LacImagingEstimate *estimate);

G_END_DECLS
