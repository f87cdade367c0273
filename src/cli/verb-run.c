/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna run: one run, several seeds, or a sweep; signals end it with a checkpoint. */
#include "cli/arguments.h"
#include "cli/plan-output.h"
#include "cli/progress.h"
#include "cli/result-text.h"
#include "cli/run-apart.h"
#include "cli/run-request.h"
#include "cli/stop-guard.h"
#include "cli/sweep-output.h"
#include "cli/verbs.h"
#include "io/format/json-text.h"
#include "report/compare/sameness.h"
#include "run/core/remedy.h"
#include "run/core/result-json.h"
#include "run/core/run.h"
#include "run/plan/seeds.h"

#include <json-glib/json-glib.h>
#include <signal.h>

#define LOOK_EVERY_US 100000

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

/* Returns: (transfer full): the last message that was shown */
static char *
follow(LacRun *run, LacProgress *progress, Bell *bell)
{
  gboolean     is_stopping = FALSE;
  char        *said = g_strdup("");
  LacRunStatus status;
  for (;;) {
    lac_run_get_status(run, &status);
    lac_run_drain(run, ignore_records, ignore_metrics, NULL);
    lac_progress_show(progress, &status);
    if (status.state != LAC_RUN_ENDED && !g_str_equal(status.message, said)) {
      g_free(said);
      said = g_strdup(status.message);
      lac_progress_say(progress, said);
    }
    if (status.state == LAC_RUN_ENDED)
      return said;
    if (lac_stop_guard_get_signal() != 0 && !is_stopping) {
      is_stopping = TRUE;
      lac_run_stop(run);
      if (!progress->is_quiet)
        lac_progress_say(
          progress,
          "stopping after this step, with a checkpoint; a second signal ends the run at once");
    }
    wait_for(bell);
  }
}

typedef struct {
  const LacRunRequest *request;
  const char          *label; /* of the combination of a sweep; "" without */
} Drive;

static char *
make_title(const Drive *drive, LacRun *run, guint n)
{
  GString *title = g_string_new(drive->request->experiment->name);
  if (*drive->label != '\0')
    g_string_append_printf(title, ", %s", drive->label);
  if (n > 1)
    g_string_append_printf(title, ", seed %" G_GUINT64_FORMAT, lac_run_get_seed(run));
  return g_string_free(title, FALSE);
}

static void
print_remedy(const LacRemedy *remedy)
{
  g_autofree char *text = lac_remedy_dup_text(remedy);
  g_auto(GStrv)    lines = g_strsplit(text, "\n", -1);
  for (gsize i = 0; lines[i] != NULL; i++)
    g_printerr("lacuna: %s\n", lines[i]);
  if (remedy->row != NULL)
    g_printerr("lacuna: --set %s=%s\n", remedy->row->key, remedy->text);
}

/* Runs to the end; what went wrong is said at once. Returns: FALSE when the person interrupted. */
static gboolean
drive_run(LacRun *run, guint i, guint n, gpointer user_data)
{
  Drive           *drive = user_data;
  g_autofree char *title = make_title(drive, run, n);
  Bell             bell = {0};
  LacProgress      progress;
  g_mutex_init(&bell.lock);
  g_cond_init(&bell.changed);
  if (drive->request->announces)
    g_print("%s\n", lac_run_get_folder(run));
  lac_progress_begin(&progress, title, drive->request->quiet);
  lac_run_set_wake(run, ring, &bell);
  lac_stop_guard_follow(run);
  lac_run_start(run, FALSE);
  g_autofree char *said = follow(run, &progress, &bell);
  lac_progress_end(&progress);

  g_autoptr(GError) wrong = NULL;
  LacRunStatus      status;
  lac_run_wait(run, &wrong);
  lac_stop_guard_follow(NULL);
  lac_run_get_status(run, &status);
  g_autoptr(LacRemedy) remedy = lac_remedy_find(lac_run_get_folder(run));
  const gboolean       is_explained = remedy != NULL && (wrong == NULL || remedy->cause != NULL);
  if (is_explained)
    print_remedy(remedy);
  if (wrong != NULL && (!is_explained || status.is_unassembled))
    lac_answer_error(wrong);
  else if (!is_explained && *status.message != '\0' && !g_str_equal(status.message, said))
    g_printerr("lacuna: %s: %s\n", status.outcome, status.message);
  g_cond_clear(&bell.changed);
  g_mutex_clear(&bell.lock);
  return lac_stop_guard_get_signal() == 0;
}

static gboolean
is_stopped(void)
{
  return lac_stop_guard_get_signal() != 0;
}

