/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exposures: allocation, simulation with or without instrument faults, and checks of user measurements. */
#include "experiment/imaging/optics/exposures.h"

#include "base/error.h"
#include "base/rng.h"
#include "experiment/imaging/optics/zernike.h"

#include <math.h>
#include <string.h>

LacExposures *
lac_exposures_new(const LacOpticsSettings *settings)
{
  LacExposures *exposures = g_new0(LacExposures, 1);

  g_return_val_if_fail(settings->patch && settings->n_along && settings->n_positions, NULL);
  exposures->grid = settings->grid;
  exposures->support = settings->support;
  exposures->d = settings->patch;
  exposures->n_along = settings->n_along;
  exposures->n_positions = settings->n_positions;
  exposures->aperture = settings->aperture;
  exposures->unit = settings->unit;
  exposures->noise = LAC_NOISE_NONE;
  exposures->scan = g_memdup2(settings->scan, settings->n_positions * sizeof *settings->scan);
  exposures->images = g_new0(double, settings->n_positions * settings->patch * settings->patch);
  lac_memory_claim(&exposures->claim, LAC_MEMORY_DATA,
                   settings->n_positions * settings->patch * settings->patch * sizeof(double));
  return exposures;
}

void
lac_exposures_free(LacExposures *exposures)
{
  if (!exposures)
    return;
  g_free(exposures->scan);
  g_free(exposures->images);
  g_free(exposures->sigma);
  g_free(exposures->valid);
  lac_memory_unclaim(&exposures->claim);
  g_free(exposures);
}

typedef struct {
  const LacOptics      *optics;
  const double complex *spectrum;
  const LacNoise       *noise;
  double complex       *fields; /* [n_threads][n_along][d][d] */
  LacExposures         *exposures;
} Simulation;

static void
expose(gsize position, guint worker, gpointer user_data)
{
  const Simulation *s = user_data;
  const gsize       n = s->exposures->d * s->exposures->d;
  double           *image = s->exposures->images + position * n;

  lac_optics_measure(s->optics, position, s->spectrum,
                     s->fields + worker * s->exposures->n_along * n, image);
  lac_noise_add(s->noise, position, s->exposures->unit, image, n);
}

/* Invalidates the bad pixels, the same ones in every exposure. */
static void
take_away_bad_pixels(LacExposures *exposures, const LacNoise *noise)
{
  const gsize n = exposures->d * exposures->d;

  if (noise->bad_fraction == 0)
    return;
  exposures->valid = g_new(guint8, exposures->n_positions * n);
  lac_noise_mark_bad(noise, exposures->valid, n);
  for (gsize v = 1; v < exposures->n_positions; v++)
    memcpy(exposures->valid + v * n, exposures->valid, n);
  for (gsize i = 0; i < exposures->n_positions * n; i++)
    if (!exposures->valid[i])
      exposures->images[i] = 0;
}

static double
sinc(double x)
{
  return x == 0 ? 1 : sin(G_PI * x) / (G_PI * x);
}

/* Multiplies the spectrum of points by that of squares of their distance. */
static void
widen_pixels(const LacBand *band, gsize grid, double complex *spectrum)
{
  const double n = (double) grid;

  for (gsize y = 0; y < band->height; y++)
    for (gsize x = 0; x < band->width; x++)
      spectrum[y * band->width + x] *=
        sinc((double) (band->y + (gint64) y) / n) * sinc((double) (band->x + (gint64) x) / n);
}

LacExposures *
lac_exposures_simulate(LacOptics            *optics,
                       const double complex *object,
                       const LacNoise       *noise,
                       LacPool              *pool)
{
  const LacBand              band = lac_optics_get_band(optics);
  const gsize                n_threads = pool ? lac_pool_get_n_threads(pool) : 1;
  LacExposures              *exposures = lac_exposures_new(lac_optics_get_settings(optics));
  g_autofree double complex *spectrum = g_new(double complex, band.height *band.width);
  g_autofree double complex *fields =
    g_new(double complex, n_threads * exposures->n_along * exposures->d * exposures->d);
  Simulation simulation = {optics, spectrum, noise, fields, exposures};

  exposures->noise = *noise;
  lac_optics_spectrum(optics, object, spectrum);
  if (lac_optics_get_settings(optics)->square_pixels)
    widen_pixels(&band, lac_optics_get_settings(optics)->grid, spectrum);
  if (pool)
    lac_pool_run(pool, exposures->n_positions, expose, &simulation);
  else
    for (gsize v = 0; v < exposures->n_positions; v++)
      expose(v, 0, &simulation);
  take_away_bad_pixels(exposures, noise);
  return exposures;
}

LacOpticsSettings
lac_exposures_get_optics(const LacExposures *exposures)
{
  return (LacOpticsSettings){
    .grid = exposures->grid,
    .support = exposures->support,
    .aperture = exposures->aperture,
    .unit = exposures->unit,
    .patch = exposures->d,
    .n_along = exposures->n_along,
    .n_positions = exposures->n_positions,
    .scan = exposures->scan,
  };
}

