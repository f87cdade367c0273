/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A truth from snapshots that somebody brings. What trains is held in memory where there is room for it, else it stays in its
 * file and is read in blocks of rows; either way everything that follows from it is the same to rounding. */
#pragma once

#include "experiment/experiment.h"
#include "experiment/flow/truth.h"

G_BEGIN_DECLS

typedef struct {
  LacGridField
        *field; /* over t, y and x, in any order; over another axis too: then a plane of it */
  gsize  plane; /* index along that axis */
  double share; /* of the times: the first ones train */
  gsize  most_observed; /* of those that follow */
  double budget;        /* bytes for what trains; 0: a quarter of the machine's memory */
} LacSeriesSettings;

/**
 * lac_series_truth_new:
 *
 * One field, "u". Takes a reference to the field.
 *
 * Returns: %NULL with an error: axes that are no t, y and x, that are not evenly spaced in space, too short; no such plane; the
 * file cannot be read; values that are not finite in what is observed; cancelled.
 */
LacTruth *
lac_series_truth_new(const LacSeriesSettings *settings, const LacContext *context, GError **error);

/* Bytes that @budget stands for. */
double lac_series_budget(double budget);

G_END_DECLS
