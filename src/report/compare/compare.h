/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison of runs: settings that differ, results, cost, operations. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

/* @runs: [n_runs], 2 to 12; the first is the reference. Returns: (transfer full): tables as plain text. */
char *lac_compare_text(LacRunFile *const *runs, gsize n_runs);

/* Returns: (transfer full): one sentence per criterion with the best configuration; empty when the settings are
 * equal. @n_runs: 2 or more. */
GStrv lac_compare_optima(LacRunFile *const *runs, gsize n_runs);

/* Returns: (transfer full): {"runs": [...], "settings": [...], "metrics": [...], "operations": [...], "optima": [...],
 * "verdict": "..."}; the values of a setting, metric or operation are in the order of the runs. Ratios of an operation
 * are its times per step, divided by that of the first run. */
char *lac_compare_json(LacRunFile *const *runs, gsize n_runs);

G_END_DECLS
