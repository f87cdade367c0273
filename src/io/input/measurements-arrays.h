/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements from the arrays of a MAT, HDF5 or NPZ file, in the layouts of scattered space-time data:
 *   positions  X [n][2], or x [n] and y [n]
 *   times      t [n_times] of all positions; or t [n], one per position; or none
 *   values     of a quantity [n][n_times], or [n] where each position has at most one time; of a velocity [n][2] or
 *              [n][2][n_times], which gives u and v
 * Names begin with x, y, t; the name of a quantity is that of its array, in small letters and without "_star". */
#pragma once

#include "field/measurements.h"

G_BEGIN_DECLS

/* Returns TRUE when the file begins like one of arrays. */
gboolean lac_measurements_are_arrays(const char *path);

/**
 * lac_measurements_read_arrays:
 * @path: a file; behind it "#x=NAME,t=NAME,u=NAME" names arrays for these roles, and the others are then not used;
 *   "#points=N" takes N of the positions by chance, always the same
 *
 * Returns: %NULL with %LAC_ERROR_BAD_FILE naming what the file holds and what is needed.
 */
LacMeasurements *lac_measurements_read_arrays(const char *path, GError **error);

/* Returns: (transfer full): the names of the file's arrays; %NULL with %LAC_ERROR_BAD_FILE. */
GStrv lac_measurements_dup_arrays(const char *path, GError **error);

G_END_DECLS
