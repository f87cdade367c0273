/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preparation of a run, with every error that can be found before it starts: settings, input files, device, folder. */
#include "backend/dense.h"
#include "base/error.h"
#include "base/memory-room.h"
#include "io/runfile/replay.h"
#include "run/core/inputs.h"
#include "run/core/provenance.h"
#include "run/core/run-private.h"

#include <math.h>
#include <string.h>

#define BASE_BYTES ((guint64) 96 << 20) /* baseline of any run: threads, channels, files */

static gboolean
check_precision(const char *precision, GError **error)
{
  g_autofree char *all = g_strjoinv(", ", (char **) lac_precision_names);

  if (g_str_equal(precision, "auto") || g_strv_contains(lac_precision_names, precision))
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE, "precision = %s is not one of auto, %s",
              precision, all);
  return FALSE;
}

static gboolean
check_settings(const LacRunSettings *settings, GError **error)
{
  if (!(settings->time_limit >= 0) || isinf(settings->time_limit)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "the time limit must be a number of seconds above 0, or 0 for none");
    return FALSE;
  }
  if (!(settings->checkpoint_seconds >= 0)) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
      "the time between checkpoints must be a number of seconds above 0, or 0 for the default");
    return FALSE;
  }
  return TRUE;
}

/* ---- what a resumed run takes from its folder ---- */

static gboolean
is_stated(const LacRunOrigin *origin, const char *key)
{
  for (char **pair = origin->settings; pair[0] != NULL && pair[1] != NULL; pair += 2)
    if (g_str_equal(pair[0], key))
      return TRUE;
  return FALSE;
}

/* Returns what a row of an earlier version amounted to: off, none, or the first choice. */
static const char *
get_off(const LacParam *row)
{
  if (row->kind == LAC_PARAM_CHOICE)
    return row->choices[0];
  if (row->kind == LAC_PARAM_FILE || row->kind == LAC_PARAM_TEXT)
    return "";
  return row->kind == LAC_PARAM_SWITCH ? "no" : "0";
}

/* A run of an earlier version is resumed without what it did not do. */
static void
turn_off_later(LacDraft *draft, const LacRunOrigin *origin)
{
  const LacParamTable *table = lac_draft_get_table(draft);

  for (gsize i = 0; i < table->n_rows; i++)
    if ((table->rows[i].flags & LAC_PARAM_LATER) && !is_stated(origin, table->rows[i].key))
      lac_draft_set(draft, table->rows[i].key, get_off(&table->rows[i]), NULL);
}

LacDraft *
lac_run_dup_draft(const LacExperiment *experiment, const LacRunOrigin *origin, GError **error)
{
  g_autoptr(LacDraft) draft = lac_draft_new(&experiment->params);

  for (char **pair = origin->settings; pair[0] != NULL && pair[1] != NULL; pair += 2) {
    g_autoptr(GError) why = NULL;

    if (!lac_draft_set(draft, pair[0], pair[1], &why)) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                  "%s was made with %s = %s, which this version does not accept: %s",
                  origin->folder, pair[0], pair[1], why->message);
      return NULL;
    }
  }
  turn_off_later(draft, origin);
  /* the folder describes such a run; a missing file matters only when it continues */
  lac_inputs_give(draft, NULL);
  return g_steal_pointer(&draft);
}

static gboolean
is_complete(const LacRunOrigin *origin)
{
  return g_strcmp0(origin->outcome, "finished") == 0 || g_strcmp0(origin->outcome, "diverged") == 0;
}

static gboolean
take_origin(LacRun *run, const LacRunSettings *settings, char **backend, GError **error)
{
  const char             *path = settings->again != NULL ? settings->again : settings->resume;
  g_autoptr(LacRunOrigin) origin = lac_run_origin_read(path, error);

  if (origin == NULL)
    return FALSE;
  /* the caller's experiment may not be registered */
  if (settings->experiment != NULL && g_str_equal(settings->experiment->name, origin->experiment))
    run->experiment = settings->experiment;
  else
    run->experiment = lac_experiment_find(origin->experiment, error);
  if (run->experiment == NULL)
    return FALSE;
  run->draft = lac_run_dup_draft(run->experiment, origin, error);
  if (run->draft == NULL)
    return FALSE;
  run->seed = origin->seed;
  run->computer.precision = g_strdup(origin->precision);
  *backend = g_strdup(origin->backend);
  if (settings->again != NULL)
    return lac_run_repeat_open(&run->repeat, origin, error);
  run->log.path = g_strdup(origin->folder);
  run->is_resumed = TRUE;
  if (is_complete(origin)) {
    run->already = lac_run_file_open(origin->folder, error);
    return run->already != NULL;
  }
  return lac_inputs_give(run->draft, error);
}

