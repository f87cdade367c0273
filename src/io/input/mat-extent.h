/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completeness of MAT 5 files. matio reports success for data it could not read and leaves zeros or uninitialised memory there. */
#pragma once

#include "io/input/formats.h"

G_BEGIN_DECLS

/**
 * lac_mat_check:
 * @extent: %LAC_INPUT_WHOLE unpacks every element and compares the data with the dimensions; %LAC_INPUT_HEADS compares only the
 * announced sizes with the size of the file
 *
 * Returns: %FALSE with %LAC_ERROR_BAD_FILE: truncated or damaged.
 */
gboolean lac_mat_check(const char *path, LacInputExtent extent, GError **error);

G_END_DECLS
