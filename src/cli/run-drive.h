/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of `lacuna run` from start to end: progress on standard error, results as text on standard output. */
#pragma once

#include "cli/run-request.h"

G_BEGIN_DECLS

/* Runs combination @i of the sweep with all its seeds, unless a signal ends it. @label: name of the combination; ""
 * if nothing is swept.
 * Returns: (transfer full): its JSON object; %NULL with an error when a run could not start. */
char *lac_run_drive(const LacRunRequest *request, gsize i, const char *label, GError **error);

G_END_DECLS
