/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quality gates: thresholds for a good reconstruction, and whether a run meets them. */
#pragma once

#include "io/runfile/run-file.h"
#include "report/text/pages-private.h"

G_BEGIN_DECLS

/* Fills @table with one row per gate whose metric the run has, none if it has no such metric. The caller clears it. */
void lac_gates_fill(const LacRunFile *run, LacTable *table);

G_END_DECLS
