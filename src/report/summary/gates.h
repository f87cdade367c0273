/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gates: what a good reconstruction is promised to keep, and whether a run keeps it. */
#pragma once

#include "io/runfile/run-file.h"
#include "report/text/pages-private.h"

G_BEGIN_DECLS

/* A row for every gate that the run has a number for; an empty table where there is none. Cleared by the caller. */
void lac_gates_fill(const LacRunFile *run, LacTable *table);

G_END_DECLS
