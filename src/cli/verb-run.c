/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna run: one run, several seeds, or a sweep; signals end it with a checkpoint. */
#include "cli/arguments.h"
#include "cli/run-drive.h"
#include "cli/run-request.h"
#include "cli/stop-guard.h"
#include "cli/sweep-output.h"
#include "cli/verbs.h"
#include "io/format/json-text.h"
#include "report/compare/bitwise.h"

#include <json-glib/json-glib.h>
#include <signal.h>

static const char *
get_outcome(JsonNode *result)
{
  return json_object_get_string_member_with_default(json_node_get_object(result), "outcome",
                                                    "failed");
}

static int
exit_status(const char *outcome)
{
  if (g_str_equal(outcome, "finished") || g_str_equal(outcome, "stopped"))
    return LAC_EXIT_FINISHED;
  return g_str_equal(outcome, "diverged") ? LAC_EXIT_DIVERGED : LAC_EXIT_FAILED;
}

/* {"experiment", "outcome", "sweep": [{"set": "sensors = 4", ...}]} */
static JsonNode *
join_sweep(const LacRunRequest *request, GPtrArray *results)
{
  JsonObject *whole = json_object_new();
  JsonArray  *sweep = json_array_new();
  const char *outcome = "finished";
  for (guint i = 0; i < results->len; i++) {
    JsonNode        *result = g_ptr_array_index(results, i);
    g_autofree char *label = lac_sweep_dup_label(request->sweep, i);
    JsonObject      *object = json_object_ref(json_node_get_object(result));
    json_object_set_string_member(object, "set", label);
    json_array_add_object_element(sweep, object);
    if (!g_str_equal(get_outcome(result), "finished"))
      outcome = get_outcome(result);
  }
  json_object_set_string_member(whole, "experiment", request->experiment->name);
  json_object_set_string_member(whole, "outcome", outcome);
  json_object_set_array_member(whole, "sweep", sweep);
  JsonNode *root = json_node_init_object(json_node_alloc(), whole);
  json_object_unref(whole);
  return root;
}

static void
print_node(JsonNode *node)
{
  g_autofree char *json = lac_json_dup_text(node, FALSE);
  g_print("%s\n", json);
}

/* Prints an object for a run that could not start, too. Returns: the exit status */
static int
answer(const GError *error, const char *experiment, gboolean json)
{
  if (json) {
    g_autoptr(JsonObject) object = json_object_new();
    if (experiment != NULL)
      json_object_set_string_member(object, "experiment", experiment);
    json_object_set_string_member(object, "outcome", "failed");
    json_object_set_string_member(object, "error", error->message);
    g_autoptr(JsonNode) root = json_node_init_object(json_node_alloc(), object);
    print_node(root);
  }
  return lac_answer_error(error);
}

/* Says when the methods do not compute in the precision asked for. */
static void
warn_of_precision(const LacRunRequest *request)
{
  const LacRunSettings settings = lac_run_request_settings(request, request->draft);
  const char          *found = lac_experiment_find_precision(
             request->experiment, lac_draft_get_values(request->draft), settings.precision);

  if (settings.precision && !g_str_equal(settings.precision, "auto") &&
      !g_str_equal(settings.precision, found))
    g_printerr("%s: --precision %s has no effect: these methods compute in %s\n",
               request->experiment->name, settings.precision, found);
}

/* Prints warnings about the chosen parameters. */
static void
warn(const LacRunRequest *request)
{
  const LacExperiment *experiment = request->experiment;
  g_autofree char     *warning = experiment->warn && !request->quiet
                                   ? experiment->warn(experiment, lac_draft_get_values(request->draft))
                                   : NULL;

  if (warning != NULL)
    g_printerr("%s: %s\n", experiment->name, warning);
  if (!request->quiet)
    warn_of_precision(request);
}

/* Compares a repeated run with the original; adds the result to @whole. */
static gboolean
score_again(const LacRunRequest *request, JsonObject *whole, gboolean *is_same, GError **error)
{
  const char           *folder = json_object_get_string_member_with_default(whole, "run", "");
  g_autoptr(LacRunFile) model = lac_run_file_open(request->again, error);
  g_autoptr(LacRunFile) run = model != NULL ? lac_run_file_open(folder, error) : NULL;
  g_autofree char      *text = run != NULL ? lac_bitwise_compare(run, model, is_same, error) : NULL;

  if (text == NULL)
    return FALSE;
  json_object_set_boolean_member(whole, "same", *is_same);
  json_object_set_string_member(whole, "sameness", text);
  if (!request->json)
    g_print("%s\n", text);
  return TRUE;
}

/* Returns: (transfer full): the JSON nodes of the combinations that ran; NULL with an error. */
static GPtrArray *
drive_in_turn(const LacRunRequest *request, GError **error)
{
  const gsize          n = lac_sweep_get_n(request->sweep);
  g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func((GDestroyNotify) json_node_unref);
  for (gsize i = 0; i < n && lac_stop_guard_get_signal() == 0; i++) {
    g_autofree char *label = lac_sweep_dup_label(request->sweep, i);
    g_autofree char *result = lac_run_drive(request, i, label, error);
    if (result == NULL)
      return NULL;
    g_ptr_array_add(results, json_from_string(result, NULL));
  }
  return g_steal_pointer(&results);
}

static int
run_verb(int argc, char **argv)
{
  gboolean                 json = FALSE;
  g_autoptr(GError)        error = NULL;
  g_autoptr(LacRunRequest) request = lac_run_request_parse(argc, argv, &json, &error);
  if (request == NULL)
    return answer(error, NULL, json);

  if (request->write != NULL || request->keep != NULL)
    return lac_run_request_write(request, &error) ? LAC_EXIT_FINISHED : answer(error, NULL, json);

  warn(request);
  lac_stop_guard_begin();
  gsize                n = lac_sweep_get_n(request->sweep);
  g_autoptr(GPtrArray) results = request->devices != NULL
                                   ? lac_run_drive_on_devices(request, &error)
                                   : drive_in_turn(request, &error);
  if (results == NULL)
    return answer(error, request->experiment->name, json);
  if (results->len == 0)
    return LAC_EXIT_INTERRUPTED;
  g_autoptr(JsonNode) whole =
    n > 1 ? join_sweep(request, results) : json_node_ref(g_ptr_array_index(results, 0));
  if (n > 1 && lac_stop_guard_get_signal() == 0 &&
      !lac_sweep_output_write(request, results, json_node_get_object(whole), &error))
    return answer(error, request->experiment->name, json);
  gboolean is_same = TRUE;
  if (request->again != NULL && lac_stop_guard_get_signal() == 0 &&
      !score_again(request, json_node_get_object(whole), &is_same, &error))
    return answer(error, request->experiment->name, json);
  if (json)
    print_node(whole);
  if (!is_same)
    return LAC_EXIT_FAILED;
  return lac_stop_guard_get_signal() == SIGINT ? LAC_EXIT_INTERRUPTED
                                               : exit_status(get_outcome(whole));
}

const LacVerb lac_verb_run = {
  .name = "run",
  .usage = "NAME [--set KEY=VALUE]...",
  .summary = "compute",
  .run = run_verb,
};
