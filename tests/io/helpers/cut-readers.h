/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers of foreign data, each with a comparison of a truncated file's contents to those of the intact one. */
#pragma once

#include "io/input/formats.h"

#include <glib.h>

/* A reader under test. */
typedef struct {
  gpointer (*load)(const char *path, GError **error);
  void (*compare)(gconstpointer sound,
                  gconstpointer part); /* asserts that @part is a part of @sound */
  GDestroyNotify free;
} CutReader;

extern const CutReader cut_as_arrays, cut_as_blocks; /* complete; block by block */
extern const CutReader cut_as_grid;                  /* does not compare: cut_as_columns does */
extern const CutReader cut_as_columns, cut_as_measurements, cut_as_molecule, cut_as_exposures;
extern const CutReader cut_as_trace, cut_as_packed_trace;

/* Fails the test when there is no array of this name. */
const LacInputArray *cut_find_array(const LacInputFile *file, const char *name);