const double *
lac_exposures_image(const LacExposures *exposures, gsize position)
{
  return exposures->images + position * exposures->d * exposures->d;
}

const guint8 *
lac_exposures_valid(const LacExposures *exposures, gsize position)
{
  return exposures->valid ? exposures->valid + position * exposures->d * exposures->d : NULL;
}

static gboolean
check_image(const LacExposures *exposures, gsize position, GError **error)
{
  const double *image = lac_exposures_image(exposures, position);
  const guint8 *valid = lac_exposures_valid(exposures, position);
  gsize         n_valid = 0;

  for (gsize i = 0; i < exposures->d * exposures->d; i++) {
    if (valid && !valid[i])
      continue;
    n_valid++;
    if (image[i] >= 0 && isfinite(image[i]))
      continue;
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "exposure %" G_GSIZE_FORMAT " holds %g at row %" G_GSIZE_FORMAT
                ", column %" G_GSIZE_FORMAT
                ": a detector gives numbers that are 0 or more; mark the pixel as bad in the mask",
                position + 1, image[i], i / exposures->d, i % exposures->d);
    return FALSE;
  }
  if (n_valid)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "the mask excludes all pixels of exposure %" G_GSIZE_FORMAT, position + 1);
  return FALSE;
}

static gboolean
check_sigma(const LacExposures *exposures, GError **error)
{
  const gsize cells = exposures->d * exposures->d;

  for (gsize i = 0; exposures->sigma && i < exposures->n_positions * cells; i++) {
    if ((exposures->valid && !exposures->valid[i]) ||
        (exposures->sigma[i] > 0 && isfinite(exposures->sigma[i])))
      continue;
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "sigma is %g at exposure %" G_GSIZE_FORMAT ", row %" G_GSIZE_FORMAT
                ", column %" G_GSIZE_FORMAT
                ": it is to be above 0 wherever the mask leaves a pixel, or 0 everywhere",
                exposures->sigma[i], i / cells + 1, i % cells / exposures->d, i % exposures->d);
    return FALSE;
  }
  return TRUE;
}

double
lac_exposures_get_light(const LacExposures *exposures, gsize position)
{
  const double *image = lac_exposures_image(exposures, position);
  double        sum = 0;

  for (gsize i = 0; i < exposures->d * exposures->d; i++)
    sum += exposures->unit == LAC_DETECTOR_AMPLITUDE ? image[i] * image[i] : image[i];
  return sum;
}

double
lac_exposures_get_most_light(const LacExposures *exposures)
{
  double most = 0;

  for (gsize v = 0; v < exposures->n_positions; v++)
    most = fmax(most, lac_exposures_get_light(exposures, v));
  return most;
}

gboolean
lac_exposures_check(const LacExposures *exposures, GError **error)
{
  for (gsize v = 0; v < exposures->n_positions; v++)
    if (!check_image(exposures, v, error))
      return FALSE;
  if (lac_exposures_get_most_light(exposures) == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "all %" G_GSIZE_FORMAT " exposures are dark: every valid pixel is 0",
                exposures->n_positions);
    return FALSE;
  }
  return check_sigma(exposures, error) && lac_noise_check(&exposures->noise, error);
}

/* ---- faults of the instrument ---- */

/* Simulation of a faulty instrument, which exists only while its exposures are taken. */

#define FAULT_STREAM ((guint64) 0x6661756cu << 32) /* random streams: one per scan position */

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
lac_faults_displace(const LacFaults  *faults,
                    const LacScanBox *scan,
                    gsize             n_positions,
                    LacScanBox       *displaced)
{
  for (gsize v = 0; v < n_positions; v++) {
    LacRng       rng = lac_rng(faults->seed, FAULT_STREAM + v);
    const double r = v > 0 ? faults->displacement * sqrt(lac_rng_uniform(&rng)) : 0;
    const double angle = 2 * G_PI * lac_rng_uniform(&rng);
    const double dy = r * sin(angle), dx = r * cos(angle);

    displaced[v] =
      (LacScanBox){scan[v].y + dy, scan[v].x + dx, scan[v].end_y + dy, scan[v].end_x + dx};
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
                  const LacScanBox        *displaced,
                  const double complex    *object,
                  const LacNoise          *noise,
                  LacPool                 *pool,
                  GError                 **error)
{
  LacOpticsSettings    true_settings = *settings;
  g_autoptr(LacOptics) optics = NULL;
  LacExposures        *exposures;

  true_settings.scan = displaced;
  optics = lac_optics_new(&true_settings, pool, error);
  if (!optics)
    return NULL;
  if (is_blurred(faults))
    blur(faults, optics);
  exposures = lac_exposures_simulate(optics, object, noise, pool);
  memcpy(exposures->scan, settings->scan, settings->n_positions * sizeof *settings->scan);
  return exposures;
}
