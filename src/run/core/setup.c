/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The set-up of a run on its own thread: create the experiment, restore a checkpoint, make the frames. */
#include "backend/fft.h"
#include "io/input/exposures-h5.h"
#include "io/runfile/exposures.h"
#include "io/runfile/format.h"
#include "io/runfile/sensors.h"
#include "run/core/run-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

static const struct {
  LacType     type;
  const char *name;
} wisdoms[] = {{LAC_F64, "wisdom-f64"}, {LAC_F32, "wisdom-f32"}};

gboolean
lac_run_is_cancelled(gpointer user_data)
{
  LacRun *run = user_data;

  return lac_run_progress_is_out_of_time(&run->progress) || lac_commands_is_stopped(&run->commands);
}

LacStepSubject
lac_run_get_subject(LacRun *run)
{
  return (LacStepSubject){
    .experiment = run->experiment,
    .draft = run->draft,
    .inputs = &run->inputs,
    .memory = run->memory != NULL ? &run->memory->memory : NULL,
    .pool = run->computer.pool,
    .seed = run->seed,
    .precision = run->computer.precision,
    .cancelled = lac_run_is_cancelled,
    .user_data = run,
  };
}

static void
on_progress(double fraction, const char *what, gpointer user_data)
{
  LacRun         *run = user_data;
  LacDeviceMemory memory;
  const gboolean  is_known = lac_run_recorder_read_memory(&run->recorder, &memory);

  lac_run_monitor_set_phase(&run->monitor, fraction, what, is_known ? &memory : NULL);
}

void
lac_run_import_wisdom(const char *folder)
{
  for (gsize i = 0; i < G_N_ELEMENTS(wisdoms); i++) {
    g_autofree char *path = g_build_filename(folder, wisdoms[i].name, NULL);
    g_autofree char *text = NULL;
    if (g_file_get_contents(path, &text, NULL, NULL) &&
        !lac_fft_import_wisdom(wisdoms[i].type, text))
      g_debug("%s: the plans are of another version of FFTW", path);
  }
}

static gboolean
export_wisdom(LacRun *run, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS(wisdoms); i++) {
    g_autofree char *text = lac_fft_export_wisdom(wisdoms[i].type);
    if (text != NULL && !lac_run_folder_write_text(run->log.folder, wisdoms[i].name, text, error))
      return FALSE;
  }
  return TRUE;
}

/* Imports the FFT plans of the run that exported the exposures. */
static void
import_plans(GHashTable *exposures)
{
  GHashTableIter iter;
  gpointer       store;

  g_hash_table_iter_init(&iter, exposures);
  while (g_hash_table_iter_next(&iter, NULL, &store)) {
    const LacEntry *plans = lac_exposures_find(store, "plans");

    if (plans != NULL && !lac_fft_import_wisdom(LAC_F64, plans->data))
      g_debug("the plans of the exposures are of another version of FFTW");
  }
}

static gboolean
keep_exposures(LacRun *run, GError **error)
{
  g_autoptr(LacStore) exposures = run->experiment->exposures(run->state);
  g_autofree char    *plans = lac_fft_export_wisdom(LAC_F64);

  if (plans != NULL)
    lac_store_put_bytes(exposures, "plans", plans, strlen(plans) + 1);
  return lac_run_exposures_write(run->log.folder, exposures, error);
}

static gboolean
make_state(LacRun *run, GError **error)
{
  lac_device_log_open(&run->computer.device, run->recorder.perf, run->recorder.compute);
  LacContext context = {
    .device = run->computer.device,
    .pool = run->computer.pool,
    .perf = run->recorder.perf,
    .lane = run->recorder.compute,
    .seed = run->seed,
    .precision = lac_precision_storage(run->computer.precision),
    .cancelled = lac_run_is_cancelled,
    .progress = on_progress,
    .user_data = run,
    .memory = run->memory ? &run->memory->memory : NULL,
  };

  lac_inputs_borrow(&run->inputs, &context);
  import_plans(run->inputs.exposures);
  lac_run_import_wisdom(run->repeat.journal != NULL ? run->repeat.journal->path : run->log.path);
  run->state =
    run->experiment->create(run->experiment, lac_draft_get_values(run->draft), &context, error);
  return run->state != NULL;
}

static gboolean
keep_pattern(LacRun *run, GError **error)
{
  g_autofree char *pattern = run->experiment->pattern(run->state);

  return lac_run_folder_write_text(run->log.folder, LAC_RUN_PATTERN, pattern, error);
}

static gboolean
keep_equation(LacRun *run, GError **error)
{
  const char *equation = run->experiment->equation;

  return equation == NULL ||
         lac_run_folder_write_text(run->log.folder, LAC_RUN_EQUATION, equation, error);
}

