/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries appended to a run folder during the run. */
#include "base/error.h"
#include "io/format/write-error.h"
#include "io/runfile/checkpoint.h"
#include "io/runfile/folder-private.h"
#include "io/runfile/folder.h"
#include "io/runfile/frame-stream.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

gboolean
lac_run_folder_metrics(LacRunFolder *folder,
                       gint64        step,
                       double        seconds,
                       const double *metrics,
                       GError      **error)
{
  LacMetricsEntry entry = {step, seconds};
  struct iovec    parts[] = {
       {&entry, sizeof entry},
       {(gpointer) metrics, folder->n_metrics * sizeof *metrics},
  };

  return lac_segment_append(folder->journal, LAC_SEGMENT_METRICS, parts, G_N_ELEMENTS(parts),
                            error);
}

gboolean
lac_run_folder_event(LacRunFolder *folder,
                     gint64        step,
                     double        seconds,
                     const char   *what,
                     const char   *detail,
                     GError      **error)
{
  LacEventEntry entry = {step, seconds};
  const char   *more = detail != NULL ? detail : "";
  struct iovec  parts[] = {
     {&entry, sizeof entry},
     {(gpointer) what, strlen(what) + 1},
     {(gpointer) more, strlen(more) + 1},
  };

  return lac_segment_append(folder->journal, LAC_SEGMENT_EVENT, parts, G_N_ELEMENTS(parts),
                            error) &&
         lac_segment_flush(folder->journal, error);
}

gboolean
lac_run_folder_frame(LacRunFolder *folder, const LacFrame *frame, GError **error)
{
  return lac_frame_stream_append(folder->frames, folder->scratch, frame, error);
}

/* Decimates the frames and removes the dropped ones from the file; without space for the smaller copy, they remain in
 * it. */
gboolean
lac_run_folder_decimate(LacRunFolder *folder, gint64 stride, GError **error)
{
  if (!lac_frame_stream_append_decimation(folder->frames, stride, error) ||
      !lac_segment_flush(folder->frames, error))
    return FALSE;
  folder->stride = stride;
  LacSegmentWriter *smaller = lac_frame_stream_compact(folder->path, stride, NULL);
  if (smaller != NULL) {
    lac_segment_writer_free(folder->frames);
    folder->frames = smaller;
  }
  return TRUE;
}

gint64
lac_run_folder_get_stride(const LacRunFolder *folder)
{
  return folder->stride;
}

gint64
lac_run_folder_get_last_frame(const LacRunFolder *folder)
{
  return folder->last_frame;
}

typedef const char *(*NameFunc)(LacPerf *perf, guint32 id);

static const char *
lane_name(LacPerf *perf, guint32 id)
{
  return lac_perf_get_lane_name(perf, (guint16) id);
}

/* Appends the names added since the last call, so that each name precedes its records. */
static gboolean
append_names(LacRunFolder  *folder,
             LacSegmentType type,
             LacPerf       *perf,
             guint32       *n_written,
             guint32        n_names,
             GError       **error)
{
  NameFunc get = type == LAC_SEGMENT_NAMES ? lac_perf_get_name : lane_name;

  if (*n_written == n_names)
    return TRUE;
  g_autoptr(GByteArray) texts = g_byte_array_new();
  guint32               range[2] = {*n_written, n_names - *n_written};
  for (guint32 id = *n_written; id < n_names; id++) {
    const char *name = get(perf, id);
    g_byte_array_append(texts, (const guint8 *) name, (guint) strlen(name) + 1);
  }
  struct iovec parts[] = {{range, sizeof range}, {texts->data, texts->len}};
  if (!lac_segment_append(folder->records, type, parts, G_N_ELEMENTS(parts), error))
    return FALSE;
  *n_written = n_names;
  return TRUE;
}