/* The same in a process of its own. */
static JsonObject *
drive_child(const LacRunSettings *settings, gboolean *go_on, gpointer user_data, GError **error)
{
  const LacRunRequest *request = ((Drive *) user_data)->request;
  const LacApart       apart = {request->plan, request->quiet, request->announces, is_stopped};
  JsonObject          *result = lac_run_apart(settings, &apart, error);

  *go_on = !is_stopped();
  return result;
}

static LacRunSettings
settings_of(const LacRunRequest *request, LacDraft *draft)
{
  LacRunSettings settings = {
    .experiment = request->experiment,
    .draft = draft,
    .out = request->out,
    .resume = request->resume,
    .again = request->again,
    .cache = request->cache,
  };
  lac_launch_fill(&request->launch, &settings);
  return settings;
}

static void
print_result(const Drive         *drive,
             JsonObject          *result,
             const LacExperiment *experiment,
             const LacOutline    *outline)
{
  if (!drive->request->json)
    lac_result_print_run(result, experiment, outline, *drive->label != '\0' ? drive->label : NULL);
}

/* Returns: (transfer full) (nullable): as drive_child() does */
static JsonObject *
run_apart(Drive *drive, const LacRunSettings *settings, GError **error)
{
  gboolean    go_on;
  JsonObject *result = drive_child(settings, &go_on, drive, error);

  if (result != NULL) {
    g_auto(LacOutline) outline =
      lac_experiment_outline(settings->experiment, lac_draft_get_values(settings->draft));
    print_result(drive, result, settings->experiment, &outline);
  }
  return result;
}

/* Returns: (transfer full): its result, which is printed; %NULL with an error when it could not start. */
static JsonObject *
run_alone(Drive *drive, const LacRunSettings *settings, GError **error)
{
  if (lac_run_wants_child(settings)) {
    GError     *why = NULL;
    JsonObject *result = run_apart(drive, settings, &why);

    if (why != NULL)
      g_propagate_error(error, why);
    if (result != NULL || why != NULL)
      return result;
  }
  g_autoptr(LacRun) run = lac_run_new(settings, error);
  if (run == NULL)
    return NULL;
  drive_run(run, 0, 1, drive);
  JsonObject *result = lac_run_dup_result(run);
  print_result(drive, result, lac_run_get_experiment(run), lac_run_get_outline(run));
  return result;
}

/* Returns: (transfer full): the JSON object of one combination; %NULL with an error when a run could not start. */
static char *
run_combination(Drive *drive, gsize i, GError **error)
{
  const LacRunRequest *request = drive->request;
  g_autoptr(LacDraft)  draft = lac_draft_copy(request->draft);
  if (!lac_sweep_apply(request->sweep, i, draft, error))
    return NULL;
  LacRunSettings settings = settings_of(request, draft);

  if (request->n_seeds > 0) {
    const LacSeedsDriver driver = {drive_run, drive_child, drive};
    g_autoptr(LacSeeds)  seeds = lac_seeds_run(&settings, request->n_seeds, &driver, error);
    if (seeds == NULL)
      return NULL;
    if (!request->json)
      lac_result_print_seeds(seeds, request->experiment, drive->label);
    return lac_seeds_dup_json(seeds);
  }
  g_autoptr(JsonObject) result = run_alone(drive, &settings, error);
  return result != NULL ? lac_json_object_to_text(result) : NULL;
}

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
    g_autoptr(JsonNode) root = json_node_init_object(json_node_alloc(), object);
    print_node(root);
  }
  return lac_answer_error(error);
}

static gboolean
is_caught(gpointer user_data)
{
  return lac_stop_guard_get_signal() != 0;
}

/* Returns: (transfer full) (nullable): the random bands of the combinations that ran, where the number of sensors is swept. */
static GArray *
measure_bands(const LacRunRequest *request, guint n, GError **error)
{
  g_autoptr(GArray) bands = g_array_new(FALSE, TRUE, sizeof(LacRandomBand));
  gboolean          swept = FALSE;

  for (gsize k = 0; k < lac_sweep_get_n_keys(request->sweep); k++)
    swept = swept || g_str_equal(lac_sweep_get_key(request->sweep, k), "sensors");
  for (guint i = 0; swept && i < n; i++) {
    g_autoptr(LacDraft)  draft = lac_draft_copy(request->draft);
    const LacRunSettings settings = settings_of(request, draft);
    LacRandomBand        band;

    if (!lac_sweep_apply(request->sweep, i, draft, error))
      return NULL;
    if (!lac_random_band_is_possible(&settings))
      return NULL;
    /* where nothing can run the run of this combination has said why */
    if (!lac_random_band_measure(&settings, is_caught, NULL, &band, NULL))
      band.n = 0;
    g_array_append_val(bands, band);
  }
  return swept ? g_steal_pointer(&bands) : NULL;
}

