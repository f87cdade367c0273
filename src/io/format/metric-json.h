/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics as JSON: keys with dots become nested objects. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Adds a metric: "relative_l2" at the top level, "enkf.relative_l2" in an object "enkf". A @value that is not finite
 * is omitted. */
void lac_json_put_metric(JsonObject *metrics, const char *key, double value);
/* Returns: the metric; NaN when it is missing. */
double lac_json_get_metric(JsonObject *metrics, const char *key);

G_END_DECLS
