/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writer of run.h5, in the schema of docs/run-file.md. */
#define _GNU_SOURCE /* fallocate */
#include "base/error.h"
#include "io/format/h5.h"
#include "io/format/write-error.h"
#include "io/runfile/format.h"
#include "io/runfile/metadata.h"
#include "io/runfile/run-file-private.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Higher levels gain 1 % and take twice as long. */
#define DEFLATE_LEVEL 1

static gboolean
close_group(hid_t group, gboolean done)
{
  return group >= 0 && H5Gclose(group) >= 0 && done;
}

static gboolean
put_root(hid_t file, const LacRunFile *run)
{
  return lac_h5_put_text(file, "format", "lacuna-run") &&
         lac_h5_put_integer(file, "version", LAC_RUN_FILE_VERSION) &&
         lac_meta_put_h5(&lac_meta_run, lac_run_source(run), file);
}

static gboolean
put_settings(hid_t file, const LacRunFile *run)
{
  hid_t    group = lac_h5_group(file, "settings");
  gboolean done = group >= 0;

  for (gsize i = 0; done && i < run->n_settings; i++) {
    const LacRunSetting *setting = &run->settings[i];
    hid_t                entry = lac_h5_group(group, setting->key);

    done = entry >= 0 && lac_meta_put_h5(&lac_meta_setting, setting, entry);
    done = close_group(entry, done);
  }
  return close_group(group, done);
}

static gboolean
put_provenance(hid_t file, const LacRunFile *run)
{
  hid_t    group = lac_h5_group(file, "provenance");
  gboolean done = group >= 0;

  for (gsize i = 0; done && i < run->n_facts; i++) {
    hid_t entry = lac_h5_group(group, run->facts[i].key);

    done = entry >= 0 && lac_meta_put_h5(&lac_meta_fact, &run->facts[i], entry);
    done = close_group(entry, done);
  }
  return close_group(group, done);
}

/* Writes a vector of charges and one per coordinate. */
static gboolean
put_molecule(hid_t file, const LacMolecule *molecule)
{
  static const char *const axes[] = {"x", "y", "z"};
  hid_t                    group = lac_h5_group(file, "molecule");
  gsize                    n = molecule->n_nuclei;
  g_autofree gint64       *charges = g_new(gint64, n);
  g_autofree double       *places = g_new(double, n);
  gboolean                 done = group >= 0 && lac_h5_put_text(group, "name", molecule->name) &&
                  lac_h5_put_unsigned(group, "up", molecule->n_up) &&
                  lac_h5_put_unsigned(group, "down", molecule->n_down);

  for (gsize a = 0; a < n; a++)
    charges[a] = molecule->nuclei[a].charge;
  done = done && lac_h5_write_vector(group, "charge", H5T_NATIVE_INT64, n, charges);
  for (guint k = 0; done && k < 3; k++) {
    for (gsize a = 0; a < n; a++)
      places[a] = molecule->nuclei[a].position[k];
    done = lac_h5_write_vector(group, axes[k], H5T_NATIVE_DOUBLE, n, places);
  }
  return close_group(group, done);
}

static gboolean
put_events(hid_t file, const LacRunFile *run)
{
  hid_t              group = lac_h5_group(file, "events");
  gsize              n = run->n_events;
  g_autofree gint64 *step = g_new(gint64, n + 1);
  g_autofree double *seconds = g_new(double, n + 1);
  g_autofree char  **what = g_new(char *, n + 1);
  g_autofree char  **detail = g_new(char *, n + 1);

  for (gsize i = 0; i < n; i++) {
    step[i] = run->events[i].step;
    seconds[i] = run->events[i].seconds;
    what[i] = run->events[i].what;
    detail[i] = run->events[i].detail;
  }
  return close_group(group,
                     group >= 0 && lac_h5_write_vector(group, "step", H5T_NATIVE_INT64, n, step) &&
                       lac_h5_write_vector(group, "seconds", H5T_NATIVE_DOUBLE, n, seconds) &&
                       lac_h5_write_texts(group, "what", what, n) &&
                       lac_h5_write_texts(group, "detail", detail, n));
}

