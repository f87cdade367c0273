/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truth from an external computation: fields at scattered points of a file, interpolated to the grid of a scene. */
#pragma once

#include "experiment/flow/case.h"
#include "experiment/flow/truth.h"
#include "field/field.h"
#include "field/measurements.h"

G_BEGIN_DECLS

/**
 * lac_point_truth_fill:
 * @truth: steady, with shape, coordinates and mask; its observed values are filled, 0 outside the domain
 * @points: every field of @truth by its name, at points that surround its whole grid
 *
 * Returns: %FALSE with %LAC_ERROR_BAD_FILE naming what is missing.
 */
gboolean lac_point_truth_fill(LacTruth *truth, const LacMeasurements *points, GError **error);

/* Implements LacScene.agrees for scenes whose truth may come from points: checks that @points can be one: they span its domain, none lies inside a hole, and they have the
 * values of its conditions (agreement.h). Returns: %FALSE with %LAC_ERROR_BAD_FILE naming what contradicts it. */
gboolean lac_point_truth_agrees(gconstpointer          params,
                                const LacCase         *subject,
                                const LacGridField    *field,
                                const LacMeasurements *points,
                                GError               **error);

G_END_DECLS
