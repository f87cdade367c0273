/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthetic measurements of a truth: sensor positions and noisy values. */
#pragma once

#include "base/pool.h"
#include "base/rng.h"
#include "experiment/experiment.h"
#include "experiment/flow/observations.h"
#include "experiment/flow/truth.h"
#include "experiment/regions.h"
#include "sensor/pod.h"

G_BEGIN_DECLS

/* Returns the names of the placement methods, NULL-terminated, as the choices of a parameter. Any thread. */
const char *const *lac_synthetic_placements(void);
/* Returns their translatable titles, in the same order. Any thread. */
const char *const *lac_synthetic_placement_titles(void);

typedef struct {
  gsize            n_stations;
  const double    *places;    /* [n_stations][2], placed by hand; NULL: chosen by the method */
  gint64           placement; /* index of a method in sensor/placement.h */
  double           minimum_distance;
  const LacRegion *regions; /* [n_regions]: of forbidden places and costs; NULL: none */
  gsize            n_regions;
  guint            fields;  /* bit i: field i is measured */
  double           noise;   /* standard deviation, relative to the RMS fluctuation of the field */
  double           dropout; /* fraction of the values that are missing */
  gsize            every;   /* interval between measurements in observation times, at least 1 */
  guint64          seed;
  LacPool         *pool;
  const LacMemory *memory; /* (nullable): cache of layouts */
} LacSyntheticSettings;

/**
 * lac_synthetic_new:
 * @pod: (nullable): modes of the training part; without them, placement is random if the method needs modes
 * @mean: a snapshot; the fluctuation is the deviation from it
 *
 * Values are ordered field by field, station by station. The noise depends only on seed and time, so that it is
 * reproducible.
 *
 * Returns: %NULL with an error if there is no room for the sensors.
 */
LacObservations *lac_synthetic_new(const LacTruth             *truth,
                                   const LacPod               *pod,
                                   const double               *mean,
                                   const LacSyntheticSettings *settings,
                                   GError                    **error);

/* Returns the standard deviation of a value, where @noise is relative to the RMS fluctuation @rms; always above 0. */
double lac_synthetic_sigma(double noise, double rms);

/* Returns the RMS fluctuation of field @f over the training part, or over the observed part if there is none; 0 if
 * neither exists. */
double lac_synthetic_rms(const LacTruth *truth, const double *mean, guint f);

G_END_DECLS