/* Writes the equation, the sensor readings, the exposures and their pattern; those of a resumed run are the same. */
static gboolean
keep_readings(LacRun *run, GError **error)
{
  LacMeasurements *readings =
    run->experiment->readings != NULL ? run->experiment->readings(run->state) : NULL;
  gboolean done = readings == NULL || lac_run_sensors_write(run->log.folder, readings, error);

  lac_measurements_free(readings);
  return done && keep_equation(run, error) &&
         (run->experiment->exposures == NULL || keep_exposures(run, error)) &&
         (run->experiment->pattern == NULL || keep_pattern(run, error));
}

/* Restores what the run itself added to the checkpoint. */
static gboolean
restore_own(LacRun *run, GError **error)
{
  gsize         n = run->outline.n_metrics;
  gconstpointer outcome = lac_store_get(run->log.store, LAC_RUN_STORE_OUTCOME, 1, 1, 8, error);
  gint64        value;

  if (outcome == NULL)
    return FALSE;
  memcpy(&value, outcome, sizeof value);
  run->outcome.value = (LacOutcome) value;
  if (n == 0)
    return TRUE;
  gconstpointer metrics = lac_store_get(run->log.store, LAC_RUN_STORE_METRICS, n, 1, 8, error);
  if (metrics == NULL)
    return FALSE;
  memcpy(run->rows.last, metrics, n * sizeof(double));
  return TRUE;
}

static gboolean
restore(LacRun *run, GError **error)
{
  if (lac_store_get_n_entries(run->log.store) == 0)
    return TRUE;
  if (!restore_own(run, error) || !run->experiment->load(run->state, run->log.store, error))
    return FALSE;
  if (run->experiment->retune != NULL)
    run->experiment->retune(run->state, lac_draft_get_values(run->live));
  return TRUE;
}

gboolean
lac_run_remake_state(LacRun *run, GError **error)
{
  return make_state(run, error) && restore(run, error);
}

static gboolean
make_frames(LacRun *run, GError **error)
{
  const LacExperiment *experiment = run->experiment;
  g_autofree gsize    *sizes = g_new0(gsize, 2 * run->outline.n_channels + 1);
  gsize                n_markers = 0;
  LacEstimate          estimate = {0};

  experiment->shapes(run->state, (gsize(*)[2]) sizes, &n_markers);
  lac_run_frames_init(&run->frames, (const gsize(*)[2]) sizes, run->outline.n_channels, n_markers,
                      run->outline.n_metrics);
  run->frames.last_kept = lac_run_folder_get_last_frame(run->log.folder);
  if (experiment->estimate != NULL)
    experiment->estimate(experiment, lac_draft_get_values(run->draft), &estimate);
  lac_run_frames_plan(&run->frames, run->progress.n_steps, estimate.seconds_per_step,
                      experiment->most_frames, run->log.budget.shares.frames,
                      lac_run_folder_get_stride(run->log.folder));
  if (run->frames.stride != lac_run_folder_get_stride(run->log.folder))
    return lac_run_folder_decimate(run->log.folder, run->frames.stride, error);
  return TRUE;
}

static gboolean
do_part(LacRun *run, guint32 name, gboolean (*part)(LacRun *run, GError **error), GError **error)
{
  LacRunPhase phase;

  lac_run_phase_begin(&run->recorder, &phase, name, NULL);
  gboolean done = part(run, error);
  lac_run_phase_end(&run->recorder, &phase, -1);
  return done;
}

typedef struct {
  LacRun     *run;
  LacRunPhase phase;
} Planning;

/* LacFftWatch: names the seconds that a new shape takes. */
static void
on_planning(gboolean begins, gpointer user_data)
{
  Planning *planning = user_data;
  LacRun   *run = planning->run;

  if (begins) {
    on_progress(0, _("Planning Fourier transforms, once on this machine"), run);
    lac_run_phase_begin(&run->recorder, &planning->phase, run->recorder.names.planning, NULL);
  } else {
    lac_run_phase_end(&run->recorder, &planning->phase, -1);
  }
}

gboolean
lac_run_set_up(LacRun *run, GError **error)
{
  const LacRunNames *names = &run->recorder.names;
  Planning           planning = {.run = run};
  LacRunPhase        whole;
  gboolean           done;

  lac_run_phase_begin(&run->recorder, &whole, names->setup, NULL);
  on_progress(0, _("Setting up"), run);
  lac_fft_watch(on_planning, &planning);
  done = do_part(run, names->create, make_state, error);
  if (done && !lac_run_is_cancelled(run)) {
    run->progress.n_steps = run->experiment->n_steps(run->state);
    done = do_part(run, names->plans, export_wisdom, error) &&
           do_part(run, names->readings, keep_readings, error) &&
           do_part(run, names->restore, restore, error) &&
           do_part(run, names->frames, make_frames, error);
  }
  lac_fft_watch(NULL, NULL);
  lac_run_phase_end(&run->recorder, &whole, -1);
  lac_run_recorder_end_setup(&run->recorder);
  lac_run_progress_end_setup(&run->progress);
  return done;
}
