/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion between user measurements and observations: rows of a file to sensors on the grid of a scene, and back. */
#pragma once

#include "experiment/flow/observations.h"
#include "experiment/flow/truth.h"
#include "field/measurements.h"

G_BEGIN_DECLS

/* Tolerance of measurement times, as a fraction of the observation interval. */
#define LAC_MEASUREMENTS_TIME_SLACK 0.01

typedef struct {
  const LacMeasurements *measurements;
  const LacTruth        *grid;   /* times, fields and shape; the observed part is not read */
  gboolean               steady; /* assign all measurements to the only observation time */
  /* Standard deviation of values without one: @noise times @rms, [n_fields]. Where @rms is 0, it is replaced by the
   * RMS of the file's values around their mean. */
  double        noise;
  const double *rms;
} LacOwnSettings;

/**
 * lac_own_observations_new:
 *
 * Converts the measurements. A sensor is a quantity at a position; repeated measurements at the same time and position
 * count as separate sensors. Sensors are ordered field by field, stations by first appearance. A sensor between grid
 * points measures the bilinear interpolant of the field.
 *
 * Returns: %NULL with %LAC_ERROR_OUT_OF_RANGE for an unknown quantity, a time between those of the scene or a position
 * outside it; the error names the line of the file and what is allowed.
 */
LacObservations *lac_own_observations_new(const LacOwnSettings *settings, GError **error);

/* Returns: (transfer full): one row per sensor and time, missing values included. @n_axes: number of space axes */
LacMeasurements *lac_own_measurements_new(const LacObservations *observations,
                                          const LacTruth        *grid,
                                          guint                  n_axes,
                                          gboolean               steady);

G_END_DECLS
