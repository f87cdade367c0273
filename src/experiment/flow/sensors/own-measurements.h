/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between a person's measurements and what the methods see: rows of a file to sensors on the grid of a scene, and back. */
#pragma once

#include "experiment/flow/observations.h"
#include "experiment/flow/truth.h"
#include "field/measurements.h"

G_BEGIN_DECLS

/* Share of the time from one observation to the next by which a measurement may miss it. */
#define LAC_MEASUREMENTS_TIME_SLACK 0.01

typedef struct {
  const LacMeasurements *measurements;
  const LacTruth        *grid; /* its times, fields and shape; the observed part is not looked at */
  gboolean               steady; /* then all belong to the one time there is */
  /* Values whose deviation the file does not say have @noise times @rms, [n_fields]; 0: the rms of the file's own values
   * around their mean. */
  double        noise;
  const double *rms;
} LacOwnSettings;

/**
 * lac_own_observations_new:
 *
 * A sensor is a quantity at a place; what is measured twice at one time and place comes from two sensors. Sensors are
 * ordered field by field, stations by their first coming. Between grid points they see bilinearly.
 *
 * Returns: %NULL with %LAC_ERROR_OUT_OF_RANGE naming the line of the file and what is allowed: an unknown quantity, a time
 * between those of the scene, a place outside of it.
 */
LacObservations *lac_own_observations_new(const LacOwnSettings *settings, GError **error);

/* Returns: (transfer full): a row for every sensor and time, those that saw nothing too. @n_axes: of space. */
LacMeasurements *lac_own_measurements_new(const LacObservations *observations,
                                          const LacTruth        *grid,
                                          guint                  n_axes,
                                          gboolean               steady);

G_END_DECLS
