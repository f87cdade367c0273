/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames of a run.h5. What all frames share is read when the file is opened: steps, shapes, axes, kinds of markers. The
 * data sets that have a row per frame stay open. */
#include "io/runfile/h5-frames.h"

#include "base/error.h"
#include "io/format/h5.h"

#include <glib/gstdio.h>

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_OPEN 16 /* files kept open by the process */
/* HDF5 reads this many bytes around a row; its default of 64 KiB is many frames' worth. */
#define ROW_BUFFER_BYTES 4096

typedef struct {
  hid_t  values;                     /* [n_steps][ny][nx]; negative: none */
  gsize  nx, ny;                     /* 0: an empty plane */
  double x_min, x_max, y_min, y_max; /* centres of the first and last column and row */
} Channel;

/* All members but the path are protected by the lock of HDF5. */
struct _LacH5Frames {
  char        *path;
  GList        link;                                /* in @open_files while @file is open */
  guint        n_users;                             /* loads in progress: the file is not closed */
  hid_t        file;                                /* negative: not open */
  struct stat  about;                               /* of the file when it was opened */
  hid_t        seconds, metrics, positions, spaces; /* rows of each frame; negative: none */
  gsize        n_steps, n_channels, n_markers;
  gint64      *steps;
  Channel     *channels;
  const char **kinds; /* [n_markers], interned */
};

static GQueue open_files = G_QUEUE_INIT; /* the last used first; protected by the lock of HDF5 */

LacH5Frames *
lac_h5_frames_new(const char *path)
{
  LacH5Frames *frames = g_new0(LacH5Frames, 1);

  frames->path = g_strdup(path);
  frames->link.data = frames;
  frames->file = H5I_INVALID_HID;
  return frames;
}

/* ---- the open file ---- */

static void
close_set(hid_t set)
{
  if (set >= 0)
    H5Dclose(set);
}

static void
close_file(LacH5Frames *frames)
{
  const hid_t sets[] = {frames->seconds, frames->metrics, frames->positions, frames->spaces};

  if (frames->file < 0)
    return;
  for (gsize i = 0; i < G_N_ELEMENTS(sets); i++)
    close_set(sets[i]);
  for (gsize c = 0; c < frames->n_channels; c++)
    close_set(frames->channels[c].values);
  H5Fclose(frames->file);
  frames->file = H5I_INVALID_HID;
  g_clear_pointer(&frames->steps, g_free);
  g_clear_pointer(&frames->channels, g_free);
  g_clear_pointer(&frames->kinds, g_free);
  g_queue_unlink(&open_files, &frames->link);
}

void
lac_h5_frames_free(LacH5Frames *frames)
{
  if (frames == NULL)
    return;
  lac_h5_lock();
  close_file(frames);
  lac_h5_unlock();
  g_free(frames->path);
  g_free(frames);
}

/* Closes files that were not used for the longest time. */
static void
close_oldest(void)
{
  GList *before;

  for (GList *at = open_files.tail; at != NULL && open_files.length > MOST_OPEN; at = before) {
    LacH5Frames *oldest = at->data;
    before = at->prev;
    if (oldest->n_users == 0)
      close_file(oldest);
  }
}

/* Returns: a data set of @rank axes with one row per frame and the given further lengths; negative when there is
 * none. */
static hid_t
open_rows(const LacH5Frames *frames, const char *name, int rank, gsize second, gsize third)
{
  const hsize_t expected[3] = {frames->n_steps, second, third};
  hsize_t       sizes[H5S_MAX_RANK];
  hid_t         set = H5Dopen2(frames->file, name, H5P_DEFAULT);

  if (set < 0)
    return set;
  hid_t    space = H5Dget_space(set);
  gboolean done = H5Sget_simple_extent_dims(space, sizes, NULL) == rank;
  H5Sclose(space);
  for (int i = 0; done && i < rank; i++)
    done = sizes[i] == expected[i];
  if (done)
    return set;
  H5Dclose(set);
  return H5I_INVALID_HID;
}