static gboolean
take_settings(LacRun *run, const LacRunSettings *settings, GError **error)
{
  const char *precision = settings->precision != NULL ? settings->precision : "auto";

  g_return_val_if_fail(settings->experiment != NULL && settings->draft != NULL, FALSE);
  if (!check_precision(precision, error))
    return FALSE;
  run->experiment = settings->experiment;
  run->draft = lac_draft_copy(settings->draft);
  run->seed = settings->seed;
  run->computer.precision = g_strdup(lac_experiment_find_precision(
    settings->experiment, lac_draft_get_values(settings->draft), precision));
  return lac_inputs_give_anew(run->draft, error);
}

/* ---- memory ---- */

/* Reserves memory for linear algebra, and checks that the rest of the run fits if the process has a limit: a failed
 * allocation during the run would end the program. */
static gboolean
reserve_memory(const LacRun *run, GError **error)
{
  const gboolean is_here = g_str_equal(run->computer.device.table->name, "cpu");
  LacEstimate    estimate = {0};

  if (is_here && lac_memory_limit_get().limit > 0)
    run->experiment->estimate(run->experiment, lac_draft_get_values(run->draft), &estimate);
  const guint64 bytes =
    BASE_BYTES + lac_dense_get_unreserved() + (guint64) CLAMP(estimate.memory_bytes, 0, 1e15);
  const guint      n_threads = lac_pool_get_n_threads(run->computer.pool);
  g_autofree char *what =
    g_strdup_printf("the run (%s, threads: %u)", run->experiment->name, n_threads);
  return lac_memory_room_check(bytes, what, n_threads > 1 ? "use fewer threads" : NULL, error) &&
         lac_dense_reserve(error);
}

/* ---- folder ---- */

static gsize
count_parameters(const LacRun *run)
{
  LacEstimate estimate = {0};

  run->experiment->estimate(run->experiment, lac_draft_get_values(run->draft), &estimate);
  return estimate.n_parameters;
}

/* Calls @write with the current header of the run. @parent: (nullable): parent of a new folder */
static gboolean
with_header(
  LacRun *run,
  gboolean (*write)(LacRun *run, const LacRunHeader *header, const char *parent, GError **error),
  const char *parent,
  GError    **error)
{
  const LacExperiment *experiment = run->experiment;
  const LacProvenance  of = {&run->inputs, run->computer.part, run->computer.choice, run->log.sweep,
                             count_parameters(run)};
  g_auto(GStrv)        provenance = lac_provenance_new(&of);
  g_autofree char     *caution =
    lac_experiment_dup_caution(experiment, lac_draft_get_values(run->draft), TRUE);
  const LacRunHeader header = {
    .experiment = experiment->name,
    .title = experiment->title,
    .caution = caution,
    .params = &experiment->params,
    .draft = run->draft,
    .channels = run->outline.channels,
    .n_channels = run->outline.n_channels,
    .metrics = run->outline.metrics,
    .n_metrics = run->outline.n_metrics,
    .molecule = run->outline.molecule,
    .seed = run->seed,
    .backend = run->computer.name,
    .precision = run->computer.precision,
    .threads = lac_pool_get_n_threads(run->computer.pool),
    .provenance = (const char *const *) provenance,
  };

  return write(run, &header, parent, error);
}

static gboolean
create_folder(LacRun *run, const LacRunHeader *header, const char *parent, GError **error)
{
  return lac_run_log_create(&run->log, parent, header, error);
}

static gboolean
describe_again(LacRun *run, const LacRunHeader *header, const char *parent, GError **error)
{
  return lac_run_folder_describe_again(run->log.folder, header, error);
}

gboolean
lac_run_write_header(LacRun *run, GError **error)
{
  return with_header(run, describe_again, NULL, error);
}

static gboolean
make_folder(LacRun *run, const LacRunSettings *settings, GError **error)
{
  g_autofree char *fallback = settings->out == NULL ? lac_run_dup_default_folder() : NULL;

  return with_header(run, create_folder, settings->out != NULL ? settings->out : fallback, error);
}

