/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of `lacuna run` from start to end: progress, signals, child processes, results as text. */
#include "cli/run-drive.h"

#include "cli/arguments.h"
#include "cli/batch-log.h"
#include "cli/stop-guard.h"
#include "io/format/json-text.h"
#include "io/format/metric-json.h"
#include "report/text/metric-group.h"
#include "report/text/metric-text.h"
#include "report/text/number.h"
#include "run/core/remedy.h"
#include "run/core/result-json.h"
#include "run/plan/run-child.h"
#include "run/plan/seeds.h"

#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>

#define LOOK_EVERY_US 100000

/* ---- progress on standard error: a bar on a terminal, a line now and then elsewhere ---- */

typedef struct {
  char       *title; /* "kolmogorov, seed 3" */
  gboolean    is_quiet, is_terminal;
  gint64      last_us;
  LacRunState last_state;
} Progress;

#define BAR_CELLS         24
#define TERMINAL_EVERY_US 100000
#define LINE_EVERY_US     10000000

static void
progress_begin(Progress *progress, const char *title, gboolean is_quiet)
{
  memset(progress, 0, sizeof *progress);
  progress->title = g_strdup(title);
  progress->is_quiet = is_quiet;
  progress->is_terminal = isatty(STDERR_FILENO) && g_strcmp0(g_getenv("TERM"), "dumb") != 0;
  progress->last_state = LAC_RUN_ENDED;
}

static char *
describe(const LacRunStatus *status)
{
  g_autofree char *left =
    status->seconds_left >= 0 ? lac_duration_text(status->seconds_left) : NULL;
  if (status->state == LAC_RUN_SETTING_UP)
    return g_strdup_printf("setting up%s%s, %d %%", *status->phase != '\0' ? ": " : "",
                           status->phase, (int) (100 * status->fraction));
  return g_strdup_printf("step %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT ", %d %%%s%s%s",
                         status->step, status->n_steps, (int) (100 * status->fraction),
                         left != NULL ? ", " : "", left != NULL ? left : "",
                         left != NULL ? " to go" : "");
}

static void
show_bar(const Progress *progress, const LacRunStatus *status, const char *text)
{
  GString *bar = g_string_new(NULL);
  int      full = (int) (CLAMP(status->fraction, 0, 1) * BAR_CELLS);
  for (int i = 0; i < BAR_CELLS; i++)
    g_string_append(bar, i < full ? "█" : "░");
  g_printerr("\r\033[K%s %s %s", progress->title, bar->str, text);
  g_string_free(bar, TRUE);
}

static void
progress_show(Progress *progress, const LacRunStatus *status)
{
  gint64   now = g_get_monotonic_time();
  gint64   every = progress->is_terminal ? TERMINAL_EVERY_US : LINE_EVERY_US;
  gboolean is_new_state = status->state != progress->last_state && status->state != LAC_RUN_ENDED;
  if (progress->is_quiet || (now - progress->last_us < every && !is_new_state))
    return;
  progress->last_us = now;
  progress->last_state = status->state;
  g_autofree char *text = describe(status);
  if (progress->is_terminal)
    show_bar(progress, status, text);
  else
    g_printerr("%s: %s\n", progress->title, text);
}

/* Prints a sentence on a line of its own, even when quiet; nothing for "". */
static void
progress_print(const Progress *progress, const char *sentence)
{
  if (*sentence != '\0')
    g_printerr("%slacuna: %s\n", progress->is_terminal && !progress->is_quiet ? "\r\033[K" : "",
               sentence);
}

/* Removes the progress bar. */
static void
progress_end(Progress *progress)
{
  if (progress->is_terminal && !progress->is_quiet)
    g_printerr("\r\033[K");
  g_clear_pointer(&progress->title, g_free);
}

/* ---- results on standard output ---- */

#define LABEL_WIDTH 44

static void
print_row(const char *label, const char *text)
{
  g_print("  %-*s %s\n", LABEL_WIDTH, label, text);
}