static gboolean
put_metrics(hid_t file, const LacRunFile *run)
{
  hid_t              group = lac_h5_group(file, "metrics");
  hsize_t            n = run->n_series;
  g_autofree double *column = g_new(double, n + 1);
  gboolean           done;

  done = group >= 0 && lac_h5_write_vector(group, "step", H5T_NATIVE_INT64, n, run->series_step) &&
         lac_h5_write_vector(group, "seconds", H5T_NATIVE_DOUBLE, n, run->series_seconds);
  for (gsize m = 0; done && m < run->n_metrics; m++) {
    const LacRunMetric *metric = &run->metrics[m];

    for (gsize i = 0; i < n; i++)
      column[i] = run->series[i * run->n_metrics + m];
    hid_t set = lac_h5_write(group, metric->key, H5T_NATIVE_DOUBLE, 1, &n, column);
    done = set >= 0 && lac_meta_put_h5(&lac_meta_metric, metric, set);
    if (set >= 0)
      done &= H5Dclose(set) >= 0;
  }
  return close_group(group, done);
}

static gboolean
put_records(hid_t file, const LacRunFile *run)
{
  const LacCapture *capture = run->capture;
  gsize             n_records, n_names = lac_capture_get_n_names(capture);
  gsize             n_lanes = lac_capture_get_n_lanes(capture);
  const LacRecord  *records = lac_capture_get(capture, 0, &n_records);
  g_autofree char **names = g_new(char *, n_names + 1), **lanes = g_new(char *, n_lanes + 1);
  hid_t             type = lac_h5_record_type();

  for (gsize i = 0; i < n_names; i++)
    names[i] = (char *) lac_capture_get_name(capture, (guint32) i);
  for (gsize i = 0; i < n_lanes; i++)
    lanes[i] = (char *) lac_capture_get_lane(capture, (guint16) i);
  gboolean done = lac_h5_write_vector(file, "records", type, n_records, records) &&
                  lac_h5_write_texts(file, "names", names, n_names) &&
                  lac_h5_write_texts(file, "lanes", lanes, n_lanes);
  H5Tclose(type);
  return done;
}

/* ---- frames: one group a channel with values [n_frames][ny][nx], x [nx], y [ny] ---- */

static gboolean
put_axis(hid_t group, const char *name, gsize n, double low, double high)
{
  g_autofree double *centres = g_new(double, n + 1);

  for (gsize i = 0; i < n; i++)
    centres[i] = n > 1 ? low + (high - low) * (double) i / (double) (n - 1) : low;
  return lac_h5_write_vector(group, name, H5T_NATIVE_DOUBLE, n, centres);
}

static gboolean
put_channel(hid_t group, const LacRunChannel *channel)
{
  const LacChart *chart = &channel->chart;

  return lac_meta_put_h5(&lac_meta_channel, channel, group) &&
         (channel->layers.n == 0 || lac_meta_put_h5(&lac_meta_layers, &channel->layers, group)) &&
         (chart->n == 0 || (lac_h5_write_texts(group, "curves", channel->curves, chart->n) &&
                            lac_meta_put_h5(&lac_meta_chart, chart, group)));
}

