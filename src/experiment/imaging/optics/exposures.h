/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the detector saw, and all that is needed to reconstruct from it: simulated, or a person's own. Immutable once made; the numbers are
 * kept as they are, so that a reconstruction from exposures that were written and read again is bitwise the same. */
#pragma once

#include "experiment/imaging/optics/noise.h"
#include "experiment/imaging/optics/optics.h"

G_BEGIN_DECLS

typedef struct _LacExposures LacExposures;
struct _LacExposures {
  gsize           grid, support;
  gsize           d, n_along, n_positions;
  LacAperture     aperture;
  LacDetectorUnit unit;
  LacNoise        noise;  /* as far as it is known; its seed means nothing here */
  LacScanBox     *scan;   /* [n_positions] */
  double         *images; /* [n_positions][d][d], in unit */
  double *
    sigma; /* (nullable): [n_positions][d][d], standard deviation of each pixel in unit, where it is known better than by @noise */
  guint8 *
    valid; /* (nullable): [n_positions][d][d], 0 where a pixel is not to be believed; there the image is 0 */
};

/* Returns: of these sizes, with images of 0 and all valid, for the one caller to fill. */
LacExposures *lac_exposures_new(const LacOpticsSettings *settings);
void          lac_exposures_free(LacExposures *exposures);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacExposures, lac_exposures_free)

/**
 * lac_exposures_simulate:
 * @optics: not only read: its scratch memory is used
 * @object: [s][s]
 * @noise: checked
 * @pool: (nullable)
 *
 * Returns: (transfer full): what is seen of @object at every scan position. Bitwise the same for any number of threads.
 */
LacExposures *lac_exposures_simulate(LacOptics            *optics,
                                     const double complex *object,
                                     const LacNoise       *noise,
                                     LacPool              *pool);

/* The optics they were taken with. The scan positions are borrowed. */
LacOpticsSettings lac_exposures_get_optics(const LacExposures *exposures);

/**
 * lac_exposures_check:
 *
 * Of a person's own: sizes, values that are finite and not negative, a pixel that is valid in every image. What lac_optics_new() checks is left to it.
 *
 * Returns: %FALSE and a sentence.
 */
gboolean lac_exposures_check(const LacExposures *exposures, GError **error);

/* (nullable): NULL where all pixels are valid */
const guint8 *lac_exposures_valid(const LacExposures *exposures, gsize position);
const double *lac_exposures_image(const LacExposures *exposures, gsize position);

/* What was seen at @position as an amplitude on the pixels of the object; @image: (out): [s][s] */
void lac_exposures_view(const LacExposures *exposures, gsize position, double *image);

/* ---- faults of the instrument: aberrations of the pupil, apertures that are not where they are said to be ---- */

/* They are not told to who reconstructs. */

/* Zernike terms from %LAC_ZERNIKE_DEFOCUS on. */
#define LAC_FAULTS_N_ABERRATIONS 3

typedef struct {
  double aberrations[LAC_FAULTS_N_ABERRATIONS]; /* radians */
  double
          displacement; /* k-space pixels by which a centre is off at most, all places within as likely; the first one stays */
  guint64 seed;
} LacFaults;

gboolean lac_faults_is_none(const LacFaults *faults);

/* Moves the apertures from where they are said to be to where they are. @scan, @displaced: [n_positions] */
void lac_faults_displace(const LacFaults  *faults,
                         const LacScanBox *scan,
                         gsize             n_positions,
                         LacScanBox       *displaced);

/**
 * lac_faults_expose:
 * @settings: the instrument as it is said to be
 * @displaced: [n_positions] where its apertures are
 * @object: [s][s]
 *
 * Returns: (transfer full): what it sees, with the centres that it is said to have; %NULL with an error where a displaced aperture has
 * nothing left on the grid.
 */
LacExposures *lac_faults_expose(const LacFaults         *faults,
                                const LacOpticsSettings *settings,
                                const LacScanBox        *displaced,
                                const double complex    *object,
                                const LacNoise          *noise,
                                LacPool                 *pool,
                                GError                 **error);

G_END_DECLS
