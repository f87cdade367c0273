/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detector noise, with one random stream per exposure. */
#include "experiment/imaging/optics/noise.h"

#include "base/error.h"
#include "base/rng.h"

#include <math.h>

/* Random streams: bad pixels, then one per exposure. */
#define BAD_STREAM      0x6e6f6973u
#define EXPOSURE_STREAM ((guint64) 0x65787073u << 32)

gboolean
lac_noise_check(const LacNoise *noise, GError **error)
{
  if (!(noise->snr_db >= -20)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "a signal-to-noise ratio of %g dB: -20 or more", noise->snr_db);
    return FALSE;
  }
  if (!(noise->read_sigma >= 0 && isfinite(noise->read_sigma))) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE, "a read noise of %g: 0 or more",
                noise->read_sigma);
    return FALSE;
  }
  if (!(noise->bad_fraction >= 0 && noise->bad_fraction <= 0.9)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "a fraction of bad pixels of %g: from 0 to 0.9", noise->bad_fraction);
    return FALSE;
  }
  return TRUE;
}

double
lac_noise_variance(const LacNoise *noise, double intensity)
{
  return intensity * pow(10, -noise->snr_db / 10) + noise->read_sigma * noise->read_sigma;
}

/* Returns sqrt(max(0, I + sigma n)) or its square. */
static double
seen(LacDetectorUnit unit, double intensity, double sigma, double n)
{
  const double left = MAX(0, intensity + sigma * n);

  return unit == LAC_DETECTOR_AMPLITUDE ? sqrt(left) : left;
}

static double
intensity_of(LacDetectorUnit unit, double value)
{
  return unit == LAC_DETECTOR_AMPLITUDE ? value * value : value;
}

/* Uses the trapezoidal rule over the normal density: nearly exact for smooth integrands, and accurate to about 1e-4
 * at the kink where clipping starts. */
double
lac_noise_expected_square(const LacNoise *noise, LacDetectorUnit unit, double value)
{
  const double intensity = intensity_of(unit, value),
               sigma = sqrt(lac_noise_variance(noise, intensity));
  const double step = 1.0 / 256, reach = 6;
  double       sum = 0;

  if (sigma == 0)
    return 0;
  for (double n = -reach; n <= reach; n += step) {
    const double off = seen(unit, intensity, sigma, n) - value;

    sum += exp(-n * n / 2) * off * off;
  }
  return sum * step / sqrt(2 * G_PI);
}

void
lac_noise_add(const LacNoise *noise, gsize position, LacDetectorUnit unit, double *image, gsize n)
{
  LacRng rng = lac_rng(noise->seed, EXPOSURE_STREAM + position);

  if (lac_noise_variance(noise, 1) == 0)
    return;
  for (gsize i = 0; i < n; i++) {
    const double intensity = intensity_of(unit, image[i]);

    image[i] =
      seen(unit, intensity, sqrt(lac_noise_variance(noise, intensity)), lac_rng_normal(&rng));
  }
}

void
lac_noise_mark_bad(const LacNoise *noise, guint8 *valid, gsize n)
{
  LacRng rng = lac_rng(noise->seed, BAD_STREAM);

  for (gsize i = 0; i < n; i++)
    valid[i] = lac_rng_uniform(&rng) >= noise->bad_fraction;
}
