/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exposures, simulated or measured by the user, with all that a reconstruction needs. Immutable once made; values are
 * stored unchanged, so that a reconstruction from exposures that were written and read back is bitwise identical. */
#pragma once

#include "base/memory-part.h"
#include "experiment/imaging/optics/noise.h"
#include "experiment/imaging/optics/optics.h"

G_BEGIN_DECLS

typedef struct _LacExposures LacExposures;
struct _LacExposures {
  LacMemoryClaim  claim;
  gsize           grid, support;
  gsize           d, n_along, n_positions;
  LacAperture     aperture;
  LacDetectorUnit unit;
  LacNoise        noise;  /* noise model as far as known; its seed is not used */
  LacScanBox     *scan;   /* [n_positions] */
  double         *images; /* [n_positions][d][d], in unit */
  double       *
    sigma; /* (nullable): [n_positions][d][d], measured standard deviation of each pixel, in unit; NULL: derived from @noise */
  guint8 *valid; /* (nullable): [n_positions][d][d], 0 for invalid pixels; there the image is 0 */
};

/* Returns: exposures of these sizes with all-zero images and all pixels valid, which the caller fills before sharing
 * them. */
LacExposures *lac_exposures_new(const LacOpticsSettings *settings);
void          lac_exposures_free(LacExposures *exposures);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacExposures, lac_exposures_free)

/**
 * lac_exposures_simulate:
 * @optics: not const: its scratch memory is used
 * @object: [s][s]
 * @noise: checked
 * @pool: (nullable)
 *
 * With square_pixels the spectrum is that of the object with uniform squares for pixels, F o times the transform of
 * the square; all else about the optics treats pixels as points.
 *
 * Returns: (transfer full): the simulated exposures of @object at all scan positions. Bitwise identical for any
 * number of threads.
 */
LacExposures *lac_exposures_simulate(LacOptics            *optics,
                                     const double complex *object,
                                     const LacNoise       *noise,
                                     LacPool              *pool);

/* Returns the optics of these exposures. The scan positions are borrowed. */
LacOpticsSettings lac_exposures_get_optics(const LacExposures *exposures);

/**
 * lac_exposures_check:
 *
 * Checks user measurements: sizes, finite and non-negative values, at least one valid pixel in every image, light in
 * one of them. The optics are checked by lac_optics_new().
 *
 * Returns: %FALSE with an error.
 */
gboolean lac_exposures_check(const LacExposures *exposures, GError **error);

/* Returns: (nullable): NULL when all pixels are valid */
const guint8 *lac_exposures_valid(const LacExposures *exposures, gsize position);
const double *lac_exposures_image(const LacExposures *exposures, gsize position);

/* Return the sum of the intensities of the exposure at @position, and of the brightest one. */
double lac_exposures_get_light(const LacExposures *exposures, gsize position);
double lac_exposures_get_most_light(const LacExposures *exposures);

/* Resamples the exposure at @position, as an amplitude, to the pixels of the object; @image: (out): [s][s] */
void lac_exposures_view(const LacExposures *exposures, gsize position, double *image);

/* ---- instrument faults: aberrations of the pupil, misplaced apertures ---- */

/* Zernike terms from %LAC_ZERNIKE_DEFOCUS on. */
#define LAC_FAULTS_N_ABERRATIONS 3

/* Instrument faults, unknown to the methods. */
typedef struct {
  double aberrations[LAC_FAULTS_N_ABERRATIONS]; /* radians */
  double
          displacement; /* maximum displacement of a centre in k-space pixels, uniformly distributed; the first one is not displaced */
  guint64 seed;
} LacFaults;

gboolean lac_faults_is_none(const LacFaults *faults);

/* Moves the apertures from their nominal to their actual positions. @scan, @displaced: [n_positions] */
void lac_faults_displace(const LacFaults  *faults,
                         const LacScanBox *scan,
                         gsize             n_positions,
                         LacScanBox       *displaced);

/**
 * lac_faults_expose:
 * @settings: the nominal instrument
 * @displaced: [n_positions] actual aperture positions
 * @object: [s][s]
 *
 * Returns: (transfer full): the exposures of the faulty instrument, labelled with the nominal centres; %NULL with an
 * error when a displaced aperture lies entirely outside the grid.
 */
LacExposures *lac_faults_expose(const LacFaults         *faults,
                                const LacOpticsSettings *settings,
                                const LacScanBox        *displaced,
                                const double complex    *object,
                                const LacNoise          *noise,
                                LacPool                 *pool,
                                GError                 **error);

G_END_DECLS
