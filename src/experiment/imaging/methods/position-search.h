/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimation of aperture positions: each centre moves to where the current object best reproduces its exposure.
 * Source: Maiden et al. (2012), doi:10.1016/j.ultramic.2012.06.001 */
#pragma once

#include "experiment/imaging/methods/estimate.h"

G_BEGIN_DECLS

/* @estimate: borrowed */
LacPositionSearch *lac_position_search_new(LacImagingEstimate *estimate);
void               lac_position_search_free(LacPositionSearch *search);

/* Performs one step. lac_imaging_estimate_compare() must have run before and must be called again afterwards. Does
 * not allocate. Returns: how many exposures have been predicted. */
gsize lac_position_search_step(LacPositionSearch *search);

/* Returns TRUE when positions are known, or when at step @step they have been refined for enough steps that the run
 * may end at the noise level. (Even with misplaced apertures, some object can reproduce the exposures.) */
gboolean lac_positions_have_converged(const LacImagingEstimate *estimate, gint64 step);

G_END_DECLS