/* Reads the ends of an axis. Returns: its length. */
static gsize
read_axis(hid_t file, const char *channel, const char *name, double *low, double *high)
{
  g_autofree char   *path = g_strdup_printf("frames/%s/%s", channel, name);
  gsize              n;
  g_autofree double *centres = lac_h5_dup_vector(file, path, H5T_NATIVE_DOUBLE, sizeof(double), &n);

  if (n > 0) {
    *low = centres[0];
    *high = centres[n - 1];
  }
  return n;
}

/* Returns: FALSE when the declared sizes cannot be true: memory is allocated for them. */
static gboolean
open_channel(const LacH5Frames *frames, const char *key, Channel *channel)
{
  g_autofree char *values = g_strdup_printf("frames/%s/values", key);

  channel->nx = read_axis(frames->file, key, "x", &channel->x_min, &channel->x_max);
  channel->ny = read_axis(frames->file, key, "y", &channel->y_min, &channel->y_max);
  channel->values = open_rows(frames, values, 3, channel->ny, channel->nx);
  return channel->nx == 0 ||
         (channel->ny <= G_MAXSIZE / channel->nx &&
          lac_h5_can_hold(frames->file, channel->nx * channel->ny, sizeof(float)));
}

static void
read_kinds(LacH5Frames *frames)
{
  g_auto(GStrv) kinds = lac_h5_dup_texts(frames->file, "markers/kind", &frames->n_markers);

  frames->kinds = g_new(const char *, frames->n_markers + 1);
  for (gsize k = 0; k < frames->n_markers; k++)
    frames->kinds[k] = g_intern_string(kinds[k]);
}

static gboolean
open_sets(LacH5Frames *frames, const LacRunFile *run)
{
  hid_t    file = frames->file;
  gboolean done = TRUE;

  frames->steps =
    lac_h5_dup_vector(file, "frames/step", H5T_NATIVE_INT64, sizeof(gint64), &frames->n_steps);
  read_kinds(frames);
  frames->seconds = open_rows(frames, "frames/seconds", 1, 0, 0);
  frames->metrics = open_rows(frames, "frames/metrics", 2, run->n_metrics, 0);
  frames->positions = open_rows(frames, "markers/position", 3, frames->n_markers, 2);
  frames->spaces = open_rows(frames, "markers/space", 3, frames->n_markers, 3);
  frames->n_channels = run->n_channels;
  frames->channels = g_new0(Channel, run->n_channels + 1);
  for (gsize c = 0; c < run->n_channels; c++)
    done &= open_channel(frames, run->channels[c].key, &frames->channels[c]);
  return done;
}

/* Returns TRUE when another file has taken the path of the open one, or was written over it. A file that is gone stays
 * readable. */
static gboolean
is_replaced(const LacH5Frames *frames)
{
  struct stat now;

  return g_stat(frames->path, &now) == 0 &&
         (now.st_dev != frames->about.st_dev || now.st_ino != frames->about.st_ino ||
          now.st_size != frames->about.st_size ||
          now.st_mtim.tv_sec != frames->about.st_mtim.tv_sec ||
          now.st_mtim.tv_nsec != frames->about.st_mtim.tv_nsec);
}

/* Opens the file unless it is open. */
static gboolean
open_file(LacH5Frames *frames, const LacRunFile *run)
{
  if (frames->file >= 0 && frames->n_users == 0 && is_replaced(frames))
    close_file(frames);
  if (frames->file >= 0) {
    g_queue_unlink(&open_files, &frames->link);
    g_queue_push_head_link(&open_files, &frames->link);
    return TRUE;
  }
  if (g_stat(frames->path, &frames->about) != 0)
    return FALSE;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_sieve_buf_size(access, ROW_BUFFER_BYTES);
  frames->file = H5Fopen(frames->path, H5F_ACC_RDONLY, access);
  H5Pclose(access);
  if (frames->file < 0)
    return FALSE;
  g_queue_push_head_link(&open_files, &frames->link);
  close_oldest();
  lac_h5_lock(); /* nested: no thread has its turn while the file is half open */
  const gboolean done = open_sets(frames, run);
  lac_h5_unlock();
  if (!done)
    close_file(frames);
  return done;
}

/* ---- one frame ---- */

