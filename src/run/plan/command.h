/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of a run. */
#pragma once

#include "run/core/run.h"

G_BEGIN_DECLS

/* @sweep: (nullable): in the syntax of lac_sweep_parse()
 *
 * Returns: (transfer full): the line `lacuna run NAME ...` that computes exactly the same, quoted for a shell; %NULL
 * with %LAC_ERROR_UNKNOWN_KEY if the experiment comes from an equation file, which the command line finds only by a
 * plan. */
char *lac_command_dup_line(const LacRunSettings *settings, const char *sweep, GError **error);

G_END_DECLS
