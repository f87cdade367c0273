/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One metric into its place in a JSON object. */
#include "io/metric-json.h"

#include <math.h>
#include <string.h>

void
lac_json_put_metric(JsonObject *metrics, const char *key, double value)
{
  const char *dot = strchr(key, '.');

  if (!isfinite(value))
    return;
  if (dot == NULL) {
    json_object_set_double_member(metrics, key, value);
    return;
  }
  g_autofree char *engine = g_strndup(key, (gsize) (dot - key));
  if (!json_object_has_member(metrics, engine))
    json_object_set_object_member(metrics, engine, json_object_new());
  lac_json_put_metric(json_object_get_object_member(metrics, engine), dot + 1, value);
}