/* Returns: the empty data set for all frames of a channel; negative on failure. */
static hid_t
make_values(hid_t group, gsize n_frames, const LacPlane *plane)
{
  hsize_t sizes[3] = {n_frames, plane->ny, plane->nx};
  hsize_t chunk[3] = {1, MAX(plane->ny, 1), MAX(plane->nx, 1)};
  hid_t   space = H5Screate_simple(3, sizes, NULL);
  hid_t   properties = H5Pcreate(H5P_DATASET_CREATE);

  H5Pset_chunk(properties, 3, chunk);
  H5Pset_shuffle(properties); /* groups equal bytes of the floats */
  H5Pset_deflate(properties, DEFLATE_LEVEL);
  hid_t set =
    H5Dcreate2(group, "values", H5T_IEEE_F32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  H5Pclose(properties);
  H5Sclose(space);
  return set;
}

static gboolean
put_plane(hid_t set, gsize i, const LacPlane *plane)
{
  hsize_t  start[3] = {i, 0, 0}, count[3] = {1, plane->ny, plane->nx}, sizes[3];
  hid_t    space = H5Dget_space(set);
  gboolean done = FALSE;

  H5Sget_simple_extent_dims(space, sizes, NULL);
  if (sizes[1] == plane->ny && sizes[2] == plane->nx) {
    hid_t memory = H5Screate_simple(3, count, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    done = H5Dwrite(set, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, plane->data) >= 0;
    H5Sclose(memory);
  }
  H5Sclose(space);
  return done;
}

/* Per-frame data other than planes, one row per frame. */
typedef struct {
  double  *seconds, *metrics, *markers; /* [n], [n][n_metrics], [n][n_markers][2] */
  double  *space;                       /* [n][n_markers][3]; NaN: no position in space */
  char   **kinds;                       /* [n_markers] */
  gsize    n_markers;
  gboolean is_in_space; /* TRUE when at least one is */
} FrameRows;

static void
note_frame(FrameRows *rows, const LacRunFile *run, gsize i, const LacFrame *frame)
{
  if (i == 0) {
    rows->n_markers = frame->n_markers;
    rows->markers = g_new0(double, 2 * frame->n_markers * run->n_frames + 1);
    rows->space = g_new0(double, 3 * frame->n_markers * run->n_frames + 1);
    rows->kinds = g_new0(char *, frame->n_markers + 1);
    for (gsize k = 0; k < frame->n_markers; k++)
      rows->kinds[k] = (char *) frame->markers[k].kind;
  }
  rows->seconds[i] = frame->seconds;
  for (gsize m = 0; m < MIN(run->n_metrics, frame->n_metrics); m++)
    rows->metrics[i * run->n_metrics + m] = frame->metrics[m];
  for (gsize k = 0; k < MIN(rows->n_markers, frame->n_markers); k++) {
    const LacMarker *marker = &frame->markers[k];
    const gsize      at = i * rows->n_markers + k;

    rows->markers[2 * at] = marker->x;
    rows->markers[2 * at + 1] = marker->y;
    rows->is_in_space |= marker->is_in_space;
    for (gsize c = 0; c < 3; c++)
      rows->space[3 * at + c] = marker->is_in_space ? marker->space[c] : (double) NAN;
  }
}

/* Writes positions in space, only for runs with volumes. */
static gboolean
put_space(hid_t group, const LacRunFile *run, const FrameRows *rows)
{
  hsize_t sizes[3] = {run->n_frames, rows->n_markers, 3};
  hid_t   set;

  if (!rows->is_in_space)
    return TRUE;
  set = lac_h5_write(group, "space", H5T_NATIVE_DOUBLE, 3, sizes, rows->space);
  return set >= 0 && H5Dclose(set) >= 0;
}

static gboolean
put_frame_rows(hid_t file, hid_t group, const LacRunFile *run, const FrameRows *rows)
{
  hsize_t metrics[2] = {run->n_frames, run->n_metrics};
  hsize_t markers[3] = {run->n_frames, rows->n_markers, 2};
  hid_t   set = lac_h5_write(group, "metrics", H5T_NATIVE_DOUBLE, 2, metrics, rows->metrics);

  if (set < 0 || H5Dclose(set) < 0 ||
      !lac_h5_write_vector(group, "step", H5T_NATIVE_INT64, run->n_frames, run->frame_step) ||
      !lac_h5_write_vector(group, "seconds", H5T_NATIVE_DOUBLE, run->n_frames, rows->seconds))
    return FALSE;
  hid_t place = lac_h5_group(file, "markers");
  set = lac_h5_write(place, "position", H5T_NATIVE_DOUBLE, 3, markers, rows->markers);
  gboolean done = set >= 0 && H5Dclose(set) >= 0 &&
                  lac_h5_write_texts(place, "kind", rows->kinds, rows->n_markers) &&
                  put_space(place, run, rows);
  return close_group(place, done);
}

typedef struct {
  hid_t *groups, *values; /* [n_channels]; negative when missing */
} ChannelSets;

static gboolean
make_channels(hid_t group, const LacRunFile *run, const LacFrame *first, ChannelSets *sets)
{
  gboolean done = TRUE;

  for (gsize c = 0; c < run->n_channels; c++)
    sets->groups[c] = sets->values[c] = H5I_INVALID_HID;
  for (gsize c = 0; done && c < run->n_channels; c++) {
    sets->groups[c] = lac_h5_group(group, run->channels[c].key);
    done = sets->groups[c] >= 0 && put_channel(sets->groups[c], &run->channels[c]);
    if (!done || first == NULL || c >= first->n_planes)
      continue;
    const LacPlane *plane = &first->planes[c];
    sets->values[c] = make_values(sets->groups[c], run->n_frames, plane);
    done = sets->values[c] >= 0 &&
           put_axis(sets->groups[c], "x", plane->nx, plane->x_min, plane->x_max) &&
           put_axis(sets->groups[c], "y", plane->ny, plane->y_min, plane->y_max);
  }
  return done;
}

static gboolean
close_channels(const LacRunFile *run, const ChannelSets *sets)
{
  gboolean done = TRUE;

  for (gsize c = 0; c < run->n_channels; c++) {
    if (sets->values[c] >= 0)
      done &= H5Dclose(sets->values[c]) >= 0;
    if (sets->groups[c] >= 0)
      done &= H5Gclose(sets->groups[c]) >= 0;
  }
  return done;
}

/* Writes all frames. A damaged one leaves NaN in its metrics and zeros in its planes. */
static gboolean
put_frames(hid_t file, const LacRunFile *run)
{
  hid_t               group = lac_h5_group(file, "frames");
  gsize               n = run->n_frames;
  g_autofree hid_t   *ids = g_new(hid_t, 2 * run->n_channels + 1);
  ChannelSets         sets = {ids, ids + run->n_channels};
  FrameRows           rows = {g_new0(double, n + 1), g_new0(double, n * run->n_metrics + 1)};
  g_autoptr(LacFrame) first = n > 0 ? lac_run_file_load_frame(run, 0, NULL) : NULL;
  gboolean            done = group >= 0 && make_channels(group, run, first, &sets);

  for (gsize i = 0; done && first != NULL && i < n; i++) {
    g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, i, NULL);

    if (frame == NULL)
      continue;
    note_frame(&rows, run, i, frame);
    for (gsize c = 0; done && c < MIN(run->n_channels, frame->n_planes); c++)
      done = sets.values[c] >= 0 && put_plane(sets.values[c], i, &frame->planes[c]);
  }
  done &= close_channels(run, &sets);
  done = done && put_frame_rows(file, group, run, &rows);
  g_free(rows.seconds);
  g_free(rows.metrics);
  g_free(rows.markers);
  g_free(rows.space);
  g_free(rows.kinds);
  return close_group(group, done);
}

/* Returns an upper estimate of the file size: a disk that fills up within HDF5 cannot be recovered from. */
static guint64
estimate_bytes(const LacRunFile *run)
{
  guint64             bytes = 1024 * 1024;
  g_autoptr(LacFrame) first = run->n_frames > 0 ? lac_run_file_load_frame(run, 0, NULL) : NULL;

  bytes += lac_capture_get_n_records(run->capture) * sizeof(LacRecord);
  bytes += run->n_series * (run->n_metrics + 2) * sizeof(double);
  for (gsize c = 0; first != NULL && c < first->n_planes; c++)
    bytes += run->n_frames * first->planes[c].nx * first->planes[c].ny * sizeof(float);
  return bytes;
}

/* Returns TRUE when the disk has this much space for one file: HDF5 neither reports nor survives running out. */
static gboolean
try_room(const char *path, guint64 bytes)
{
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  int code = 0;

  if (fd < 0)
    return FALSE;
  if (fallocate(fd, 0, 0, (off_t) bytes) != 0 && errno != EOPNOTSUPP && errno != EINTR)
    code = errno;
  close(fd);
  errno = code;
  return code == 0;
}

static hid_t
make_file(const char *path)
{
  hid_t creation = H5Pcreate(H5P_FILE_CREATE);

  H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, creation, H5P_DEFAULT);
  H5Pclose(creation);
  return file;
}

