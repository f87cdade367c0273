/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading what a person brings: a field from MAT 5, MAT 7.3, HDF5 or NPY. */
#pragma once

#include "field/field.h"

G_BEGIN_DECLS

/**
 * lac_input_load:
 * @path: a file
 * @type: what the parameter declared: "field"
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

G_END_DECLS
