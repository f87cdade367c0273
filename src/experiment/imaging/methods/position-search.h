/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the apertures were: each centre is moved to where the object, as it is believed to be, makes what was seen.
 * Source: Maiden et al. (2012), doi:10.1016/j.ultramic.2012.06.001 */
#pragma once

#include "experiment/imaging/methods/estimate.h"

G_BEGIN_DECLS

/* One step, from an estimate that was compared; it is to be compared again. Nothing is allocated. */
void lac_positions_step(LacImagingEstimate *estimate);

/* Whether positions have been sought for long enough, at step @step, that a run may end at the noise: an object that makes what was seen
 * need not have its apertures in place. TRUE where they are known. */
gboolean lac_positions_have_converged(const LacImagingEstimate *estimate, gint64 step);

G_END_DECLS
