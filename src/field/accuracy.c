/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error reduction, error spectrogram and convergence rate. */
#include "field/accuracy.h"

#include "field/spectrum.h"

#include <math.h>

double
lac_error_reduction(const LacScored *before, const LacScored *after, LacPlane *out)
{
  const gsize cells = out->nx * out->ny;
  gsize       n = 0, n_fell = 0;
  g_return_val_if_fail(before->field->nx == out->nx && before->field->ny == out->ny &&
                         after->field->nx == out->nx && after->field->ny == out->ny,
                       (double) NAN);
  out->x_min = after->field->x_min;
  out->x_max = after->field->x_max;
  out->y_min = after->field->y_min;
  out->y_max = after->field->y_max;
  for (gsize i = 0; i < cells; i++) {
    out->data[i] = fabsf(before->field->data[i] - before->truth->data[i]) -
                   fabsf(after->field->data[i] - after->truth->data[i]);
    n += isfinite(out->data[i]) ? 1 : 0;
    n_fell += out->data[i] > 0 ? 1 : 0;
  }
  lac_plane_measure(out);
  return n > 0 ? (double) n_fell / (double) n : (double) NAN;
}

double
lac_seconds_per_decade(const double *seconds, const double *errors, gsize n, double from, double to)
{
  gssize first = -1, last = -1;
  for (gsize i = 0; i < n; i++)
    if (seconds[i] >= from && seconds[i] <= to && errors[i] > 0) {
      first = first < 0 ? (gssize) i : first;
      last = (gssize) i;
    }
  if (first < 0 || last <= first || !(errors[last] < errors[first]))
    return (double) NAN;
  return (seconds[last] - seconds[first]) / log10(errors[first] / errors[last]);
}

LacSpectrogram *
lac_spectrogram_new(const LacPlane *like, gsize n_steps)
{
  LacPowerShells shells = lac_power_shells(like, LAC_POWER_RADIAL);
  if (shells.n < 2)
    return NULL;
  LacSpectrogram *spectrogram = g_new(LacSpectrogram, 1);
  *spectrogram = (LacSpectrogram){n_steps, shells.n, shells.unit, g_new0(gint64, n_steps + 1),
                                  g_new(double, n_steps *shells.n + 1)};
  for (gsize i = 0; i < n_steps * shells.n; i++)
    spectrogram->power[i] = (double) NAN;
  return spectrogram;
}

void
lac_spectrogram_free(LacSpectrogram *spectrogram)
{
  if (spectrogram == NULL)
    return;
  g_free(spectrogram->steps);
  g_free(spectrogram->power);
  g_free(spectrogram);
}

void
lac_spectrogram_set(LacSpectrogram  *spectrogram,
                    gsize            i,
                    gint64           step,
                    const LacScored *scored,
                    gboolean         bounded)
{
  g_return_if_fail(i < spectrogram->n_steps);
  g_return_if_fail(lac_power_shells(scored->field, LAC_POWER_RADIAL).n == spectrogram->n_shells);
  spectrogram->steps[i] = step;
  lac_spectrum_power(scored->field, scored->truth, LAC_POWER_RADIAL, bounded,
                     spectrogram->power + i * spectrogram->n_shells);
}
