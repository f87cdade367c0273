/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything that can go wrong before a run starts: settings, input files, device, folder. */
#include "backend/dense.h"
#include "base/error.h"
#include "base/memory-room.h"
#include "io/runfile/replay.h"
#include "run/core/inputs.h"
#include "run/core/provenance.h"
#include "run/core/run-private.h"

#include <math.h>
#include <string.h>

#define DEFAULT_CHECKPOINT_SECONDS 10.0
#define BASE_BYTES                 ((guint64) 80 << 20) /* of any run: threads, channels, files */
#define RECORD_BATCH               512
#define ROW_BATCH                  256
#define RELAY_BUDGET               ((gsize) 32 << 20) /* of records that wait for the controlling thread */

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

LacDraft *
lac_run_dup_draft(const LacExperiment *experiment, const LacRunOrigin *origin, GError **error)
{
  g_autoptr(LacDraft) draft = lac_draft_new(&experiment->params);

  for (char **pair = origin->settings; pair[0] != NULL && pair[1] != NULL; pair += 2) {
    g_autoptr(GError) why = NULL;

    if (!lac_draft_set(draft, pair[0], pair[1], &why)) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                  "%s was made with %s = %s, which this version does not take: %s", origin->folder,
                  pair[0], pair[1], why->message);
      return NULL;
    }
  }
  /* what such a run was about its folder says; a file that is gone matters where it goes on */
  lac_inputs_give(draft, NULL);
  return g_steal_pointer(&draft);
}

static gboolean
is_complete(const LacRunOrigin *origin)
{
  return g_strcmp0(origin->outcome, "finished") == 0 || g_strcmp0(origin->outcome, "diverged") == 0;
}

/* Where a run of an experiment that had more to do was stopped, it stops again. */
static gboolean
take_model(LacRun *run, const LacRunOrigin *origin, GError **error)
{
  run->model = lac_run_file_open_journal(origin->folder, error);
  if (run->model == NULL)
    return FALSE;
  gboolean was_cut = origin->outcome == NULL || g_str_equal(origin->outcome, "stopped");
  if (was_cut && run->model->steps == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s ended before its first step: there is nothing to do again", origin->folder);
    return FALSE;
  }
  run->last_step = was_cut ? run->model->steps : 0;
  return TRUE;
}

static gboolean
take_origin(LacRun *run, const LacRunSettings *settings, GError **error)
{
  const char             *path = settings->again != NULL ? settings->again : settings->resume;
  g_autoptr(LacRunOrigin) origin = lac_run_origin_read(path, error);

  if (origin == NULL)
    return FALSE;
  /* one that is handed in may be in no list */
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
  run->precision = g_strdup(origin->precision);
  run->backend = g_strdup(origin->backend);
  if (settings->again != NULL)
    return take_model(run, origin, error);
  run->folder_path = g_strdup(origin->folder);
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
  run->precision =
    g_strdup(g_str_equal(precision, "auto") ? settings->experiment->precision : precision);
  run->backend = g_strdup("auto");
  return lac_inputs_give_anew(run->draft, error);
}

/* ---- memory ---- */

/* Takes what linear algebra needs, and sees that the rest of the run has room where the process has a limit: an allocation that
 * fails on the way ends the program. */
static gboolean
reserve_memory(const LacRun *run, GError **error)
{
  const gboolean is_here = g_str_equal(run->device.table->name, "cpu");
  LacEstimate    estimate = {0};

  if (is_here && lac_memory_limit_get().limit > 0)
    run->experiment->estimate(run->experiment, lac_draft_get_values(run->draft), &estimate);
  const guint64 bytes =
    BASE_BYTES + lac_dense_get_unreserved() + (guint64) CLAMP(estimate.memory_bytes, 0, 1e15);
  const guint      n_threads = lac_pool_get_n_threads(run->pool);
  g_autofree char *what =
    g_strdup_printf("the run (%s, threads: %u)", run->experiment->name, n_threads);
  return lac_memory_room_check(bytes, what, n_threads > 1 ? "use fewer threads" : NULL, error) &&
         lac_dense_reserve(error);
}

/* ---- folder ---- */

