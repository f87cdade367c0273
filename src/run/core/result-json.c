/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The object printed by `run --json`: outcome, steps, times, metrics. Non-finite values are left out. */
#include "run/core/result-json.h"

#include "io/format/json-text.h"
#include "io/format/metric-json.h"
#include "io/runfile/metadata.h"
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

/* Returns: (transfer full): the metadata */
static JsonObject *
make_object(LacRun *run, const LacRunStatus *status)
{
  g_autoptr(JsonBuilder) builder = json_builder_new();
  const LacRunFile       file = {.experiment = (char *) run->experiment->name,
                                 .outcome = (char *) status->outcome,
                                 .steps = status->step,
                                 .seconds = status->seconds,
                                 .setup_seconds = status->setup_seconds,
                                 .seed = run->seed,
                                 .backend = (char *) lac_run_get_backend(run),
                                 .precision = (char *) run->computer.precision,
                                 .threads = lac_run_get_threads(run)};

  json_builder_begin_object(builder);
  lac_meta_put_json(&lac_meta_run, LAC_META_RESULT, &file, builder);
  json_builder_end_object(builder);
  g_autoptr(JsonNode) root = json_builder_get_root(builder);
  return json_node_dup_object(root);
}

JsonObject *
lac_run_dup_result(LacRun *run)
{
  JsonObject  *object, *metrics = json_object_new();
  LacRunStatus status;

  lac_run_get_status(run, &status);
  object = make_object(run, &status);
  if (run->computer.choice != NULL)
    json_object_set_string_member(object, "choice", run->computer.choice);
  if (run->computer.fallback != NULL)
    json_object_set_string_member(object, "fallback", run->computer.fallback);
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
