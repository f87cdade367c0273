/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs beside each other: what was set differently, what came out, what it cost. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

/* @runs: [n_runs], 2 to 12 of them; the first is what the others are measured against.
 * Returns: (transfer full): tables as plain text. */
char *lac_compare_text(LacRunFile *const *runs, gsize n_runs);

/* Which configuration is the best one, a sentence for each kind of best. @n_runs: 2 or more. Returns: (transfer full): none
 * where they are set alike. */
GStrv lac_compare_optima(LacRunFile *const *runs, gsize n_runs);

/* Returns: (transfer full): {"runs": [...], "settings": [...], "metrics": [...], "optima": [...], "verdict": "..."}; the values of a key in the order of the runs */
char *lac_compare_json(LacRunFile *const *runs, gsize n_runs);

G_END_DECLS
