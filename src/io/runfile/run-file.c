/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A saved run: opening, reference counting, lookup, description. */
#include "io/runfile/run-file.h"

#include "base/error.h"
#include "io/runfile/folder.h"
#include "io/runfile/format.h"
#include "io/runfile/metadata.h"
#include "io/runfile/place.h"
#include "io/runfile/run-file-private.h"

#include <math.h>

/* Limits of a molecule in a file: more is treated as damage. */
#define MOST_NUCLEI    1000
#define MOST_ELECTRONS 10000

LacRunFile *
lac_run_file_new(const char *path)
{
  LacRunSource *source = g_new0(LacRunSource, 1);

  source->run.ref_count = 1;
  source->run.path = g_strdup(path);
  return &source->run;
}

/* Returns TRUE when the segments are complete; otherwise run.h5 has replaced some of them. */
static gboolean
has_streams(const char *folder)
{
  g_autofree char *records = g_build_filename(folder, LAC_RUN_RECORDS, NULL);
  g_autofree char *frames = g_build_filename(folder, LAC_RUN_FRAMES, NULL);

  return g_file_test(records, G_FILE_TEST_EXISTS) && g_file_test(frames, G_FILE_TEST_EXISTS);
}

/* Opens a folder without a writer (its lock is free), so that run.h5 can be made. If it cannot be written, the
 * segments are used instead. A run.h5 that holds the only copy of data is never overwritten, even if reading it just
 * failed. */
static LacRunFile *
open_still(const char *folder, GError **error)
{
  g_autofree char *path = g_build_filename(folder, LAC_RUN_H5, NULL);

  if (g_file_test(path, G_FILE_TEST_EXISTS) && lac_run_file_is_sound(path) &&
      lac_run_file_is_current(path, folder))
    return lac_run_file_read_h5(path, error);
  g_autoptr(LacRunFile) run = lac_run_file_read_segments(folder, "interrupted", error);
  g_autoptr(GError)     unwritten = NULL;
  if (run == NULL)
    return NULL;
  if (has_streams(folder) && !lac_run_file_write_h5(run, path, NULL, &unwritten))
    run->unassembled = g_strdup(unwritten->message);
  return g_steal_pointer(&run);
}

/* Opens a run.h5 without its folder, the only source of its data. */
static LacRunFile *
open_alone(const char *path, GError **error)
{
  if (lac_run_file_is_sound_throughout(path))
    return lac_run_file_read_h5(path, error);
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "%s is damaged: copy it again from its source, or open the folder of its run", path);
  return NULL;
}

LacRunFile *
lac_run_file_open(const char *path, GError **error)
{
  LacRunReading reading;

  if (g_str_has_suffix(path, ".h5") && g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
    g_autofree char *beside = g_path_get_dirname(path);
    g_autofree char *journal = g_build_filename(beside, LAC_RUN_JOURNAL, NULL);
    if (!g_file_test(journal, G_FILE_TEST_EXISTS))
      return open_alone(path, error);
  }
  g_autofree char *folder = lac_run_place_dup_folder(path, error);
  if (folder == NULL)
    return NULL;
  lac_run_place_begin_reading(&reading, folder);
  LacRunFile *run =
    reading.busy ? lac_run_file_read_segments(folder, "running", error) : open_still(folder, error);
  lac_run_place_end_reading(&reading);
  return run;
}

LacRunFile *
lac_run_file_new_from_trace(const char *path, LacCapture *capture)
{
  g_return_val_if_fail(path != NULL && capture != NULL, NULL);
  LacRunFile  *run = lac_run_file_new(path);
  const char  *title = lac_capture_get_title(capture);
  char **const empty[] = {&run->caution, &run->experiment, &run->outcome, &run->detail,
                          &run->backend, &run->precision,  &run->started};

  for (gsize i = 0; i < G_N_ELEMENTS(empty); i++)
    *empty[i] = g_strdup("");
  run->title = *title != '\0' ? g_strdup(title) : g_path_get_basename(path);
  run->capture = capture;
  return run;
}

