/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements from any table: one value per row, or one position per row with a column for each quantity; and from
 * files of arrays. */
#pragma once

#include "field/measurements.h"

G_BEGIN_DECLS

/**
 * lac_measurements_read:
 * @path: CSV with a column quantity (io/input/measurements-csv.h); or CSV, ParaView's CSV or COMSOL text with columns x,
 *   y, t and a column for each quantity, "u" or "u @ t=2"; optionally gzip-compressed; or MAT, HDF5 or NPZ
 *   (io/input/measurements-arrays.h)
 *
 * In a table with one position per row, every numeric column gives a measurement, with unknown standard deviation. A
 * constant column z is ignored. Columns with other names are named behind the file, "FILE#x=easting,u=speed"; the others
 * are then not used.
 *
 * Returns: %NULL with %LAC_ERROR_BAD_FILE naming what is missing and what is allowed.
 */
LacMeasurements *lac_measurements_read(const char *path, GError **error);

/* Returns: (transfer full): the names of the file's columns or arrays, each once, without those that a choice cannot name because they
 * contain a comma or #; %NULL with %LAC_ERROR_BAD_FILE. Reads only the head of the file. */
GStrv lac_measurements_dup_columns(const char *path, GError **error);

G_END_DECLS
