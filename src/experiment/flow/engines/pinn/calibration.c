/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moments of the error at held-out places. */
#include "experiment/flow/engines/pinn/calibration.h"

#include <math.h>

#define SMALLEST 0.1 /* nobody is ten times as sure as they believe */

gsize
lac_pinn_held_points(const LacCase         *subject,
                     const LacObservations *observations,
                     const guint8          *held_out,
                     double                *x)
{
  const guint n_axes = subject->pde->n_axes, first = lac_case_first_axis(subject);
  gsize       n = 0;

  for (gsize k = 0; observations && k < observations->n_times; k++)
    for (gsize i = 0; i < observations->n_stations; i++) {
      if (!held_out[i])
        continue;
      if (x) {
        double *point = x + n * n_axes;

        if (first)
          point[0] = observations->times[k];
        for (guint j = first; j < MIN(n_axes, first + 2); j++)
          point[j] = observations->stations[2 * i + j - first];
      }
      n++;
    }
  return n;
}

/* Position of every held-out station among those of one time. */
static gsize
find_rank(const guint8 *held_out, gsize station)
{
  gsize rank = 0;

  for (gsize i = 0; i < station; i++)
    rank += held_out[i];
  return rank;
}

double
lac_pinn_held_scale(const LacCase         *subject,
                    const LacObservations *observations,
                    const guint8          *held_out,
                    const double          *mean,
                    const double          *deviation)
{
  const gsize n = lac_pinn_held_points(subject, observations, held_out, NULL);
  double      left = 0, believed = 0;

  if (n == 0)
    return 1;
  for (gsize s = 0; s < observations->n_sensors; s++) {
    const LacSensor *sensor = &observations->sensors[s];
    const gsize      a_time = n / observations->n_times;
    const gsize      rank = find_rank(held_out, sensor->station);

    for (gsize k = 0; held_out[sensor->station] && k < observations->n_times; k++) {
      const gsize  at = sensor->field * n + k * a_time + rank;
      const double value = observations->values[k * observations->n_sensors + s];
      const double sigma = observations->sigma[k * observations->n_sensors + s];

      if (!isfinite(value))
        continue;
      left += (value - mean[at]) * (value - mean[at]) - sigma * sigma;
      believed += deviation[at] * deviation[at];
    }
  }
  return believed > 0 ? sqrt(MAX(left / believed, SMALLEST * SMALLEST)) : 1;
}
