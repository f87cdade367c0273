/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements as a table of text: x, y, t, quantity, value, sigma, a number measured a row. */
#pragma once

#include "field/measurements.h"

G_BEGIN_DECLS

/**
 * lac_measurements_read_csv:
 *
 * The first line names the columns, in any order; x, quantity and value must be there, y is needed in the plane, t where
 * there is time, sigma where the standard deviation is known. A value that is empty or nan was not seen. Others are
 * refused.
 *
 * Returns: %NULL with %LAC_ERROR_BAD_FILE naming the line and what is allowed there.
 */
LacMeasurements *lac_measurements_read_csv(const char *path, GError **error);

/* Writes what lac_measurements_read_csv() reads back to the bit; through a temporary name.
 * Returns: FALSE with %LAC_ERROR_UNWRITABLE or %LAC_ERROR_DISK_FULL. */
gboolean
lac_measurements_write_csv(const LacMeasurements *measurements, const char *path, GError **error);

G_END_DECLS
