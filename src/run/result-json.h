/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of a run as a JSON object, for run/ itself. */
#pragma once

#include "run/run.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): the members of lac_run_dup_result_json(). */
JsonObject *lac_run_dup_result(LacRun *run);
char       *lac_json_object_to_text(JsonObject *object);

/* "relative_l2" at the top, "enkf.relative_l2" in an object "enkf"; nothing when @value is not finite. */
void lac_json_put_metric(JsonObject *metrics, const char *key, double value);

G_END_DECLS
