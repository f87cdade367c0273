/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements by scalar sensors at the times of the grid, made from the truth with noise and drop-out, or from the
 * user's file; methods cannot distinguish the two. Immutable once made. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A sensor of one field at one position, as a bilinear stencil on the grid; on a grid point one weight is 1. */
typedef struct {
  double x, y;
  guint  field;
  gsize  rows[4]; /* indices into a snapshot [n_fields][ny][nx] */
  double weights[4];
  gsize  station; /* shared by sensors at the same position */
} LacSensor;

typedef struct {
  gsize      n_sensors;
  LacSensor *sensors; /* [n_sensors] */
  gsize      n_stations;
  double    *stations; /* [n_stations][2]: positions */
  gsize      n_times;
  double    *times;  /* [n_times]: the times of the grid */
  double    *values; /* [n_times][n_sensors]; NaN: missing */
  double    *sigma;  /* [n_times][n_sensors]: standard deviation of each value, > 0 */
} LacObservations;

LacObservations *lac_observations_new(gsize n_sensors, gsize n_stations, gsize n_times);
void             lac_observations_free(LacObservations *observations);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacObservations, lac_observations_free)

/* Returns sum_i weights_i field[rows_i]; @snapshot: [n_fields][ny][nx] */
double lac_sensor_read(const LacSensor *sensor, const double *snapshot);

G_END_DECLS
