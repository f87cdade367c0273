/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truth from the user's snapshots. Training snapshots are loaded into memory if they fit, otherwise read from their
 * file in blocks of rows; both give the same results up to rounding. */
#pragma once

#include "experiment/experiment.h"
#include "experiment/flow/truth.h"

G_BEGIN_DECLS

typedef struct {
  LacGridField      *
    field; /* field over t, y and x in any order; if it has a further axis, one plane along that axis is used */
  gsize  plane; /* index along the further axis */
  double share; /* fraction of the times used for training, from the start */
  gsize  most_observed; /* maximum number of observed times, which follow the training part */
  double budget; /* memory for training snapshots in bytes; 0: a quarter of the machine's memory */
} LacSeriesSettings;

/**
 * lac_series_truth_new:
 *
 * Makes a truth with one field, "u". Takes a reference to the input field.
 *
 * Returns: %NULL with an error: axes other than t, y and x, not evenly spaced in space, or too short; no such plane;
 * an unreadable file; observed values that are not finite; cancelled.
 */
LacTruth *
lac_series_truth_new(const LacSeriesSettings *settings, const LacContext *context, GError **error);

/* Returns @budget, or the automatic value when @budget is 0. */
double lac_series_budget(double budget);

G_END_DECLS
