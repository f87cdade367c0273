/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bitwise comparison of two runs. Times are excluded: they differ from run to run. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

/**
 * lac_bitwise_compare:
 * @run: the repeated run
 * @model: the original run
 * @is_same: (out): TRUE when every metric of every step and every value of every saved frame has the same bits
 *
 * Reads all saved frames of both runs. Returns: (transfer full): a sentence, which gives the first difference if the
 * runs differ; %NULL with %LAC_ERROR_BAD_FILE if a frame cannot be read.
 */
char *lac_bitwise_compare(const LacRunFile *run,
                          const LacRunFile *model,
                          gboolean         *is_same,
                          GError          **error);

G_END_DECLS
