/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics as JSON: keys with dots become nested objects. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Adds "relative_l2" at the top level, "enkf.relative_l2" in an object "enkf"; nothing when @value is not finite. */
void lac_json_put_metric(JsonObject *metrics, const char *key, double value);
/* Returns: NaN when it is missing. */
double lac_json_get_metric(JsonObject *metrics, const char *key);

G_END_DECLS
