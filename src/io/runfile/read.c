/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reader of run.h5, in the schema of docs/run-file.md. */
#include "base/error.h"
#include "io/format/h5.h"
#include "io/input/apart.h"
#include "io/runfile/format.h"
#include "io/runfile/metadata.h"
#include "io/runfile/run-file-private.h"
#include "perf/trace/trace.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include <math.h>
#include <string.h>
#include <sys/stat.h>

static hid_t
open_group(hid_t parent, const char *name)
{
  return H5Lexists(parent, name, H5P_DEFAULT) > 0 ? H5Gopen2(parent, name, H5P_DEFAULT)
                                                  : H5I_INVALID_HID;
}

static void
read_settings(hid_t file, LacRunFile *run)
{
  hid_t group = open_group(file, "settings");

  if (group < 0)
    return;
  g_auto(GStrv) keys = lac_h5_dup_members(group, &run->n_settings);
  run->settings = g_new0(LacRunSetting, run->n_settings);
  for (gsize i = 0; i < run->n_settings; i++) {
    hid_t          entry = open_group(group, keys[i]);
    LacRunSetting *setting = &run->settings[i];

    setting->key = g_strdup(keys[i]);
    lac_meta_get_h5(&lac_meta_setting, entry, setting);
    H5Gclose(entry);
  }
  H5Gclose(group);
}

static void
read_provenance(hid_t file, LacRunFile *run)
{
  hid_t group = open_group(file, "provenance");

  if (group < 0)
    return;
  g_auto(GStrv) keys = lac_h5_dup_members(group, &run->n_facts);
  run->facts = g_new0(LacRunFact, run->n_facts);
  for (gsize i = 0; i < run->n_facts; i++) {
    hid_t entry = open_group(group, keys[i]);
    run->facts[i].key = g_strdup(keys[i]);
    lac_meta_get_h5(&lac_meta_fact, entry, &run->facts[i]);
    H5Gclose(entry);
  }
  H5Gclose(group);
}

static void
read_events(hid_t file, LacRunFile *run)
{
  hid_t group = open_group(file, "events");
  gsize n_step, n_seconds, n_what, n_detail;

  if (group < 0)
    return;
  g_autofree gint64 *step =
    lac_h5_dup_vector(group, "step", H5T_NATIVE_INT64, sizeof(gint64), &n_step);
  g_autofree double *seconds =
    lac_h5_dup_vector(group, "seconds", H5T_NATIVE_DOUBLE, sizeof(double), &n_seconds);
  g_auto(GStrv) what = lac_h5_dup_texts(group, "what", &n_what);
  g_auto(GStrv) detail = lac_h5_dup_texts(group, "detail", &n_detail);
  run->n_events = MIN(MIN(n_step, n_seconds), MIN(n_what, n_detail));
  run->events = g_new0(LacRunEvent, run->n_events);
  for (gsize i = 0; i < run->n_events; i++)
    run->events[i] = (LacRunEvent){step[i], seconds[i], g_strdup(what[i]), g_strdup(detail[i])};
  H5Gclose(group);
}

static void
read_metric(hid_t group, LacRunFile *run, gsize m, const char *key)
{
  LacRunMetric *metric = &run->metrics[m];
  hid_t         set = H5Dopen2(group, key, H5P_DEFAULT);
  gsize         n;

  metric->key = g_strdup(key);
  lac_meta_get_h5(&lac_meta_metric, set, metric);
  if (set >= 0)
    H5Dclose(set);
  g_autofree double *column = lac_h5_dup_vector(group, key, H5T_NATIVE_DOUBLE, sizeof(double), &n);
  for (gsize i = 0; i < run->n_series; i++)
    run->series[i * run->n_metrics + m] = i < n ? column[i] : (double) NAN;
}

static void
read_metrics(hid_t file, LacRunFile *run)
{
  hid_t group = open_group(file, "metrics");
  gsize n_members, n_seconds;

  if (group < 0)
    return;
  /* the first two members are step and seconds */
  g_auto(GStrv) keys = lac_h5_dup_members(group, &n_members);
  run->series_step =
    lac_h5_dup_vector(group, "step", H5T_NATIVE_INT64, sizeof(gint64), &run->n_series);
  run->series_seconds =
    lac_h5_dup_vector(group, "seconds", H5T_NATIVE_DOUBLE, sizeof(double), &n_seconds);
  run->n_series = MIN(run->n_series, n_seconds);
  run->n_metrics = n_members > 2 ? n_members - 2 : 0;
  run->metrics = g_new0(LacRunMetric, run->n_metrics);
  run->series = g_new(double, run->n_series * run->n_metrics + 1);
  for (gsize m = 0; m < run->n_metrics; m++)
    read_metric(group, run, m, keys[m + 2]);
  H5Gclose(group);
}

