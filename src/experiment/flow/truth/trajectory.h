/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truth on a periodic line from the user's file: one trajectory over t and x. */
#pragma once

#include "experiment/flow/case.h"
#include "experiment/flow/truth.h"
#include "field/field.h"

G_BEGIN_DECLS

/**
 * lac_trajectory_truth_new:
 * @file: a field over t and x, identified by name or by length, evenly spaced; x spans one period, with or without its
 *   end
 * @interval: time between two rows of the file in the scene's unit; the axis t of the file only orders them
 *
 * Stretches x to the interval of @subject and resamples it to the grid; the last rows are observed, at most the number
 * of @subject and at most half of all; the earlier ones train.
 *
 * Returns: %NULL with %LAC_ERROR_BAD_FILE: other axes, too few rows or points, values that are not finite.
 */
LacTruth *lac_trajectory_truth_new(const LacGridField *file,
                                   const LacCase      *subject,
                                   double              interval,
                                   GError            **error);

G_END_DECLS