/* Replays live changes up to the checkpoint; the journal has already been truncated to it. */
static gboolean
replay_live_changes(LacRun *run, GError **error)
{
  g_autoptr(LacRunFile) so_far = lac_run_file_peek(run->log.folder, error);

  if (so_far == NULL)
    return FALSE;
  for (gsize i = 0; i < so_far->n_events; i++) {
    const LacRunEvent *event = &so_far->events[i];
    const char        *equals = strstr(event->detail, " = ");

    if (!g_str_equal(event->what, LAC_EVENT_SET) || equals == NULL)
      continue;
    g_autofree char *key = g_strndup(event->detail, (gsize) (equals - event->detail));
    if (!lac_draft_set(run->live, key, equals + 3, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
reopen_folder(LacRun *run, GError **error)
{
  gint64 step;
  double seconds;

  if (!lac_run_log_reopen(&run->log, &step, &seconds, error))
    return FALSE;
  lac_run_progress_resume(&run->progress, step, seconds);
  return replay_live_changes(run, error);
}

/* ---- device ---- */

static gboolean
open_device(LacRun *run, const char *asked, gboolean is_named, GError **error)
{
  LacRunComputer        *computer = &run->computer;
  const LacStepSubject   subject = lac_run_get_subject(run);
  const LacDeviceRequest request = {
    .asked = asked,
    .is_named = is_named,
    .is_repeat = run->repeat.journal != NULL,
    .is_over = run->already != NULL,
  };

  if (!lac_run_computer_open(computer, &subject, run->memory != NULL ? run->memory->cache : NULL,
                             &request, error))
    return FALSE;
  lac_run_monitor_set_device(&run->monitor, lac_run_computer_get_title(computer), computer->choice);
  return lac_device_set_precision(computer->device, computer->precision, error);
}

/* ---- all of it ---- */

static gboolean
take_source(LacRun *run, const LacRunSettings *settings, char **backend, GError **error)
{
  const gboolean has_origin = settings->resume != NULL || settings->again != NULL;

  if (!(has_origin ? take_origin(run, settings, backend, error)
                   : take_settings(run, settings, error)))
    return FALSE;
  run->outline = lac_experiment_outline(run->experiment, lac_draft_get_values(run->draft));
  lac_run_outcome_init(&run->outcome, run->outline.n_metrics);
  lac_run_rows_init(&run->rows, run->outline.n_metrics);
  run->live = lac_draft_copy(run->draft);
  run->controls = lac_draft_copy(run->draft);
  return run->already != NULL || run->experiment->check == NULL ||
         run->experiment->check(run->experiment, lac_draft_get_values(run->draft), error);
}

gboolean
lac_run_open(LacRun *run, const LacRunSettings *settings, GError **error)
{
  gboolean         is_named = settings->backend != NULL && !g_str_equal(settings->backend, "auto");
  g_autofree char *backend = NULL; /* of the run that is resumed or repeated */

  if (!check_settings(settings, error))
    return FALSE;
  run->progress.time_limit = settings->time_limit;
  lac_run_budget_init(&run->log.budget, settings->disk_budget_bytes, settings->frame_budget_bytes);
  lac_run_cadence_init(&run->cadence, settings->checkpoint_seconds);
  run->memory = lac_run_memory_new(settings->cache);
  lac_inputs_init(&run->inputs);
  if (!take_source(run, settings, &backend, error))
    return FALSE;
  run->computer.pool = lac_pool_new(settings->threads);
  run->gives_way = settings->gives_way;
  run->log.sweep = g_strdup(settings->sweep);
  const char *asked = is_named ? settings->backend : backend != NULL ? backend : "auto";
  if (!open_device(run, asked, is_named, error))
    return FALSE;
  if (run->already != NULL)
    return TRUE;
  if (!reserve_memory(run, error) || !lac_inputs_load(&run->inputs, run->draft, error))
    return FALSE;
  if (!(run->is_resumed ? reopen_folder(run, error) : make_folder(run, settings, error)))
    return FALSE;
  lac_run_log_open_relays(&run->log, run->outline.n_metrics);
  lac_draft_free(run->controls);
  run->controls = lac_draft_copy(run->live);
  return TRUE;
}

char *
lac_run_dup_default_folder(void)
{
  return g_build_filename(g_get_user_data_dir(), "lacuna", "runs", NULL);
}