static gboolean
sync_file(const char *path)
{
  int      fd = open(path, O_RDONLY | O_CLOEXEC);
  gboolean done = fd >= 0 && fsync(fd) == 0;

  if (fd >= 0)
    close(fd);
  return done;
}

static const char *
get_advice(int code)
{
  switch (code) {
  case ENOSPC:
  case EDQUOT: return "free space";
  case EFBIG: return "raise the limit on file sizes (ulimit -f)";
  default: return "make the folder writable";
  }
}

/* Sets the error for errno @code while writing @bytes to @path. Returns: FALSE. */
static gboolean
fail_assembly(GError **error, int code, const char *path, guint64 bytes)
{
  g_autofree char *folder = g_path_get_dirname(path);
  g_autofree char *name = g_path_get_basename(path);
  g_autofree char *needed = g_format_size(bytes);
  const gboolean   is_full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  const guint64    free_bytes = lac_free_bytes(folder);
  g_autofree char *free_text = g_format_size(free_bytes == G_MAXUINT64 ? 0 : free_bytes);
  g_autofree char *room = code == ENOSPC ? g_strdup_printf(" and %s are free", free_text)
                                         : g_strdup_printf(": %s", g_strerror(code));

  g_set_error(
    error, LAC_ERROR, is_full ? LAC_ERROR_DISK_FULL : LAC_ERROR_UNWRITABLE,
    "%s could not be assembled (it needs up to %s%s); the journal, records and checkpoint "
    "of the run are whole: %s, then lacuna info %s assembles it",
    name, needed, room, get_advice(code), folder);
  return FALSE;
}

