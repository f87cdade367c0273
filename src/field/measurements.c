/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation of measurements and their list of quantities. */
#include "field/measurements.h"

LacMeasurements *
lac_measurements_new(const char *source, gsize n)
{
  LacMeasurements *measurements = g_new0(LacMeasurements, 1);

  measurements->source = g_strdup(source);
  measurements->n = n;
  measurements->rows = g_new0(LacMeasurement, n);
  return measurements;
}

void
lac_measurements_free(LacMeasurements *measurements)
{
  if (measurements == NULL)
    return;
  for (guint i = 0; i < measurements->n_quantities; i++)
    g_free(measurements->quantities[i]);
  g_free(measurements->source);
  g_free(measurements->rows);
  g_free(measurements);
}

int
lac_measurements_quantity(LacMeasurements *measurements, const char *name)
{
  for (guint i = 0; i < measurements->n_quantities; i++)
    if (g_str_equal(measurements->quantities[i], name))
      return (int) i;
  if (measurements->n_quantities == LAC_MEASUREMENTS_MAX_QUANTITIES)
    return -1;
  measurements->quantities[measurements->n_quantities] = g_strdup(name);
  return (int) measurements->n_quantities++;
}
