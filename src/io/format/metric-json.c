/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Insertion and lookup of a metric in a JSON object. */
#include "io/format/metric-json.h"

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
  g_autofree char *method = g_strndup(key, (gsize) (dot - key));
  if (!json_object_has_member(metrics, method))
    json_object_set_object_member(metrics, method, json_object_new());
  lac_json_put_metric(json_object_get_object_member(metrics, method), dot + 1, value);
}

double
lac_json_get_metric(JsonObject *metrics, const char *key)
{
  const char *dot = strchr(key, '.');

  if (dot == NULL)
    return json_object_get_double_member_with_default(metrics, key, (double) NAN);
  g_autofree char *method = g_strndup(key, (gsize) (dot - key));
  JsonNode        *member = json_object_get_member(metrics, method);
  return member != NULL && JSON_NODE_HOLDS_OBJECT(member)
           ? lac_json_get_metric(json_node_get_object(member), dot + 1)
           : (double) NAN;
}
