/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exposures as HDF5, image by image: user measurements for the imaging laboratory and those saved by a run. Data sets
 * of the root group:
 *   stack    [n][d][d]  the images, real numbers of any type
 *   centres  [n][2]     y, x of each aperture in k-space pixels from the middle; [n][4]: both ends of a line
 *   mask     [n][d][d] or [d][d], optional: 0 for invalid pixels; NaN in the stack is invalid too
 *   sigma    [n][d][d], [d][d] or one number, optional: standard deviation, in the unit of the stack
 *   plans    [bytes], optional: the FFT plans of the run that wrote the file, as zero-terminated text; other plans round differently
 * and attributes of the root group, optional: unit ("amplitude", "intensity"), shape ("circle", "hexagon",
 * "obscured"), diameter, inner, spider (k-space pixels), grid, support (object pixels), along (points of a line), snr
 * (dB of the shot noise at intensity 1), read_noise (of the intensity). */
#pragma once

#include "field/store.h"

G_BEGIN_DECLS

/* Entries of the store: "stack" and, if present, "sigma" [n][d * d] of doubles, "mask" [n][d * d] of bytes, "centres"
 * [n][2 or 4] of doubles, "unit", "shape" and "plans" as zero-terminated texts, the other attributes as one double
 * each. */

/* Returns: (transfer full): %NULL with %LAC_ERROR_BAD_FILE; the message names the file, the data set and what is
 * needed. */
LacStore *lac_exposures_h5_read(const char *path, GError **error);

/* Returns: FALSE with %LAC_ERROR_UNWRITABLE or %LAC_ERROR_DISK_FULL. */
gboolean lac_exposures_h5_write(const LacStore *store, const char *path, GError **error);

/* Returns: (transfer full): "PATH (SHA-256 ...)" of the file that @store was read from; "" if it was not read from a
 * file. */
char *lac_exposures_h5_dup_source(const LacStore *store);

/* Returns: (nullable): the entry named @name; NULL if there is none. */
const LacEntry *lac_exposures_find(const LacStore *store, const char *name);

/* Returns TRUE when the file is an exposures file. */
gboolean lac_exposures_h5_is_one(const char *path);

G_END_DECLS
