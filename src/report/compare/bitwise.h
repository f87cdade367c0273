/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether two runs came to the same numbers, bit by bit. Times apart: no two runs take the same. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

/**
 * lac_bitwise_compare:
 * @run: done again
 * @model: what it repeats
 * @is_same: (out): every metric of every step and every value of every kept frame has the same bits
 *
 * Reads all kept frames of both. Returns: (transfer full): a sentence; of runs that differ where they do first. %NULL with
 *   %LAC_ERROR_BAD_FILE where a frame cannot be read.
 */
char *lac_bitwise_compare(const LacRunFile *run,
                          const LacRunFile *model,
                          gboolean         *is_same,
                          GError          **error);

G_END_DECLS