LacRecord
lac_run_file_make_assembly(LacCapture *capture, gint64 end_ns, double seconds)
{
  const gint64 known = lac_capture_find_name(capture, LAC_SPAN_ASSEMBLY);
  guint16      lane = 0;

  for (guint i = 0; i < lac_capture_get_n_lanes(capture); i++)
    if (g_str_equal(lac_capture_get_lane(capture, (guint16) i), LAC_LANE_COMPUTE))
      lane = (guint16) i;
  return (LacRecord){
    .kind = LAC_RECORD_SPAN,
    .start_ns = end_ns,
    .duration_ns = (gint64) (seconds * 1e9),
    .step = -1,
    .count = 1,
    .memory = -1,
    .name = known >= 0 ? (guint32) known : lac_capture_add_name(capture, LAC_SPAN_ASSEMBLY),
    .lane = lane,
  };
}

/* Appends the span of the assembly. Returns: (transfer full): the records, in place of @records. */
static LacRecord *
add_assembly(hid_t file, LacCapture *capture, LacRecord *records, gsize *n)
{
  const double seconds = lac_h5_get_real(file, LAC_RUN_ASSEMBLY, 0);
  gint64       end_ns = G_MININT64;

  if (!(seconds > 0) || *n == 0)
    return records;
  for (gsize i = 0; i < *n; i++) {
    const gint64 length = records[i].kind == LAC_RECORD_SPAN ? records[i].duration_ns : 0;
    end_ns = MAX(end_ns, records[i].start_ns + length);
  }
  records = g_renew(LacRecord, records, *n + 1);
  records[(*n)++] = lac_run_file_make_assembly(capture, end_ns, seconds);
  return records;
}

static void
read_records(hid_t file, LacRunFile *run)
{
  hid_t      type = lac_h5_record_type();
  gsize      n_names, n_lanes, n_records;
  LacRecord *records = lac_h5_dup_vector(file, "records", type, sizeof(LacRecord), &n_records);

  H5Tclose(type);
  g_auto(GStrv) names = lac_h5_dup_texts(file, "names", &n_names);
  g_auto(GStrv) lanes = lac_h5_dup_texts(file, "lanes", &n_lanes);
  lac_run_file_make_capture(run, (const char *const *) names, (const char *const *) lanes);
  records = add_assembly(file, run->capture, records, &n_records);
  lac_capture_adopt(run->capture, records, n_records);
}

static void
read_chart(hid_t entry, LacRunChannel *channel)
{
  gsize n;

  if (lac_h5_get_length(entry, "curves") == 0)
    return;
  channel->curves = lac_h5_dup_texts(entry, "curves", &n);
  channel->chart.n = MIN(n, LAC_MOST_CURVES);
  lac_meta_get_h5(&lac_meta_chart, entry, &channel->chart);
  for (gsize i = 0; i < channel->chart.n; i++)
    channel->chart.labels[i] = channel->curves[i];
}

static void
read_channel(hid_t group, const char *key, LacRunChannel *channel)
{
  hid_t entry = open_group(group, key);

  channel->key = g_strdup(key);
  lac_meta_get_h5(&lac_meta_channel, entry, channel);
  lac_meta_get_h5(&lac_meta_layers, entry, &channel->layers);
  read_chart(entry, channel);
  H5Gclose(entry);
}

static gboolean
is_group(hid_t parent, const char *name)
{
  H5O_info_t about;

  return H5Oget_info_by_name(parent, name, &about, H5P_DEFAULT) >= 0 &&
         about.type == H5O_TYPE_GROUP;
}

static void
read_frames(hid_t file, LacRunFile *run)
{
  hid_t group = open_group(file, "frames");
  gsize n_members;

  if (group < 0)
    return;
  g_auto(GStrv) members = lac_h5_dup_members(group, &n_members);
  run->frame_step =
    lac_h5_dup_vector(group, "step", H5T_NATIVE_INT64, sizeof(gint64), &run->n_frames);
  run->channels = g_new0(LacRunChannel, n_members + 1);
  for (gsize i = 0; i < n_members; i++) {
    if (is_group(group, members[i]))
      read_channel(group, members[i], &run->channels[run->n_channels++]);
  }
  H5Gclose(group);
}

static void
read_molecule(hid_t file, LacRunFile *run)
{
  static const char *const axes[] = {"x", "y", "z"};
  hid_t                    group = open_group(file, "molecule");
  gsize                    n, n_places;

  if (group < 0)
    return;
  g_autofree gint64 *charges =
    lac_h5_dup_vector(group, "charge", H5T_NATIVE_INT64, sizeof(gint64), &n);
  g_autofree LacNucleus *nuclei = g_new0(LacNucleus, n + 1);
  g_autofree char       *name = lac_h5_dup_text(group, "name");
  gboolean               done = charges != NULL;

  for (guint k = 0; done && k < 3; k++) {
    g_autofree double *places =
      lac_h5_dup_vector(group, axes[k], H5T_NATIVE_DOUBLE, sizeof(double), &n_places);

    done = places != NULL && n_places == n;
    for (gsize a = 0; done && a < n; a++) {
      nuclei[a].charge = (guint) CLAMP(charges[a], 0, G_MAXINT);
      nuclei[a].position[k] = places[a];
    }
  }
  if (done)
    run->molecule = lac_run_file_make_molecule(
      name, (guint) n, nuclei,
      (gint64[]){lac_h5_get_integer(group, "up", 0), lac_h5_get_integer(group, "down", 0)});
  H5Gclose(group);
}