/* Returns the metric's label, prefixed with its group if there are several. */
static char *
dup_label(const LacOutline *outline, gsize m)
{
  const char *group = lac_metric_group(&outline->metrics[m]), *first = NULL;
  gboolean    are_several = FALSE;

  for (gsize i = 0; i < outline->n_metrics; i++) {
    const char *other = lac_metric_group(&outline->metrics[i]);

    if (*other == '\0')
      continue;
    are_several = are_several || (first != NULL && other != first);
    first = other;
  }
  if (*group == '\0' || !are_several)
    return g_strdup(outline->metrics[m].label);
  return g_strdup_printf("%s: %s",
                         lac_metric_group_label(group, outline->metrics, outline->n_metrics,
                                                outline->channels, outline->n_channels),
                         outline->metrics[m].label);
}

/* @result: JSON of a run; @label: (nullable): the combination of a sweep */
static void
print_run(JsonObject          *result,
          const LacExperiment *experiment,
          const LacOutline    *outline,
          const char          *label)
{
  JsonObject        *metrics = json_object_get_object_member(result, "metrics");
  const gint64       n_steps = json_object_get_int_member(result, "steps");
  g_autofree char   *seconds = lac_duration_text(json_object_get_double_member(result, "seconds"));
  g_autofree double *values = g_new(double, outline->n_metrics + 1);
  for (gsize m = 0; m < outline->n_metrics; m++)
    values[m] = lac_json_get_metric(metrics, outline->metrics[m].key);
  g_print("%s%s%s: %s after %" G_GINT64_FORMAT " steps in %s\n", experiment->name,
          label != NULL ? ", " : "", label != NULL ? label : "",
          json_object_get_string_member(result, "outcome"), n_steps, seconds);
  for (gsize m = 0; n_steps > 0 && m < outline->n_metrics; m++) {
    if (!outline->metrics[m].is_result ||
        lac_metric_is_error(outline->metrics, outline->n_metrics, m))
      continue;
    g_autofree char *text = lac_metric_text(outline->metrics, values, outline->n_metrics, m);
    g_autofree char *name = dup_label(outline, m);
    print_row(name, text);
  }
  if (json_object_has_member(result, "choice"))
    print_row("computed by", json_object_get_string_member(result, "choice"));
  print_row("run", json_object_get_string_member(result, "run"));
}

static void
print_seeds(const LacSeeds *seeds, const LacExperiment *experiment, const char *label)
{
  const LacOutline  *outline = lac_seeds_get_outline(seeds);
  const gsize        n = outline->n_metrics;
  g_autofree double *medians = g_new(double, n), *worsts = g_new(double, n);

  g_print("%s%s%s: %s, %u seeds\n", experiment->name, *label != '\0' ? ", " : "", label,
          lac_seeds_get_outcome(seeds), lac_seeds_get_n(seeds));
  for (gsize m = 0; m < n; m++) {
    medians[m] = lac_seeds_get_median(seeds, m);
    worsts[m] = lac_seeds_get_worst(seeds, m);
  }
  for (gsize m = 0; m < n; m++) {
    if (!outline->metrics[m].is_result || lac_metric_is_error(outline->metrics, n, m))
      continue;
    g_autofree char *median = lac_metric_text(outline->metrics, medians, n, m);
    g_autofree char *worst = lac_metric_text(outline->metrics, worsts, n, m);
    g_autofree char *both = g_strdup_printf("median %s, worst %s", median, worst);
    g_autofree char *name = dup_label(outline, m);
    print_row(name, both);
  }
}

/* ---- a run in this process ---- */

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

