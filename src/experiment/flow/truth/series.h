/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truth from the user's snapshots. Training snapshots are loaded into memory if they fit, otherwise they are read
 * from their file in blocks of rows; results agree to rounding. */
#pragma once

#include "experiment/experiment.h"
#include "experiment/flow/truth.h"

G_BEGIN_DECLS

typedef struct {
  LacGridField
        *field; /* over t, y and x in any order; with another axis, one plane of it is used */
  gsize  plane; /* index along that axis */
  double share; /* fraction of the times for training, the first ones */
  gsize  most_observed; /* limit of the observed times that follow */
  double budget;        /* bytes for training snapshots; 0: a quarter of the machine's memory */
} LacSeriesSettings;

/**
 * lac_series_truth_new:
 *
 * Has one field, "u". Takes a reference to the input field.
 *
 * Returns: %NULL with an error: axes other than t, y and x, not evenly spaced in space, or too short; no such plane;
 * an unreadable file; observed values that are not finite; cancelled.
 */
LacTruth *
lac_series_truth_new(const LacSeriesSettings *settings, const LacContext *context, GError **error);

/* Returns @budget in bytes, with 0 resolved. */
double lac_series_budget(double budget);

G_END_DECLS
