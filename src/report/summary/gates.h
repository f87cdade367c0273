/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quality gates: thresholds for a good reconstruction, and whether a run meets them. */
#pragma once

#include "io/runfile/run-file.h"
#include "report/text/pages-private.h"

G_BEGIN_DECLS

/* Fills a row for every gate whose metric the run has; the table is empty without one. Cleared by the caller. */
void lac_gates_fill(const LacRunFile *run, LacTable *table);

G_END_DECLS
