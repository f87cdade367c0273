/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is wrong with a simulated instrument and not told to who reconstructs: aberrations of the pupil, apertures that are not where they
 * are said to be. */
#pragma once

#include "experiment/imaging/optics/exposures.h"

G_BEGIN_DECLS

/* Zernike terms from %LAC_ZERNIKE_DEFOCUS on. */
#define LAC_FAULTS_N_ABERRATIONS 3

typedef struct {
  double aberrations[LAC_FAULTS_N_ABERRATIONS]; /* radians */
  double
          displacement; /* k-space pixels by which a centre is off at most, all places within as likely; the first one stays */
  guint64 seed;
} LacFaults;

gboolean lac_faults_is_none(const LacFaults *faults);

/* Where the apertures are, in truth. @visits, @displaced: [n_visits] */
void lac_faults_displace(const LacFaults *faults,
                         const LacVisit  *visits,
                         gsize            n_visits,
                         LacVisit        *displaced);

/**
 * lac_faults_expose:
 * @settings: the instrument as it is said to be
 * @displaced: [n_visits] where its apertures are
 * @object: [s][s]
 *
 * Returns: (transfer full): what it sees, with the centres that it is said to have; %NULL with an error where a displaced aperture has
 * nothing left on the grid.
 */
LacExposures *lac_faults_expose(const LacFaults         *faults,
                                const LacOpticsSettings *settings,
                                const LacVisit          *displaced,
                                const double complex    *object,
                                const LacNoise          *noise,
                                LacPool                 *pool,
                                GError                 **error);

G_END_DECLS
