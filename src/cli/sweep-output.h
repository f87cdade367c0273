/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep leaves beside its runs: one table and one chart. */
#pragma once

#include "cli/run-request.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Writes SWEEP.csv, .svg, .png and .pdf into the folder of the runs; the chart where a key that is swept has numbers alone. @results: of
 * JsonNode, a combination each, of those that ran. Adds "sweep_files", their common beginning, and "optima", sentences that say which
 * combination is the best one, to @whole; prints both where it is not to be JSON. */
gboolean lac_sweep_output_write(const LacRunRequest *request,
                                GPtrArray           *results,
                                JsonObject          *whole,
                                GError             **error);

G_END_DECLS
