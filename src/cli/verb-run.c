/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna run: one run, several seeds, or a sweep; signals end it with a checkpoint. */
#include "cli/arguments.h"
#include "cli/progress.h"
#include "cli/run-request.h"
#include "cli/run-result.h"
#include "cli/verbs.h"
#include "run/run.h"

#include <signal.h>
#include <string.h>

#define LOOK_EVERY_US 100000

/* Set by the handler, polled while a run goes on; 0: none came. */
static volatile sig_atomic_t caught;

static void
note_signal(int number)
{
  caught = number;
}

/* A second signal of the same kind ends the program at once. */
static void
catch_signals(void)
{
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = note_signal;
  action.sa_flags = (int) SA_RESETHAND;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

typedef struct {
  GMutex   lock;
  GCond    changed;
  gboolean is_new;
} Bell;

static void
ring(gpointer data)
{
  Bell *bell = data;
  g_mutex_lock(&bell->lock);
  bell->is_new = TRUE;
  g_cond_signal(&bell->changed);
  g_mutex_unlock(&bell->lock);
}

static void
wait_for(Bell *bell)
{
  gint64 until = g_get_monotonic_time() + LOOK_EVERY_US;
  g_mutex_lock(&bell->lock);
  while (!bell->is_new && g_cond_wait_until(&bell->changed, &bell->lock, until))
    ;
  bell->is_new = FALSE;
  g_mutex_unlock(&bell->lock);
}

/* Nobody looks at them here: the run keeps them in its folder. */
static void
ignore_records(const LacRecord *records, gsize n_records, gpointer user_data)
{
}

static void
ignore_metrics(gint64 step, double seconds, const double *metrics, gpointer user_data)
{
}

static void
follow(LacRun *run, LacProgress *progress, Bell *bell)
{
  gboolean     is_stopping = FALSE;
  LacRunStatus status;
  for (;;) {
    lac_run_get_status(run, &status);
    lac_run_drain(run, ignore_records, ignore_metrics, NULL);
    lac_progress_show(progress, &status);
    if (status.state == LAC_RUN_ENDED)
      return;
    if (caught != 0 && !is_stopping) {
      is_stopping = TRUE;
      lac_run_stop(run);
    }
    wait_for(bell);
  }
}

static JsonObject *
parse_result(const char *json)
{
  g_autoptr(JsonNode) root = json_from_string(json, NULL);
  g_assert(root != NULL && JSON_NODE_HOLDS_OBJECT(root));
  return json_node_dup_object(root);
}

/* Returns: (transfer full): the result of one run; %NULL with an error when it could not start. */
static JsonObject *
run_one(const LacRunRequest *request,
        const LacRunPoint   *point,
        guint64              seed,
        const char          *title,
        GError             **error)
{
  LacRunSettings settings = {
    .experiment = request->experiment,
    .draft = point->draft,
    .seed = seed,
    .backend = request->backend,
    .precision = request->precision,
    .threads = request->threads,
    .detail = request->detail,
    .out = request->out,
    .time_limit = request->time_limit,
    .resume = request->resume,
  };
  g_autoptr(LacRun) run = lac_run_new(&settings, error);
  if (run == NULL)
    return NULL;
  Bell        bell = {0};
  LacProgress progress;
  g_mutex_init(&bell.lock);
  g_cond_init(&bell.changed);
  lac_progress_begin(&progress, title, request->quiet);
  lac_run_set_wake(run, ring, &bell);
  lac_run_start(run, FALSE);
  follow(run, &progress, &bell);
  lac_progress_end(&progress);

  g_autoptr(GError) wrong = NULL;
  lac_run_wait(run, &wrong);
  g_autofree char *json = lac_run_dup_result_json(run);
  JsonObject      *result = parse_result(json);
  if (wrong != NULL) {
    lac_answer_error(wrong);
    json_object_set_string_member(result, "outcome", "failed");
    json_object_set_string_member(result, "error", wrong->message);
  } else {
    LacRunStatus status;
    lac_run_get_status(run, &status);
    if (!g_str_equal(status.outcome, "finished") && *status.message != '\0')
      g_printerr("lacuna: %s: %s\n", status.outcome, status.message);
  }
  g_cond_clear(&bell.changed);
  g_mutex_clear(&bell.lock);
  return result;
}

static JsonObject *
run_point(const LacRunRequest *request, const LacRunPoint *point, GError **error)
{
  g_autoptr(GString) what = g_string_new(request->experiment->name);
  for (gsize i = 0; point->swept[i] != NULL; i += 2)
    g_string_append_printf(what, ", %s=%s", point->swept[i], point->swept[i + 1]);
  if (request->n_seeds == 0)
    return run_one(request, point, request->seed, what->str, error);

  g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func((GDestroyNotify) json_object_unref);
  for (guint i = 0; i < request->n_seeds && caught == 0; i++) {
    guint64          seed = request->seed + i;
    g_autofree char *title = g_strdup_printf("%s, seed %" G_GUINT64_FORMAT, what->str, seed);
    JsonObject      *result = run_one(request, point, seed, title, error);
    if (result == NULL)
      return NULL;
    g_ptr_array_add(results, result);
  }
  return lac_results_join(results);
}

static JsonObject *
describe_sweep(const LacRunRequest *request, GPtrArray *results)
{
  JsonObject *sweep = json_object_new();
  JsonArray  *points = json_array_new();
  const char *outcome = "finished";
  int         worst = LAC_EXIT_FINISHED;
  for (guint i = 0; i < results->len; i++) {
    const LacRunPoint *point = g_ptr_array_index(request->points, i);
    JsonObject        *result = g_ptr_array_index(results, i);
    JsonObject        *set = json_object_new();
    for (gsize k = 0; point->swept[k] != NULL; k += 2)
      json_object_set_string_member(set, point->swept[k], point->swept[k + 1]);
    json_object_set_object_member(result, "set", set);
    json_array_add_object_element(points, json_object_ref(result));
    int status = lac_result_exit_status(result);
    if (status != LAC_EXIT_FINISHED && (worst == LAC_EXIT_FINISHED || status == LAC_EXIT_FAILED)) {
      worst = status;
      outcome = json_object_get_string_member_with_default(result, "outcome", "failed");
    }
  }
  json_object_set_string_member(sweep, "experiment", request->experiment->name);
  json_object_set_string_member(sweep, "outcome", outcome);
  json_object_set_array_member(sweep, "sweep", points);
  return sweep;
}

static void
print_object(JsonObject *object)
{
  g_autoptr(JsonNode) root = json_node_alloc();
  json_node_init_object(root, object);
  g_autofree char *json = json_to_string(root, FALSE);
  g_print("%s\n", json);
}

/* A run that could not start has an object too. */
static int
answer(const GError *error, const char *experiment, gboolean json)
{
  if (json) {
    g_autoptr(JsonObject) object = json_object_new();
    if (experiment != NULL)
      json_object_set_string_member(object, "experiment", experiment);
    json_object_set_string_member(object, "outcome", "failed");
    json_object_set_string_member(object, "error", error->message);
    print_object(object);
  }
  return lac_answer_error(error);
}

int
lac_verb_run(int argc, char **argv)
{
  gboolean                 json = FALSE;
  g_autoptr(GError)        error = NULL;
  g_autoptr(LacRunRequest) request = lac_run_request_parse(argc, argv, &json, &error);
  if (request == NULL)
    return answer(error, NULL, json);

  catch_signals();
  g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func((GDestroyNotify) json_object_unref);
  for (guint i = 0; i < request->points->len && caught == 0; i++) {
    JsonObject *result = run_point(request, g_ptr_array_index(request->points, i), &error);
    if (result == NULL)
      return answer(error, request->experiment->name, json);
    g_ptr_array_add(results, result);
    if (!json)
      lac_result_print(request->experiment, result);
  }
  if (results->len == 0)
    return LAC_EXIT_INTERRUPTED;
  g_autoptr(JsonObject) whole = request->points->len == 1
                                  ? json_object_ref(g_ptr_array_index(results, 0))
                                  : describe_sweep(request, results);
  if (json)
    print_object(whole);
  return caught == SIGINT ? LAC_EXIT_INTERRUPTED : lac_result_exit_status(whole);
}
