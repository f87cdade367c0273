/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimation of aperture positions: each centre moves to where the current object best reproduces its exposure.
 * Source: Maiden et al. (2012), doi:10.1016/j.ultramic.2012.06.001 */
#pragma once

#include "experiment/imaging/methods/estimate.h"

G_BEGIN_DECLS

/* Performs one step. The estimate must have been compared, and has to be compared again. Does not allocate. */
void lac_positions_step(LacImagingEstimate *estimate);

/* Returns TRUE when positions have been refined for enough steps, at step @step, that a run may end at the noise
 * level: an object can reproduce the exposures with misplaced apertures. TRUE when positions are known. */
gboolean lac_positions_have_converged(const LacImagingEstimate *estimate, gint64 step);

G_END_DECLS
