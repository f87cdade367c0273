/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Import of user data: a field from MAT 5, MAT 7.3, HDF5, NetCDF-4, NPY, NPZ, CSV or COMSOL text; a picture from PNG,
 * JPEG, TIFF or FITS. */
#pragma once

#include "field/field.h"

G_BEGIN_DECLS

/**
 * lac_input_load:
 * @path: a file; if it holds several fields and one is needed, followed by the name of one: "cavity.dat#u"
 * @type: declared type of the parameter. "field": a field. "solution": all fields of the
 *   file that is not followed by a name, each the @next of the one before. "series": a field whose values stay in the file when the
 *   format allows partial reads, with the axes in file order, slowest first. "picture": a grey plane [y][x], top row
 *   first, from a picture or from two axes of another file
 *
 * A field needs one array of two or more dimensions and a coordinate vector for each axis, matched by length, and by
 * name when lengths tie. Axes are returned in the order of the array's dimensions; MAT's column-major order is undone.
 *
 * Returns: %NULL with %LAC_ERROR_BAD_FILE set; the message names the file, its contents and what is needed.
 */
LacGridField *lac_input_load(const char *path, const char *type, GError **error);

/* Describes the contents of a data file in one paragraph, for `info`. */
char *lac_input_describe(const char *path, GError **error);

typedef enum {
  LAC_INPUT_KIND_FIELD,
  LAC_INPUT_KIND_PICTURE,
} LacInputKind;

/* Finds the first field in a file. @kind, @n_axes: (out): kind and number of axes of that field. Returns: (transfer
 * full) (nullable): its path, "FILE" or "FILE#u"; %NULL: there is none. */
char *lac_input_dup_first_field(const char *path, LacInputKind *kind, guint *n_axes);

G_END_DECLS