static hid_t
open_run(const char *path, GError **error)
{
  hid_t            file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  g_autofree char *format = file >= 0 ? lac_h5_dup_text(file, "format") : NULL;

  if (file < 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s is not a readable HDF5 file", path);
    return file;
  }
  gint64 version = lac_h5_get_integer(file, "version", 0);
  if (strcmp(format, "lacuna-run") == 0 && version >= 1 && version <= LAC_RUN_FILE_VERSION)
    return file;
  H5Fclose(file);
  if (strcmp(format, "lacuna-run") == 0)
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s is a run file of version %" G_GINT64_FORMAT
                "; this program reads versions 1 to %d",
                path, version, LAC_RUN_FILE_VERSION);
  else
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_BAD_FILE,
      "%s is an HDF5 file, but not one of a run: its attribute `format' is not lacuna-run", path);
  return H5I_INVALID_HID;
}

LacRunFile *
lac_run_file_read_h5(const char *path, GError **error)
{
  g_autofree char      *folder = g_path_get_dirname(path);
  g_autoptr(LacRunFile) run = lac_run_file_new(folder);
  LacRunSource         *source = lac_run_source(run);

  lac_h5_lock();
  hid_t file = open_run(path, error);
  if (file >= 0) {
    source->h5_frames = lac_h5_frames_new(path);
    lac_meta_get_h5(&lac_meta_run, file, source);
    read_settings(file, run);
    read_provenance(file, run);
    read_metrics(file, run);
    read_frames(file, run);
    read_records(file, run);
    read_events(file, run);
    read_molecule(file, run);
    H5Fclose(file);
  }
  lac_h5_unlock();
  return file >= 0 ? g_steal_pointer(&run) : NULL;
}

static gboolean
try_to_read(const char *path, gboolean throughout)
{
  g_autoptr(LacRunFile) run = lac_run_file_read_h5(path, NULL);

  for (gsize i = 0; throughout && run != NULL && i < run->n_frames; i++) {
    g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, i, NULL);
    if (frame == NULL)
      return FALSE;
  }
  /* a file refused as a whole is harmless; a partial refusal is due to the lower memory limit of this process */
  return run == NULL || !lac_h5_has_failed();
}

gboolean
lac_run_file_is_sound(const char *path)
{
  return lac_apart_try("run", path, g_variant_new_string("heads"));
}

gboolean
lac_run_file_is_sound_throughout(const char *path)
{
  return lac_apart_try("run", path, g_variant_new_string("frames"));
}

static gboolean
read_steps(const char *path, LacRunFile *run)
{
  lac_h5_lock();
  hid_t file = open_run(path, NULL);
  hid_t group = file >= 0 ? open_group(file, "frames") : H5I_INVALID_HID;

  if (group >= 0) {
    run->frame_step =
      lac_h5_dup_vector(group, "step", H5T_NATIVE_INT64, sizeof(gint64), &run->n_frames);
    H5Gclose(group);
  }
  if (file >= 0)
    H5Fclose(file);
  lac_h5_unlock();
  return group >= 0;
}

static gboolean
try_to_read_steps(const char *path)
{
  g_autoptr(LacRunFile) run = lac_run_file_new(path);

  return read_steps(path, run) && !lac_h5_has_failed();
}

gboolean
lac_run_file_serve(const char *path, GVariant *what, int to)
{
  const char    *part = g_variant_get_string(what, NULL);
  const gboolean is_sound = g_str_equal(part, "steps")
                              ? try_to_read_steps(path)
                              : try_to_read(path, g_str_equal(part, "frames"));

  lac_apart_put(to, &(guint8){is_sound}, 1);
  return TRUE;
}

gboolean
lac_run_file_take_h5_frames(LacRunSource *source, const char *path)
{
  if (!lac_apart_try("run", path, g_variant_new_string("steps")) || !read_steps(path, &source->run))
    return FALSE;
  source->h5_frames = lac_h5_frames_new(path);
  return TRUE;
}

/* A missing stream was deleted because the file holds its data. */
gboolean
lac_run_file_is_current(const char *path, const char *folder)
{
  static const char *const parts[] = {LAC_RUN_JOURNAL, LAC_RUN_RECORDS, LAC_RUN_FRAMES};
  static const char *const keys[] = {"journal_bytes", "records_bytes", "frames_bytes"};
  gboolean                 current = g_file_test(path, G_FILE_TEST_IS_REGULAR);

  if (!current)
    return FALSE;
  lac_h5_lock();
  hid_t file = open_run(path, NULL);
  current = file >= 0;
  for (gsize i = 0; current && i < G_N_ELEMENTS(parts); i++) {
    g_autofree char *part = g_build_filename(folder, parts[i], NULL);
    struct stat      about;
    current = g_stat(part, &about) == 0
                ? (guint64) about.st_size == lac_h5_get_unsigned(file, keys[i])
                : i > 0;
  }
  if (file >= 0)
    H5Fclose(file);
  lac_h5_unlock();
  return current;
}
