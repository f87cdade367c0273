/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of runs as JSON objects: joined over seeds and sweeps, and told in words. */
#pragma once

#include "cli/run-request.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* @results: of JsonObject *, one a seed. Returns: (transfer full): "metrics" holds the median of each, "worst" the
 * worst, "runs" the results themselves. */
JsonObject *lac_results_join(GPtrArray *results);

/* The exit status that an outcome means. */
int lac_result_exit_status(JsonObject *result);

void lac_result_print(const LacExperiment *experiment, JsonObject *result);

G_END_DECLS