gboolean
lac_run_folder_records(LacRunFolder    *folder,
                       LacPerf         *perf,
                       const LacRecord *records,
                       gsize            n,
                       GError         **error)
{
  struct iovec part = {(gpointer) records, n * sizeof *records};

  if (n == 0)
    return TRUE;
  return append_names(folder, LAC_SEGMENT_NAMES, perf, &folder->n_names, lac_perf_get_n_names(perf),
                      error) &&
         append_names(folder, LAC_SEGMENT_LANES, perf, &folder->n_lanes, lac_perf_get_n_lanes(perf),
                      error) &&
         lac_segment_append(folder->records, LAC_SEGMENT_RECORDS, &part, 1, error);
}

void
lac_run_folder_leave_out(LacRunFolder *folder, LacRunStream stream, const char *why)
{
  g_free(folder->left_out[stream]);
  folder->left_out[stream] = g_strdup(why);
}

const char *
lac_run_folder_get_left_out(const LacRunFolder *folder, LacRunStream stream)
{
  return folder->left_out[stream];
}

typedef gboolean (*StreamFunc)(LacSegmentWriter *stream, GError **error);

/* Calls @func for the streams that are suspended first on a full disk. */
static gboolean
for_each_stream(LacRunFolder *folder, StreamFunc func, GError **error)
{
  LacSegmentWriter *const streams[] = {
    [LAC_RUN_STREAM_RECORDS] = folder->records,
    [LAC_RUN_STREAM_FRAMES] = folder->frames,
  };

  for (guint i = 0; i < G_N_ELEMENTS(streams); i++) {
    g_autoptr(GError) problem = NULL;
    if (folder->left_out[i] != NULL || func(streams[i], &problem))
      continue;
    if (!g_error_matches(problem, LAC_ERROR, LAC_ERROR_DISK_FULL)) {
      g_propagate_error(error, g_steal_pointer(&problem));
      return FALSE;
    }
    lac_run_folder_leave_out(folder, (LacRunStream) i, problem->message);
  }
  return func(folder->journal, error);
}

gboolean
lac_run_folder_flush(LacRunFolder *folder, GError **error)
{
  return for_each_stream(folder, lac_segment_flush, error);
}

gboolean
lac_run_folder_sync(LacRunFolder *folder, GError **error)
{
  return for_each_stream(folder, lac_segment_sync, error);
}

gboolean
lac_run_folder_checkpoint(LacRunFolder   *folder,
                          gint64          step,
                          double          seconds,
                          const LacStore *store,
                          GError        **error)
{
  LacCheckpointEntry entry = {.step = step, .seconds = seconds, .frame_stride = folder->stride};
  g_autofree char   *path = lac_run_checkpoint_dup_path(folder->path);
  struct stat        about;

  if (!lac_run_folder_sync(folder, error))
    return FALSE;
  entry.journal_end = lac_segment_writer_get_written(folder->journal);
  entry.records_end = lac_segment_writer_get_written(folder->records);
  entry.frames_end = lac_segment_writer_get_written(folder->frames);
  if (!lac_run_checkpoint_write(folder->path, &entry, store, error))
    return FALSE;
  if (g_stat(path, &about) == 0)
    folder->checkpoint_bytes = (guint64) about.st_size;
  return TRUE;
}

gboolean
lac_run_folder_write_text(LacRunFolder *folder, const char *name, const char *text, GError **error)
{
  g_autofree char *path = g_build_filename(folder->path, name, NULL);
  g_autofree char *temporary = g_strconcat(path, ".tmp", NULL);
  gsize            length = strlen(text);
  int              fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  int              code = fd < 0 ? errno : 0;

  for (gsize done = 0; code == 0 && done < length;) {
    ssize_t n = write(fd, text + done, length - done);
    if (n > 0)
      done += (gsize) n;
    else if (n == 0 || errno != EINTR)
      code = n == 0 ? ENOSPC : errno;
  }
  if (fd >= 0 && close(fd) != 0 && code == 0)
    code = errno;
  if (code == 0 && g_rename(temporary, path) != 0)
    code = errno;
  if (code == 0)
    return TRUE;
  g_unlink(temporary);
  return lac_write_error(error, code, path, length);
}
