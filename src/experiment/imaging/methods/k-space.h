/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeps of the ptychographic iterative engine over the exposures of an estimate, and comparisons, as single calls of the
 * backend's waves, in the precision of the run. An unconstrained object stays in k-space for a whole sweep. Thread: that of
 * the method. */
#pragma once

#include "experiment/imaging/methods/estimate.h"

G_BEGIN_DECLS

/* @share: of the largest weight, in every correction of a pupil that the method estimates. Returns: (nullable): NULL with an
 * error when the device has too little memory. @estimate: borrowed */
LacKSpace *lac_k_space_new(LacImagingEstimate *estimate, double share, GError **error);
void       lac_k_space_free(LacKSpace *k_space);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacKSpace, lac_k_space_free)

/* Adds the operations of a sweep and the bytes it must move, amplitudes and the apertures' parts of k-space, to @span. */
void lac_k_space_count(const LacKSpace *k_space, LacSpan *span);

/* Performs a sweep in the order @order, [n_positions]: object and pupil of the estimate, and its first misfits if it has
 * them. @lengths: [n_positions] of the exposures: fractions of the correction applied to the object; @pupil_length: of that
 * applied to the pupil */
void lac_k_space_sweep(LacKSpace    *k_space,
                       const gsize  *order,
                       const double *lengths,
                       double        pupil_length);

/* Finds the misfits of the estimate. */
void lac_k_space_compare(LacKSpace *k_space);

/* Returns TRUE when all requests to the device succeeded; else sets LAC_ERROR_DEVICE. */
gboolean lac_k_space_is_sound(const LacKSpace *k_space, GError **error);

G_END_DECLS
