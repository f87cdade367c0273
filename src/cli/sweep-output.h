/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output of a sweep besides its runs: one table and one chart. */
#pragma once

#include "cli/run-request.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Writes SWEEP.csv, .svg, .png and .pdf into the folder of the runs; the chart only if a swept key is numeric.
 * @results: JsonNode, one per combination that ran. Adds to @whole "sweep_files", the common prefix of the files, and
 * "optima", sentences about the best combination; prints both unless the output is JSON. */
gboolean lac_sweep_output_write(const LacRunRequest *request,
                                GPtrArray           *results,
                                JsonObject          *whole,
                                GError             **error);

G_END_DECLS
