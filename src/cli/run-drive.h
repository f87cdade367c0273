/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of `lacuna run` from start to end: progress on standard error, results as text on standard output. */
#pragma once

#include "cli/run-request.h"

G_BEGIN_DECLS

/* Runs combination @i of the sweep with all its seeds, unless a signal ends it. @label: name of the combination; ""
 * if nothing is swept.
 * Returns: (transfer full): its JSON object; %NULL with an error when a run could not start. */
char *lac_run_drive(const LacRunRequest *request, gsize i, const char *label, GError **error);

/* Runs all combinations with all their seeds on request->devices, several at a time, unless a signal ends them. Returns:
 * (transfer full): an array of the JSON nodes of the combinations, in order, up to the first of which no run ended; %NULL
 * with an error when a run could not start. */
GPtrArray *lac_run_drive_on_devices(const LacRunRequest *request, GError **error);

G_END_DECLS