/* Adds "sweep_files", where table and chart are, and "optima", sentences, to @whole; says so where it is not to be JSON. */
static gboolean
write_sweep(const LacRunRequest *request, GPtrArray *results, JsonObject *whole, GError **error)
{
  GError            *why = NULL;
  g_autoptr(GArray)  bands = measure_bands(request, results->len, &why);
  g_auto(LacOutline) outline =
    lac_experiment_outline(request->experiment, lac_draft_get_values(request->draft));
  const LacSweepOutput output = {request, results, bands, &outline};

  if (why) {
    g_propagate_error(error, why);
    return FALSE;
  }
  g_autofree char *stem = lac_sweep_output_write(&output, error);
  if (stem == NULL)
    return FALSE;
  g_auto(GStrv) optima = lac_sweep_output_optima(&output);
  JsonArray    *sentences = json_array_new();
  if (!request->json)
    g_print("table and chart: %s.csv, .svg, .png, .pdf\n", stem);
  for (gsize i = 0; optima[i] != NULL; i++) {
    json_array_add_string_element(sentences, optima[i]);
    if (!request->json)
      g_print("%s\n", optima[i]);
  }
  json_object_set_string_member(whole, "sweep_files", stem);
  json_object_set_array_member(whole, "optima", sentences);
  return TRUE;
}

/* What the parameters as they are cannot give. */
static void
warn(const LacRunRequest *request)
{
  const LacExperiment *experiment = request->experiment;
  g_autofree char     *warning = experiment->warn && !request->quiet
                                   ? experiment->warn(experiment, lac_draft_get_values(request->draft))
                                   : NULL;

  if (warning != NULL)
    g_printerr("%s: %s\n", experiment->name, warning);
}

/* Compares a run that was done again with what it repeats; adds "same" and "sameness" to @whole. */
static gboolean
judge_again(const LacRunRequest *request, JsonObject *whole, gboolean *is_same, GError **error)
{
  const char           *folder = json_object_get_string_member_with_default(whole, "run", "");
  g_autoptr(LacRunFile) model = lac_run_file_open(request->again, error);
  g_autoptr(LacRunFile) run = model != NULL ? lac_run_file_open(folder, error) : NULL;
  g_autofree char      *text = run != NULL ? lac_sameness_judge(run, model, is_same, error) : NULL;

  if (text == NULL)
    return FALSE;
  json_object_set_boolean_member(whole, "same", *is_same);
  json_object_set_string_member(whole, "sameness", text);
  if (!request->json)
    g_print("%s\n", text);
  return TRUE;
}

int
lac_verb_run(int argc, char **argv)
{
  gboolean                 json = FALSE;
  g_autoptr(GError)        error = NULL;
  g_autoptr(LacRunRequest) request = lac_run_request_parse(argc, argv, &json, &error);
  if (request == NULL)
    return answer(error, NULL, json);

  if (request->write != NULL || request->keep != NULL)
    return lac_plan_output_write(request, &error) ? LAC_EXIT_FINISHED : answer(error, NULL, json);

  warn(request);
  lac_stop_guard_begin();
  gsize                n = lac_sweep_get_n(request->sweep);
  g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func((GDestroyNotify) json_node_unref);
  for (gsize i = 0; i < n && lac_stop_guard_get_signal() == 0; i++) {
    g_autofree char *label = lac_sweep_dup_label(request->sweep, i);
    Drive            drive = {.request = request, .label = label};
    g_autofree char *result = run_combination(&drive, i, &error);
    if (result == NULL)
      return answer(error, request->experiment->name, json);
    g_ptr_array_add(results, json_from_string(result, NULL));
  }
  if (results->len == 0)
    return LAC_EXIT_INTERRUPTED;
  g_autoptr(JsonNode) whole =
    n > 1 ? join_sweep(request, results) : json_node_ref(g_ptr_array_index(results, 0));
  if (n > 1 && lac_stop_guard_get_signal() == 0 &&
      !write_sweep(request, results, json_node_get_object(whole), &error))
    return answer(error, request->experiment->name, json);
  gboolean is_same = TRUE;
  if (request->again != NULL && lac_stop_guard_get_signal() == 0 &&
      !judge_again(request, json_node_get_object(whole), &is_same, &error))
    return answer(error, request->experiment->name, json);
  if (json)
    print_node(whole);
  if (!is_same)
    return LAC_EXIT_FAILED;
  return lac_stop_guard_get_signal() == SIGINT ? LAC_EXIT_INTERRUPTED
                                               : exit_status(get_outcome(whole));
}
