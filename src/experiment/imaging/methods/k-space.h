/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An estimate as the backend's waves see it, in the precision of the run: sweeps of the ptychographic iterative engine,
 * gradients, and comparisons with the exposures, as single calls. Thread: that of the method. */
#pragma once

#include "experiment/imaging/methods/estimate.h"

G_BEGIN_DECLS

/* Operations of a method. */
typedef enum {
  LAC_K_SPACE_COMPARISONS, /* alone; all others have them too */
  LAC_K_SPACE_SWEEPS,
  LAC_K_SPACE_EXIT_WAVES,
  LAC_K_SPACE_GRADIENTS,
  LAC_K_SPACE_LIKELIHOOD,
} LacKSpaceKind;

typedef struct {
  LacKSpaceKind kind;
  double   share; /* of the largest weight, in every correction of a pupil that a sweep estimates */
  gboolean within_noise; /* of exit waves, see LacWaveSweep */
  LacWaveLikelihood likelihood;
  double            variation, excess; /* of a likelihood, see LacWaveVariables */
} LacKSpaceSettings;

/* Returns: (nullable): NULL with an error when the device has too little memory. @estimate: borrowed */
LacKSpace *
lac_k_space_new(LacImagingEstimate *estimate, const LacKSpaceSettings *settings, GError **error);
void lac_k_space_free(LacKSpace *k_space);
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

/* Finds the distances of exposures that @asked, [n_positions], marks, by the apertures where the optics have them now: those
 * may have moved since the last comparison, the object and the pupil not. @distances: (out): [n_positions], of which the
 * others keep their value */
void lac_k_space_try(LacKSpace *k_space, const guint8 *asked, double *distances);

/* Returns TRUE when all requests to the device succeeded; else sets LAC_ERROR_DEVICE. */
gboolean lac_k_space_is_sound(const LacKSpace *k_space, GError **error);

G_END_DECLS
