/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading of numeric HDF5 data sets, with unwritten elements as NaN. */
#pragma once

#include "io/format/h5.h"

G_BEGIN_DECLS

/**
 * lac_h5_read_numbers:
 * @start, @count: (nullable): [rank]: a block; NULL: the whole set
 * @numbers: (out): row-major
 *
 * Elements that were never written are NaN, unless the set defines a fill value; HDF5 would return zeros for them.
 * Returns: FALSE when the block cannot be read.
 */
gboolean
lac_h5_read_numbers(hid_t set, const hsize_t *start, const hsize_t *count, double *numbers);

/* Checks a file that HDF5 fails to open. @format: name in the message: "HDF5", "MAT 7.3". Returns: TRUE with
 * %LAC_ERROR_BAD_FILE when it is shorter than its superblock states. */
gboolean lac_h5_is_truncated(const char *path, const char *format, GError **error);

G_END_DECLS
