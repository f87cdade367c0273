/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Self-calibration of the instrument together with the object: the pupil's phase by Gauss-Newton, the aperture
 * centres one by one (position-search.h). Both reduce the amplitude misfit with the current object estimate held
 * fixed; the method's next step adapts the object. Sources: Chung, Kim et al. (2016), doi:10.1364/BOE.7.004787
 * (aberrations); Maiden et al. (2012), doi:10.1016/j.ultramic.2012.06.001 (positions). */
#pragma once

#include "experiment/imaging/methods/estimate.h"

G_BEGIN_DECLS

/* Returns TRUE when step @step, counted from 1, calibrates anything. */
gboolean lac_calibration_is_due(const LacImagingEstimate *estimate, gint64 step);

/* Performs one calibration step of pupil and centres. lac_imaging_estimate_compare() must have run before, and is run
 * again before this returns. Does not allocate. */
void lac_calibration_step(LacImagingEstimate *estimate);

/* Sets the pupil from the coefficients. */
void lac_calibration_set_pupil(LacImagingEstimate *estimate);

G_END_DECLS
