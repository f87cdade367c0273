/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The object `run --json` prints: outcome, steps, times, metrics. Values that are not finite are left out. */
#include "run/core/result-json.h"

#include "io/format/json-text.h"
#include "io/format/metric-json.h"
#include "run/core/remedy.h"
#include "run/core/run-private.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

/* "remedy": {"cause", "set"}. */
static void
add_remedy(JsonObject *object, LacRun *run)
{
  g_autoptr(LacRemedy) remedy = lac_remedy_find(run->log.path);
  if (remedy == NULL)
    return;
  JsonObject *member = json_object_new();
  if (remedy->cause != NULL)
    json_object_set_string_member(member, "cause", remedy->cause);
  if (remedy->row != NULL) {
    g_autofree char *change = g_strdup_printf("%s=%s", remedy->row->key, remedy->text);
    json_object_set_string_member(member, "set", change);
  }
  json_object_set_object_member(object, "remedy", member);
}

JsonObject *
lac_run_dup_result(LacRun *run)
{
  const LacExperiment *experiment = run->experiment;
  JsonObject          *object = json_object_new();
  JsonObject          *metrics = json_object_new();
  LacRunStatus         status;

  lac_run_get_status(run, &status);
  json_object_set_string_member(object, "experiment", experiment->name);
  json_object_set_string_member(object, "outcome", status.outcome);
  json_object_set_int_member(object, "steps", status.step);
  json_object_set_double_member(object, "seconds", status.seconds);
  json_object_set_double_member(object, "setup_seconds", status.setup_seconds);
  json_object_set_int_member(object, "seed", (gint64) run->seed);
  json_object_set_string_member(object, "backend", lac_run_get_backend(run));
  if (run->computer.choice != NULL)
    json_object_set_string_member(object, "choice", run->computer.choice);
  if (run->computer.fallback != NULL)
    json_object_set_string_member(object, "fallback", run->computer.fallback);
  json_object_set_string_member(object, "precision", run->computer.precision);
  json_object_set_int_member(object, "threads", lac_run_get_threads(run));
  for (gsize m = 0; m < run->outline.n_metrics; m++) {
    if (run->outline.metrics[m].is_result)
      lac_json_put_metric(metrics, run->outline.metrics[m].key, run->rows.last[m]);
  }
  json_object_set_object_member(object, "metrics", metrics);
  json_object_set_string_member(object, "run", run->log.path);
  if (strcmp(status.outcome, "failed") == 0)
    json_object_set_string_member(
      object, "error", run->outcome.error != NULL ? run->outcome.error->message : status.message);
  if (strcmp(status.outcome, "diverged") == 0 || strcmp(status.outcome, "failed") == 0)
    add_remedy(object, run);
  return object;
}

char *
lac_json_object_to_text(JsonObject *object)
{
  g_autoptr(JsonNode) root = json_node_init_object(json_node_alloc(), object);

  return lac_json_dup_text(root, FALSE);
}

char *
lac_run_dup_result_json(LacRun *run)
{
  g_autoptr(JsonObject) object = lac_run_dup_result(run);

  return lac_json_object_to_text(object);
}
