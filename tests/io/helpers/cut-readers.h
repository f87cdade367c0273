/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every reader of foreign data, with a comparison of what it read from a cut file to what it read from the sound one. */
#pragma once

#include "io/input/formats.h"

#include <glib.h>

/* One way of reading a file. */
typedef struct {
  gpointer (*load)(const char *path, GError **error);
  void (*compare)(gconstpointer sound,
                  gconstpointer part); /* asserts that @part is one of @sound */
  GDestroyNotify free;
} CutReader;

extern const CutReader cut_as_arrays, cut_as_blocks; /* whole; block by block */
extern const CutReader cut_as_grid;                  /* does not compare: cut_as_columns does */
extern const CutReader cut_as_columns, cut_as_measurements, cut_as_molecule, cut_as_exposures;
extern const CutReader cut_as_trace, cut_as_packed_trace;

/* Ends the test where there is none of this name. */
const LacInputArray *cut_find_array(const LacInputFile *file, const char *name);