/* Calls @write with the header of the run as it is. @parent: (nullable): the folder of a new one */
static gboolean
with_header(
  LacRun *run,
  gboolean (*write)(LacRun *run, const LacRunHeader *header, const char *parent, GError **error),
  const char *parent,
  GError    **error)
{
  const LacExperiment *experiment = run->experiment;
  const LacProvenance  of = {&run->inputs, run->computer.part, run->computer.choice};
  g_auto(GStrv)        provenance = lac_provenance_new(&of);
  g_autofree char     *caution =
    lac_experiment_dup_caution(experiment, lac_draft_get_values(run->draft));
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
    .precision = run->precision,
    .threads = lac_pool_get_n_threads(run->pool),
    .provenance = (const char *const *) provenance,
  };

  return write(run, &header, parent, error);
}

static gboolean
create_folder(LacRun *run, const LacRunHeader *header, const char *parent, GError **error)
{
  run->folder = lac_run_folder_create(parent, header, error);
  if (run->folder == NULL)
    return FALSE;
  run->folder_path = g_strdup(lac_run_folder_get_path(run->folder));
  run->store = lac_store_new();
  return TRUE;
}

static gboolean
describe_again(LacRun *run, const LacRunHeader *header, const char *parent, GError **error)
{
  return lac_run_folder_describe_again(run->folder, header, error);
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

/* Live changes that are part of the checkpoint: the journal is cut back to it by now. */
static gboolean
replay_live_changes(LacRun *run, GError **error)
{
  g_autoptr(LacRunFile) so_far = lac_run_file_peek(run->folder, error);

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
  run->folder =
    lac_run_folder_reopen(run->folder_path, &run->store, &run->step, &run->seconds, error);
  run->clock_seconds = run->seconds;
  return run->folder != NULL && replay_live_changes(run, error);
}

gboolean
lac_run_open(LacRun *run, const LacRunSettings *settings, GError **error)
{
  gboolean is_named = settings->backend != NULL && !g_str_equal(settings->backend, "auto");

  if (!check_settings(settings, error))
    return FALSE;
  run->time_limit = settings->time_limit;
  lac_run_budget_begin(run, settings->disk_budget_bytes,
                       settings->frame_budget_bytes > 0 ? settings->frame_budget_bytes
                                                        : LAC_FRAME_BUDGET_DEFAULT);
  run->checkpoint_seconds =
    settings->checkpoint_seconds > 0 ? settings->checkpoint_seconds : DEFAULT_CHECKPOINT_SECONDS;
  run->perf = lac_perf_new(settings->detail);
  run->memory = lac_run_memory_new(settings->cache);
  lac_inputs_init(&run->inputs);

  gboolean has_origin = settings->resume != NULL || settings->again != NULL;
  if (!(has_origin ? take_origin(run, settings, error) : take_settings(run, settings, error)))
    return FALSE;
  run->outline = lac_experiment_outline(run->experiment, lac_draft_get_values(run->draft));
  run->metrics = g_new0(double, run->outline.n_metrics + 1);
  run->blow_ups = g_new0(LacBlowUp, run->outline.n_metrics + 1);
  lac_run_rows_init(&run->open_rows, run->outline.n_metrics);
  run->last_metrics = g_new(double, run->outline.n_metrics + 1);
  run->row = g_new0(double, run->outline.n_metrics + 2);
  for (gsize m = 0; m < run->outline.n_metrics; m++)
    run->last_metrics[m] = NAN;
  run->live = lac_draft_copy(run->draft);
  run->controls = lac_draft_copy(run->draft);
  if (run->already == NULL && run->experiment->check != NULL &&
      !run->experiment->check(run->experiment, lac_draft_get_values(run->draft), error))
    return FALSE;
  run->pool = lac_pool_new(settings->threads);
  run->gives_way = settings->gives_way;
  if (!lac_run_open_device(run, is_named ? settings->backend : run->backend, is_named, error) ||
      !lac_device_set_precision(run->device, run->precision, error))
    return FALSE;
  if (run->already != NULL)
    return TRUE;
  if (!reserve_memory(run, error) || !lac_inputs_load(&run->inputs, run->draft, error))
    return FALSE;
  if (!(run->is_resumed ? reopen_folder(run, error) : make_folder(run, settings, error)))
    return FALSE;
  run->session = lac_run_folder_get_session(run->folder);
  run->records = lac_relay_new(sizeof(LacRecord), RECORD_BATCH, RELAY_BUDGET);
  run->rows =
    lac_relay_new((2 + run->outline.n_metrics) * sizeof(double), ROW_BATCH, RELAY_BUDGET / 4);
  lac_draft_free(run->controls);
  run->controls = lac_draft_copy(run->live);
  return TRUE;
}
