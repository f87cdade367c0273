/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of a run as a JSON object, for run/ itself. */
#pragma once

#include "run/core/run.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): the members of lac_run_dup_result_json(). */
JsonObject *lac_run_dup_result(LacRun *run);
char       *lac_json_object_to_text(JsonObject *object);

G_END_DECLS