gboolean
lac_run_file_write_h5(const LacRunFile *run, const char *path, GError **error)
{
  g_autofree char *temporary = g_strconcat(path, ".tmp", NULL);
  g_autofree char *folder = g_path_get_dirname(path);
  guint64          bytes = estimate_bytes(run);

  if (lac_free_bytes(folder) < bytes)
    return fail_assembly(error, ENOSPC, path, bytes);
  if (g_access(folder, W_OK) != 0)
    return fail_assembly(error, errno, path, bytes);
  if (!try_room(temporary, bytes)) {
    const int code = errno;
    g_unlink(temporary);
    return fail_assembly(error, code, path, bytes);
  }
  lac_h5_lock();
  hid_t    file = make_file(temporary);
  gboolean done = file >= 0 && put_root(file, run) && put_settings(file, run) &&
                  put_provenance(file, run) && put_metrics(file, run) && put_frames(file, run) &&
                  put_records(file, run) && put_events(file, run) &&
                  (run->molecule == NULL || put_molecule(file, run->molecule));
  if (file >= 0)
    done &= H5Fclose(file) >= 0;
  lac_h5_unlock();
  if (done && sync_file(temporary) && g_rename(temporary, path) == 0)
    return TRUE;
  g_unlink(temporary);
  return fail_assembly(error, ENOSPC, path, bytes);
}

gboolean
lac_run_file_assemble(const char *folder, GError **error)
{
  g_autoptr(LacRunFile) run = lac_run_file_read_segments(folder, "interrupted", error);
  g_autofree char      *path = g_build_filename(folder, LAC_RUN_H5, NULL);

  return run != NULL && lac_run_file_write_h5(run, path, error);
}
