/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The survey of a truth: where the sensors stand and what they say. */
#pragma once

#include "base/pool.h"
#include "base/rng.h"
#include "experiment/experiment.h"
#include "experiment/flow/observations.h"
#include "experiment/flow/truth.h"
#include "sensor/pod.h"

G_BEGIN_DECLS

/* The names of the placement methods, NULL-terminated: the choices of a parameter. Any thread. */
const char *const *lac_synthetic_placements(void);

typedef struct {
  gsize            n_stations;
  const double    *places;    /* [n_stations][2] by hand; NULL: chosen by the method */
  gint64           placement; /* index into the methods of sensor/placement.h */
  double           minimum_distance;
  guint            fields;  /* bit i: field i is measured */
  double           noise;   /* standard deviation, in rms of the fluctuation of the field */
  double           dropout; /* share of the values that never arrive */
  gsize            every;   /* times from one measurement to the next, 1 or more */
  guint64          seed;
  LacPool         *pool;
  const LacMemory *memory; /* (nullable): of layouts chosen before */
} LacSyntheticSettings;

/**
 * lac_synthetic_new:
 * @pod: (nullable): modes of the training part
 * @mean: a snapshot; the fluctuation is what differs from it
 *
 * Values are ordered field by field, station by station. Noise depends on seed and time alone, so that it is the same
 * whenever and by whomever it is asked.
 *
 * Returns: %NULL with an error: no room for the sensors, modes wanted and there are none.
 */
LacObservations *lac_synthetic_new(const LacTruth             *truth,
                                   const LacPod               *pod,
                                   const double               *mean,
                                   const LacSyntheticSettings *settings,
                                   GError                    **error);

/* Standard deviation of a value with @noise, a share of the rms of the fluctuation; always above 0. */
double lac_synthetic_sigma(double noise, double rms);

/* rms of the fluctuation of field @f over the training part, or over what is observed where there is none; 0 where neither
 * is known. */
double lac_synthetic_rms(const LacTruth *truth, const double *mean, guint f);

G_END_DECLS
