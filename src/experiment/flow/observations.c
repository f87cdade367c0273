/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation of observations, and evaluation of a sensor's stencil. */
#include "experiment/flow/observations.h"

LacObservations *
lac_observations_new(gsize n_sensors, gsize n_stations, gsize n_times)
{
  LacObservations *observations = g_new0(LacObservations, 1);

  observations->n_sensors = n_sensors;
  observations->sensors = g_new0(LacSensor, n_sensors);
  observations->n_stations = n_stations;
  observations->stations = g_new0(double, 2 * n_stations);
  observations->n_times = n_times;
  observations->times = g_new0(double, n_times);
  observations->values = g_new0(double, n_times *n_sensors);
  observations->sigma = g_new0(double, n_times *n_sensors);
  return observations;
}

void
lac_observations_free(LacObservations *observations)
{
  if (!observations)
    return;
  g_free(observations->sensors);
  g_free(observations->stations);
  g_free(observations->times);
  g_free(observations->values);
  g_free(observations->sigma);
  g_free(observations);
}

double
lac_sensor_read(const LacSensor *sensor, const double *snapshot)
{
  double sum = 0;

  for (gsize i = 0; i < G_N_ELEMENTS(sensor->rows); i++)
    if (sensor->weights[i] != 0)
      sum += sensor->weights[i] * snapshot[sensor->rows[i]];
  return sum;
}
