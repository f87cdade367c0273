/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A twin experiment: a truth that is computed, seen only through its sensors. Snapshots of Kolmogorov flow, the part that
 * trains the modes, the places, and the noisy observations of the rest. */
#pragma once

#include "experiment/experiment.h"
#include "sensor/pod.h"
#include "solver/vorticity.h"

G_BEGIN_DECLS

#define LAC_TWIN_TRAINING 0.6 /* share of the snapshots that trains modes, mean and places */

typedef enum { LAC_PLACEMENT_QR, LAC_PLACEMENT_RANDOM } LacPlacement;

typedef struct {
  LacVorticitySettings flow;          /* of the truth: double precision, one member */
  double               spin_up;       /* time before the first snapshot */
  gsize                steps_between; /* solver steps from snapshot to snapshot */
  gsize                n_snapshots;
  gsize                n_sensors;
  LacPlacement         placement;
  double               noise; /* standard deviation, in fluctuation rms */
} LacTwinSettings;

typedef struct {
  LacTwinSettings settings;
  guint64         seed;
  gsize           n; /* numbers a snapshot: [2][side][side] */
  gsize           n_training;
  double         *snapshots; /* [n_snapshots][n] */
  LacPod         *pod;
  gsize          *places; /* [n_sensors] */
  gsize          *rows;   /* [2 n_sensors] of a snapshot */
  double         *values; /* [2 n_sensors]: the last observation */
} LacTwin;

/* Computes the truth and everything that follows from the training part. Returns: %NULL with an error, also when
 * cancelled. */
LacTwin *lac_twin_new(const LacTwinSettings *settings, const LacContext *context, GError **error);
void     lac_twin_free(LacTwin *twin);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTwin, lac_twin_free)

/* The truth at observation @k, 0 the first after training. */
const double *lac_twin_get_truth(const LacTwin *twin, gsize k);

/* What the sensors say then: the same numbers whenever it is asked. (transfer none), until the next call. */
const double *lac_twin_observe(LacTwin *twin, gsize k);

/* ||field - truth|| / ||truth - training mean|| at observation @k */
double lac_twin_get_error(const LacTwin *twin, const double *field, gsize k);

G_END_DECLS
