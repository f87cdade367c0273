/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of a run as a JSON object. */
#pragma once

#include "run/core/run.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Builds the output of `lacuna run --json`; call after the run has ended. Returns: (transfer full). */
JsonObject *lac_run_dup_result(LacRun *run);
/* Returns: (transfer full): on one line. */
char *lac_json_object_to_text(JsonObject *object);

G_END_DECLS