LacRunFile *
lac_run_file_ref(LacRunFile *run)
{
  g_atomic_int_inc(&run->ref_count);
  return run;
}

static void
free_tables(LacRunFile *run)
{
  for (gsize i = 0; i < run->n_settings; i++)
    lac_meta_clear(&lac_meta_setting, &run->settings[i]);
  for (gsize i = 0; i < run->n_facts; i++)
    lac_meta_clear(&lac_meta_fact, &run->facts[i]);
  for (gsize i = 0; i < run->n_metrics; i++)
    lac_meta_clear(&lac_meta_metric, &run->metrics[i]);
  for (gsize i = 0; i < run->n_channels; i++) {
    lac_meta_clear(&lac_meta_channel, &run->channels[i]);
    g_strfreev(run->channels[i].curves);
  }
  for (gsize i = 0; i < run->n_events; i++) {
    g_free(run->events[i].what);
    g_free(run->events[i].detail);
  }
}

void
lac_run_file_unref(LacRunFile *run)
{
  if (run == NULL || !g_atomic_int_dec_and_test(&run->ref_count))
    return;
  LacRunSource *source = lac_run_source(run);
  gpointer      owned[] = {
         run->path,     run->settings,   run->facts,       run->events,
         run->channels, run->metrics,    run->series_step, run->series_seconds,
         run->series,   run->frame_step, run->unassembled,
  };

  free_tables(run);
  lac_meta_clear(&lac_meta_run, run);
  lac_molecule_unref(run->molecule);
  for (gsize i = 0; i < G_N_ELEMENTS(owned); i++)
    g_free(owned[i]);
  lac_capture_unref(run->capture);
  lac_segment_frames_free(source->segment_frames);
  lac_h5_frames_free(source->h5_frames);
  g_free(source);
}

LacMolecule *
lac_run_file_make_molecule(const char       *name,
                           guint             n_nuclei,
                           const LacNucleus *nuclei,
                           const gint64      electrons[2])
{
  gboolean is_sound = n_nuclei > 0 && n_nuclei <= MOST_NUCLEI && electrons[0] >= 0 &&
                      electrons[1] >= 0 && electrons[0] <= MOST_ELECTRONS &&
                      electrons[1] <= MOST_ELECTRONS && electrons[0] + electrons[1] > 0;

  for (guint a = 0; is_sound && a < n_nuclei; a++)
    is_sound = lac_element(nuclei[a].charge) != NULL;
  return is_sound && lac_nuclei_check(n_nuclei, nuclei, NULL)
           ? lac_molecule_new(name, n_nuclei, nuclei, (guint) electrons[0], (guint) electrons[1])
           : NULL;
}

void
lac_run_file_make_capture(LacRunFile *run, const char *const *names, const char *const *lanes)
{
  run->capture = lac_capture_new(run->title);
  for (gsize i = 0; names != NULL && names[i] != NULL; i++)
    lac_capture_add_name(run->capture, names[i]);
  for (gsize i = 0; lanes != NULL && lanes[i] != NULL && i < G_MAXUINT16; i++)
    lac_capture_add_lane(run->capture, lanes[i]);
}

void
lac_run_file_find_last_metrics(LacRunFile *run)
{
  for (gsize m = 0; m < run->n_metrics; m++) {
    run->metrics[m].last = NAN;
    for (gsize i = run->n_series; i-- > 0 && isnan(run->metrics[m].last);) {
      double value = run->series[i * run->n_metrics + m];
      if (isfinite(value))
        run->metrics[m].last = value;
    }
  }
}

LacFrame *
lac_run_file_load_frame(const LacRunFile *run, gsize i, GError **error)
{
  LacRunSource *source = lac_run_source(run);

  g_return_val_if_fail(i < run->n_frames, NULL);
  return source->segment_frames != NULL
           ? lac_segment_frames_load(source->segment_frames, run, i, error)
           : lac_h5_frames_load(source->h5_frames, run, i, error);
}

