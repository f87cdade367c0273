/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A truth from a file on a grid: its fields over the axes of the equation, in the units of the scene. Linear between
 * points; along a periodic axis also from the last one to the first. */
#pragma once

#include "experiment/flow/case.h"
#include "experiment/flow/truth.h"
#include "field/field.h"

G_BEGIN_DECLS

/* Returns: the index of the axis of time of a field over t and x: named t..., or beside one named x; else the shorter one;
 * -1: undecided. */
int lac_grid_file_find_time(const LacGridField *file);

/**
 * lac_grid_file_take:
 * @truth: its grid and times. Its observed values are replaced, and made where it has none.
 * @file: a field named like each of the equation's that the truth has, "u" or "u.truth"; of one field any name. Each over the axes of @subject, identified by the first letters of their names or, of two, by length
 *
 * Returns: %FALSE with %LAC_ERROR_BAD_FILE: other axes, not ascending, shorter than the scene, values that are not finite.
 */
gboolean lac_grid_file_take(LacTruth           *truth,
                            const LacCase      *subject,
                            const LacGridField *file,
                            GError            **error);

/* Compares the file with the conditions of the scene, see agreement.h. Returns: %FALSE with an error as above, or naming
 * what contradicts the scene. */
gboolean lac_grid_file_agrees(const LacCase *subject, const LacGridField *file, GError **error);

/* Checks that the file spans the domain in space. Returns: %FALSE with an error naming the axis that does not. */
gboolean lac_grid_file_spans(const LacCase *subject, const LacGridField *file, GError **error);

G_END_DECLS
