/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of an HDF5 data set, as far as the file holds them. */
#pragma once

#include "io/format/h5.h"

G_BEGIN_DECLS

/**
 * lac_h5_read_numbers:
 * @start, @count: (nullable): [rank]: a block; NULL: all of the set
 * @numbers: (out): row-major
 *
 * Elements that were never written are NaN, unless the set defines a fill value of its own; HDF5 returns zeros for them.
 * Returns: FALSE when the block cannot be read.
 */
gboolean
lac_h5_read_numbers(hid_t set, const hsize_t *start, const hsize_t *count, double *numbers);

/* For a file that HDF5 does not open. @format: names it in the sentence: "HDF5", "MAT 7.3".
 * Returns: TRUE with %LAC_ERROR_BAD_FILE where it is shorter than its superblock says. */
gboolean lac_h5_is_truncated(const char *path, const char *format, GError **error);

G_END_DECLS