/* Returns: -1 when there is no frame of @step. @guess: the row that it mostly has */
static gssize
find_row(const LacH5Frames *frames, gint64 step, gsize guess)
{
  if (guess < frames->n_steps && frames->steps[guess] == step)
    return (gssize) guess;
  for (gsize row = 0; row < frames->n_steps; row++)
    if (frames->steps[row] == step)
      return (gssize) row;
  return -1;
}

static LacFrame *
make_frame(const LacH5Frames *frames, gsize n_metrics)
{
  gsize(*sizes)[2] = g_malloc0((frames->n_channels + 1) * sizeof *sizes);

  for (gsize c = 0; c < frames->n_channels; c++) {
    sizes[c][0] = frames->channels[c].nx;
    sizes[c][1] = frames->channels[c].ny;
  }
  LacFrame *frame =
    lac_frame_new(frames->n_channels, (const gsize(*)[2]) sizes, frames->n_markers, n_metrics);
  for (gsize c = 0; c < frames->n_channels; c++) {
    const Channel *channel = &frames->channels[c];
    LacPlane      *plane = &frame->planes[c];
    plane->x_min = channel->x_min;
    plane->x_max = channel->x_max;
    plane->y_min = channel->y_min;
    plane->y_max = channel->y_max;
  }
  g_free(sizes);
  return frame;
}

static gboolean
read_row(hid_t set, gsize row, double *values)
{
  return set >= 0 && lac_h5_read_row(set, H5T_NATIVE_DOUBLE, row, values);
}

static void
load_markers(const LacH5Frames *frames, gsize row, LacFrame *frame)
{
  g_autofree double *at = g_new(double, 3 * frame->n_markers + 1);

  if (frame->n_markers > 0 && read_row(frames->positions, row, at))
    for (gsize k = 0; k < frame->n_markers; k++)
      frame->markers[k] = (LacMarker){at[2 * k], at[2 * k + 1], frames->kinds[k]};
  if (frame->n_markers > 0 && read_row(frames->spaces, row, at))
    for (gsize k = 0; k < frame->n_markers; k++) {
      LacMarker *marker = &frame->markers[k];
      memcpy(marker->space, at + 3 * k, sizeof marker->space);
      marker->is_in_space =
        isfinite(marker->space[0]) && isfinite(marker->space[1]) && isfinite(marker->space[2]);
    }
}

/* Reads the planes; other threads have their turn between two of them. */
static gboolean
load_planes(const LacH5Frames *frames, gsize row, LacFrame *frame)
{
  for (gsize c = 0; c < frames->n_channels; c++) {
    const LacPlane *plane = &frame->planes[c];
    const hid_t     values = frames->channels[c].values;

    if (plane->nx * plane->ny == 0)
      continue;
    if (values < 0 || !lac_h5_read_row(values, H5T_NATIVE_FLOAT, row, plane->data))
      return FALSE;
    lac_h5_yield();
  }
  return TRUE;
}

static LacFrame *
load_row(LacH5Frames *frames, gsize row, gsize n_metrics)
{
  g_autoptr(LacFrame) frame = make_frame(frames, n_metrics);

  frames->n_users++;
  frame->step = frames->steps[row];
  frame->sequence = row;
  read_row(frames->seconds, row, &frame->seconds);
  if (n_metrics > 0)
    read_row(frames->metrics, row, frame->metrics);
  load_markers(frames, row, frame);
  const gboolean done = load_planes(frames, row, frame);
  frames->n_users--;
  return done ? g_steal_pointer(&frame) : NULL;
}

LacFrame *
lac_h5_frames_load(LacH5Frames *frames, const LacRunFile *run, gsize i, GError **error)
{
  const gint64 step = run->frame_step[i];
  LacFrame    *frame = NULL;

  lac_h5_lock();
  const gssize row = open_file(frames, run) ? find_row(frames, step, i) : -1;
  if (row >= 0)
    frame = load_row(frames, (gsize) row, run->n_metrics);
  lac_h5_unlock();
  for (gsize c = 0; frame != NULL && c < frame->n_planes; c++)
    lac_plane_measure(&frame->planes[c]);
  if (frame == NULL)
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s: the frame of step %" G_GINT64_FORMAT " cannot be read", frames->path, step);
  return frame;
}