gssize
lac_run_file_find_frame(const LacRunFile *run, gint64 step)
{
  gssize best = -1;

  for (gsize i = 0; i < run->n_frames; i++) {
    if (best < 0 || ABS(run->frame_step[i] - step) < ABS(run->frame_step[best] - step))
      best = (gssize) i;
  }
  return best;
}

LacChannel
lac_run_file_get_channel(const LacRunFile *run, gsize i)
{
  const LacRunChannel *from = &run->channels[i];
  return (LacChannel){
    .key = from->key,
    .label = from->label,
    .unit = from->unit,
    .quantity = from->quantity,
    .role = from->role,
    .colour_map = from->colour_map,
    .axis_x = from->axis_x,
    .axis_y = from->axis_y,
    .axis_unit_x = from->axis_unit_x,
    .axis_unit_y = from->axis_unit_y,
    .periodic = from->periodic,
    .without_markers = from->without_markers,
    .layers = from->layers,
    .chart = from->chart,
  };
}

LacMetric
lac_run_file_get_metric(const LacRunFile *run, gsize i)
{
  const LacRunMetric *from = &run->metrics[i];
  return (LacMetric){
    .key = from->key,
    .label = from->label,
    .unit = from->unit,
    .log_axis = from->log_axis,
    .is_result = from->is_result,
    .has_reference = from->has_reference,
    .reference = from->reference,
    .placing = from->placing,
  };
}

double
lac_run_file_get_seconds(const LacRunFile *run, gint64 step)
{
  gsize low = 0, high = run->n_series;

  while (low < high) {
    gsize middle = low + (high - low) / 2;
    if (run->series_step[middle] <= step)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? run->series_seconds[low - 1] : 0;
}

gssize
lac_run_file_find_frame_at(const LacRunFile *run, double seconds)
{
  gssize best = -1;
  double nearest = INFINITY;

  for (gsize i = 0; i < run->n_frames; i++) {
    double distance = fabs(lac_run_file_get_seconds(run, run->frame_step[i]) - seconds);
    if (distance < nearest) {
      nearest = distance;
      best = (gssize) i;
    }
  }
  return best;
}

gssize
lac_run_file_find_channel(const LacRunFile *run, const char *key)
{
  for (gsize i = 0; i < run->n_channels; i++) {
    if (g_str_equal(run->channels[i].key, key))
      return (gssize) i;
  }
  return -1;
}

LacRunOrigin *
lac_run_origin_read(const char *path, GError **error)
{
  g_autoptr(LacRunFile) run = NULL;
  g_autofree char      *folder = lac_run_place_dup_folder(path, error);

  if (folder == NULL)
    return NULL;
  run = lac_run_file_read_ending(folder, error);
  if (run == NULL)
    return NULL;
  LacRunOrigin *origin = g_new0(LacRunOrigin, 1);
  origin->folder = g_strdup(folder);
  origin->experiment = g_strdup(run->experiment);
  origin->backend = g_strdup(run->backend);
  origin->precision = g_strdup(run->precision);
  origin->outcome = run->outcome[0] != '\0' ? g_strdup(run->outcome) : NULL;
  origin->seed = run->seed;
  origin->threads = run->threads;
  origin->settings = g_new0(char *, 2 * run->n_settings + 1);
  for (gsize i = 0; i < run->n_settings; i++) {
    origin->settings[2 * i] = g_strdup(run->settings[i].key);
    origin->settings[2 * i + 1] = g_strdup(run->settings[i].text);
  }
  return origin;
}

void
lac_run_origin_free(LacRunOrigin *origin)
{
  if (origin == NULL)
    return;
  g_free(origin->folder);
  g_free(origin->experiment);
  g_free(origin->backend);
  g_free(origin->precision);
  g_free(origin->outcome);
  g_strfreev(origin->settings);
  g_free(origin);
}
