/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading what a person brings: a field from MAT 5, MAT 7.3, HDF5, NetCDF-4, NPY, NPZ, CSV or COMSOL text; a picture from PNG,
 * JPEG, TIFF or FITS. */
#pragma once

#include "field/field.h"

G_BEGIN_DECLS

/**
 * lac_input_load:
 * @path: a file; where it holds more than one field, with the name of one behind it: "cavity.dat#u"
 * @type: what the parameter declared: "field"; or "series": a field whose numbers stay in the file where the format lets one
 * read a part of them, with the axes as they lie there, the slowest first; "picture": a grey plane [y][x], the upper row first,
 * of a picture or of two axes of another file
 *
 * A field needs one array of two or more dimensions and a coordinate vector for each of its axes, matched by
 * length (and by name where lengths tie). Axes come out in the order of the array's dimensions; MAT's column-major
 * order is undone.
 *
 * Returns: %NULL with %LAC_ERROR_BAD_FILE set; the sentence names the file, what it holds and what is needed.
 */
LacGridField *lac_input_load(const char *path, const char *type, GError **error);

/* One paragraph on what a data file holds, for `info`. */
char *lac_input_describe(const char *path, GError **error);

typedef enum {
  LAC_INPUT_KIND_FIELD,
  LAC_INPUT_KIND_PICTURE,
} LacInputKind;

/* @kind, @n_axes: (out): of that field. Returns: (transfer full) (nullable): what to name for the first field there is, "FILE" or "FILE#u";
 * %NULL: there is none. */
char *lac_input_dup_first_field(const char *path, LacInputKind *kind, guint *n_axes);

G_END_DECLS
