/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements as CSV: x, y, t, quantity, value, sigma; one measurement per row. */
#pragma once

#include "field/measurements.h"

G_BEGIN_DECLS

/**
 * lac_measurements_read_csv:
 *
 * The first line names the columns, in any order; x, quantity and value are required, y in two dimensions, t for
 * time-dependent data, sigma if the standard deviation is known. An empty value or nan is a missing measurement. Other
 * columns are an error.
 *
 * Returns: %NULL with %LAC_ERROR_BAD_FILE naming the line and what is allowed there.
 */
LacMeasurements *lac_measurements_read_csv(const char *path, GError **error);

/* Writes a file from which lac_measurements_read_csv() reads bitwise identical values; written under a temporary name
 * and renamed. Returns: FALSE with %LAC_ERROR_UNWRITABLE or %LAC_ERROR_DISK_FULL. */
gboolean
lac_measurements_write_csv(const LacMeasurements *measurements, const char *path, GError **error);

G_END_DECLS
