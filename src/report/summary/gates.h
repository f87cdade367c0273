/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quality gates: thresholds for a good reconstruction, and whether a run meets them. */
#pragma once

#include "io/runfile/run-file.h"
#include "report/text/pages-private.h"

G_BEGIN_DECLS

/* Fills @table with one row per gate whose metric the run has; no row if it has none of them. The caller clears
 * @table. */
void lac_gates_fill(const LacRunFile *run, LacTable *table);

G_END_DECLS
