/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The true instrument exists only while its exposures are taken. */
#include "experiment/imaging/optics/faults.h"

#include "base/rng.h"
#include "experiment/imaging/optics/zernike.h"

#include <math.h>
#include <string.h>

#define STREAM ((guint64) 0x6661756cu << 32) /* of random numbers: one a visit */

static gboolean
is_blurred(const LacFaults *faults)
{
  for (gsize i = 0; i < LAC_FAULTS_N_ABERRATIONS; i++)
    if (faults->aberrations[i] != 0)
      return TRUE;
  return FALSE;
}

gboolean
lac_faults_is_none(const LacFaults *faults)
{
  return !is_blurred(faults) && !(faults->displacement > 0);
}

void
lac_faults_displace(const LacFaults *faults,
                    const LacVisit  *visits,
                    gsize            n_visits,
                    LacVisit        *displaced)
{
  for (gsize v = 0; v < n_visits; v++) {
    LacRng       rng = lac_rng(faults->seed, STREAM + v);
    const double r = v > 0 ? faults->displacement * sqrt(lac_rng_uniform(&rng)) : 0;
    const double angle = 2 * G_PI * lac_rng_uniform(&rng);
    const double dy = r * sin(angle), dx = r * cos(angle);

    displaced[v] =
      (LacVisit){visits[v].y + dy, visits[v].x + dx, visits[v].end_y + dy, visits[v].end_x + dx};
  }
}

static void
blur(const LacFaults *faults, LacOptics *optics)
{
  const gsize                box = lac_optics_get_box(optics), n = box * box;
  const double               radius = lac_optics_get_settings(optics)->aperture.radius;
  g_autofree double         *terms = g_new(double, LAC_FAULTS_N_ABERRATIONS *n);
  g_autofree double complex *pupil = g_new(double complex, n);

  lac_zernike_sample(LAC_ZERNIKE_DEFOCUS, LAC_FAULTS_N_ABERRATIONS, box, radius, terms);
  lac_zernike_pupil(faults->aberrations, LAC_FAULTS_N_ABERRATIONS, terms, n, pupil);
  lac_optics_set_pupil(optics, pupil);
}

LacExposures *
lac_faults_expose(const LacFaults         *faults,
                  const LacOpticsSettings *settings,
                  const LacVisit          *displaced,
                  const double complex    *object,
                  const LacNoise          *noise,
                  LacPool                 *pool,
                  GError                 **error)
{
  LacOpticsSettings    true_settings = *settings;
  g_autoptr(LacOptics) optics = NULL;
  LacExposures        *exposures;

  true_settings.visits = displaced;
  optics = lac_optics_new(&true_settings, pool, error);
  if (!optics)
    return NULL;
  if (is_blurred(faults))
    blur(faults, optics);
  exposures = lac_exposures_simulate(optics, object, noise, pool);
  memcpy(exposures->visits, settings->visits, settings->n_visits * sizeof *settings->visits);
  return exposures;
}