/* Returns: (transfer full): the last message shown */
static char *
follow(LacRun *run, Progress *progress, LacBatchLog *log, Bell *bell)
{
  gboolean     is_stopping = FALSE;
  char        *said = g_strdup("");
  LacRunStatus status;
  for (;;) {
    lac_run_get_status(run, &status);
    lac_run_drain(run, lac_batch_log_take_records, lac_batch_log_take_metrics, log);
    progress_show(progress, &status);
    if (status.state != LAC_RUN_ENDED && !g_str_equal(status.message, said)) {
      g_free(said);
      said = g_strdup(status.message);
      progress_print(progress, said);
    }
    if (status.state == LAC_RUN_ENDED)
      return said;
    if (lac_stop_guard_get_signal() != 0 && !is_stopping) {
      is_stopping = TRUE;
      lac_run_stop(run);
      if (!progress->is_quiet)
        progress_print(
          progress,
          "stopping after this step, with a checkpoint; a second signal ends the run at once");
    }
    wait_for(bell);
  }
}

typedef struct {
  const LacRunRequest *request;
  const char          *label; /* of the sweep's combination; "" without a sweep */
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

/* Runs to the end and prints errors immediately. Returns: FALSE when the user interrupted. */
static gboolean
drive_run(LacRun *run, guint i, guint n, gpointer user_data)
{
  Drive           *drive = user_data;
  g_autofree char *title = make_title(drive, run, n);
  Bell             bell = {0};
  Progress         progress;
  LacBatchLog      log;
  g_mutex_init(&bell.lock);
  g_cond_init(&bell.changed);
  if (drive->request->announces)
    g_print("%s\n", lac_run_get_folder(run));
  /* lines of batches would tear a bar apart */
  progress_begin(&progress, title, drive->request->quiet || drive->request->batches > 0);
  lac_run_set_wake(run, ring, &bell);
  lac_stop_guard_follow(run);
  lac_run_start(run, FALSE);
  lac_batch_log_init(&log, run, drive->request->batches);
  g_autofree char *said = follow(run, &progress, &log, &bell);
  progress_end(&progress);
  lac_batch_log_end(&log);
  lac_batch_log_clear(&log);

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

/* ---- a run in a process of its own ---- */

typedef struct {
  LacRunChild *child;
  gboolean     announces;
  JsonObject  *result;
  GError      *error;
  GMutex       lock;
  GCond        ended;
  gboolean     has_ended;
} Wait;

static gpointer
wait_in_thread(gpointer data)
{
  Wait            *wait = data;
  g_autofree char *folder = lac_run_child_wait_for_folder(wait->child, &wait->error);

  if (folder != NULL && wait->announces)
    g_print("%s\n", folder);
  wait->result = lac_run_child_wait(wait->child, wait->error == NULL ? &wait->error : NULL);
  g_mutex_lock(&wait->lock);
  wait->has_ended = TRUE;
  g_cond_signal(&wait->ended);
  g_mutex_unlock(&wait->lock);
  return NULL;
}

static void
wait_for_child(Wait *wait)
{
  gboolean is_stopping = FALSE;

  g_mutex_lock(&wait->lock);
  while (!wait->has_ended) {
    g_cond_wait_until(&wait->ended, &wait->lock, g_get_monotonic_time() + LOOK_EVERY_US);
    if (!is_stopping && lac_stop_guard_get_signal() != 0) {
      is_stopping = TRUE;
      lac_run_child_stop(wait->child);
    }
  }
  g_mutex_unlock(&wait->lock);
}

static void
add_once(void)
{
  static gboolean reported = FALSE;

  if (!reported)
    g_printerr("lacuna: %s\n", lac_run_child_get_reason());
  reported = TRUE;
}

/* Starts the run in a child process and waits for its end. Prints once why a child is needed. Returns: (transfer
 * full): its result; %NULL with an error, or without one if no such process can be started. */
static JsonObject *
compute_apart(const LacRunSettings *settings, const LacRunRequest *request, GError **error)
{
  g_autoptr(GError)      why = NULL;
  g_autofree char       *model = NULL;
  g_autoptr(LacRunChild) child = NULL;

  if (request->plan != NULL)
    g_file_get_contents(request->plan, &model, NULL, NULL);
  child = lac_run_child_new(settings, model, request->quiet, &why);
  if (child == NULL) {
    g_debug("no process of its own: %s", why->message);
    return NULL;
  }
  add_once();
  Wait     wait = {.child = child, .announces = request->announces};
  GThread *thread;

  g_mutex_init(&wait.lock);
  g_cond_init(&wait.ended);
  thread = g_thread_new("run apart", wait_in_thread, &wait);
  wait_for_child(&wait);
  g_thread_join(thread);
  g_cond_clear(&wait.ended);
  g_mutex_clear(&wait.lock);
  if (wait.error == NULL)
    return wait.result;
  g_clear_pointer(&wait.result, json_object_unref);
  g_propagate_error(error, wait.error);
  return NULL;
}

/* drive_run() in a child process. */
static JsonObject *
drive_child(const LacRunSettings *settings, gboolean *go_on, gpointer user_data, GError **error)
{
  const Drive *drive = user_data;
  JsonObject  *result = compute_apart(settings, drive->request, error);

  *go_on = lac_stop_guard_get_signal() == 0;
  return result;
}

/* ---- one combination ---- */

static void
print_result(const Drive         *drive,
             JsonObject          *result,
             const LacExperiment *experiment,
             const LacOutline    *outline)
{
  if (!drive->request->json)
    print_run(result, experiment, outline, *drive->label != '\0' ? drive->label : NULL);
}

/* Returns: (transfer full) (nullable): see drive_child() */
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

/* Returns: (transfer full): its result, which is also printed; %NULL with an error when it could not start. */
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

char *
lac_run_drive(const LacRunRequest *request, gsize i, const char *label, GError **error)
{
  Drive               drive = {.request = request, .label = label};
  g_autoptr(LacDraft) draft = lac_draft_copy(request->draft);
  if (!lac_sweep_apply(request->sweep, i, draft, error))
    return NULL;
  LacRunSettings settings = lac_run_request_settings(request, draft);
  settings.seed = lac_sweep_get_seed(request->sweep, i, settings.seed);

  if (request->n_seeds > 0) {
    const LacSeedsDriver driver = {drive_run, drive_child, &drive};
    g_autoptr(LacSeeds)  seeds = lac_seeds_run(&settings, request->n_seeds, &driver, error);
    if (seeds == NULL)
      return NULL;
    if (!request->json)
      print_seeds(seeds, request->experiment, label);
    return lac_seeds_dup_json(seeds);
  }
  g_autoptr(JsonObject) result = run_alone(&drive, &settings, error);
  return result != NULL ? lac_json_object_to_text(result) : NULL;
}

/* ---- several runs at a time ---- */

typedef struct {
  const LacRunRequest *request;
  guint                n_seeds, n_ended;
  GPtrArray           *results; /* JsonObject * (nullable), [combination][seed] */
} Together;

/* Returns: (transfer full): "sensors = 4, seed 1". @result: of run @i */
static char *
dup_name(const Together *together, guint i, JsonObject *result)
{
  g_autofree char *label = lac_sweep_dup_label(together->request->sweep, i / together->n_seeds);
  GString         *name = g_string_new(label);

  if (together->n_seeds > 1)
    g_string_append_printf(name, "%sseed %" G_GINT64_FORMAT, name->len > 0 ? ", " : "",
                           json_object_get_int_member_with_default(result, "seed", 0));
  return g_string_free(name, FALSE);
}

static LacDraft *
prepare(guint i, LacRunSettings *settings, gpointer user_data, GError **error)
{
  const Together      *together = user_data;
  const LacRunRequest *request = together->request;
  const guint          combination = i / together->n_seeds;
  g_autoptr(LacDraft)  draft = lac_draft_copy(request->draft);

  if (!lac_sweep_apply(request->sweep, combination, draft, error))
    return NULL;
  *settings = lac_run_request_settings(request, draft);
  settings->seed = lac_sweep_get_seed(request->sweep, combination, settings->seed);
  settings->seed += i % together->n_seeds;
  return g_steal_pointer(&draft);
}

static void
announce(guint i G_GNUC_UNUSED, const char *folder, gpointer user_data)
{
  if (((const Together *) user_data)->request->announces)
    g_print("%s\n", folder);
}

static void
take_result(guint i, const char *device, JsonObject *result, gpointer user_data)
{
  Together            *together = user_data;
  const LacRunRequest *request = together->request;
  const char *outcome = json_object_get_string_member_with_default(result, "outcome", "failed");
  const char *why = json_object_get_string_member_with_default(result, "error", NULL);
  g_autofree char *name = dup_name(together, i, result);

  together->results->pdata[i] = result;
  together->n_ended++;
  if (!request->quiet || why != NULL)
    g_printerr("%s, %s, on %s: %s%s%s (%u of %u)\n", request->experiment->name, name, device,
               outcome, why != NULL ? ": " : "", why != NULL ? why : "", together->n_ended,
               together->results->len);
  if (g_str_equal(outcome, "stopped"))
    g_printerr("lacuna run --resume %s continues it\n",
               json_object_get_string_member_with_default(result, "run", "RUN"));
}

static gboolean
is_stopped(gpointer user_data G_GNUC_UNUSED)
{
  return lac_stop_guard_get_signal() != 0;
}

/* Prints and returns the result of a combination, of all its seeds if there are several. */
static JsonNode *
sum_up(const Together *together, guint combination)
{
  const LacRunRequest *request = together->request;
  JsonObject **results = (JsonObject **) together->results->pdata + combination * together->n_seeds;
  g_autofree char    *label = lac_sweep_dup_label(request->sweep, combination);
  const Drive         drive = {request, label};
  LacRunSettings      settings;
  g_autoptr(LacDraft) draft =
    prepare(combination * together->n_seeds, &settings, (gpointer) together, NULL);

  if (request->n_seeds == 0) {
    g_auto(LacOutline) outline =
      lac_experiment_outline(request->experiment, lac_draft_get_values(draft));
    JsonNode *node = json_node_new(JSON_NODE_OBJECT);

    print_result(&drive, results[0], request->experiment, &outline);
    json_node_set_object(node, results[0]);
    return node;
  }
  g_autoptr(LacSeeds) seeds = lac_seeds_new(&settings);

  for (guint k = 0; k < together->n_seeds; k++)
    if (results[k] != NULL)
      lac_seeds_add(seeds, json_object_ref(results[k]));
  if (!request->json)
    print_seeds(seeds, request->experiment, label);
  g_autofree char *text = lac_seeds_dup_json(seeds);
  return json_from_string(text, NULL);
}

static guint
count_ended(const Together *together, guint combination)
{
  guint n = 0;

  for (guint k = 0; k < together->n_seeds; k++)
    n += together->results->pdata[combination * together->n_seeds + k] != NULL;
  return n;
}

static void
unref_result(gpointer result)
{
  if (result != NULL)
    json_object_unref(result);
}

GPtrArray *
lac_run_drive_on_devices(const LacRunRequest *request, GError **error)
{
  const guint          n_combinations = (guint) lac_sweep_get_n(request->sweep);
  g_autofree char     *model = NULL;
  Together             together = {.request = request, .n_seeds = MAX(1, request->n_seeds)};
  g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func(unref_result);
  GPtrArray           *nodes;

  if (request->plan != NULL)
    g_file_get_contents(request->plan, &model, NULL, NULL);
  g_ptr_array_set_size(results, (gint) (n_combinations * together.n_seeds));
  together.results = results;
  if (!lac_run_children(&(LacRunChildren){.n_runs = results->len,
                                          .devices = (const char *const *) request->devices,
                                          .model = model,
                                          .prepare = prepare,
                                          .began = announce,
                                          .ended = take_result,
                                          .is_stopped = is_stopped,
                                          .user_data = &together},
                        error))
    return NULL;
  nodes = g_ptr_array_new_with_free_func((GDestroyNotify) json_node_unref);
  for (guint i = 0; i < n_combinations && count_ended(&together, i) > 0; i++)
    g_ptr_array_add(nodes, sum_up(&together, i));
  return nodes;
}
