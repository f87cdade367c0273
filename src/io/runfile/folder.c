/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creating, reopening and ending a run folder. */
#include "io/runfile/folder.h"

#include "base/clock.h"
#include "base/error.h"
#include "io/format/write-error.h"
#include "io/runfile/checkpoint.h"
#include "io/runfile/folder-private.h"
#include "io/runfile/frame-stream.h"
#include "io/runfile/header.h"
#include "io/runfile/place.h"
#include "io/runfile/run-file-private.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define LOCK_TRIES    25
#define LOCK_PAUSE_US 20000

#define JOURNAL_BUFFER (64 * 1024)
#define RECORDS_BUFFER (128 * 1024) /* fits into the CPU cache */

static char *
make_folder(const char *parent, const char *experiment, GDateTime *now, GError **error)
{
  g_autofree char *stamp = g_date_time_format(now, "%Y%m%d-%H%M%S");

  if (g_mkdir_with_parents(parent, 0777) != 0) {
    lac_write_error(error, errno, parent, 0);
    return NULL;
  }
  for (;;) {
    g_autofree char *name = g_strdup_printf("%s-%s-%04x" LAC_RUN_FOLDER_SUFFIX, experiment, stamp,
                                            g_random_int() & 0xffff);
    g_autofree char *path = g_build_filename(parent, name, NULL);

    if (g_mkdir(path, 0777) == 0)
      return g_steal_pointer(&path);
    if (errno != EEXIST) {
      lac_write_error(error, errno, path, 0);
      return NULL;
    }
  }
}

static LacSegmentWriter *
open_segment(const LacRunFolder *folder,
             const char         *name,
             guint64             offset,
             gsize               buffer,
             GError            **error)
{
  g_autofree char *path = g_build_filename(folder->path, name, NULL);
  struct stat      about;

  if (offset > 0 && (g_stat(path, &about) != 0 || (guint64) about.st_size < offset)) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_BAD_FILE,
      "%s is shorter than its checkpoint says: the folder was changed; delete its checkpoint to "
      "resume from step 0",
      path);
    return NULL;
  }
  return lac_segment_writer_new(path, offset, buffer, error);
}

static gboolean
open_segments(LacRunFolder *folder, const LacCheckpointEntry *at, GError **error)
{
  folder->journal = open_segment(folder, LAC_RUN_JOURNAL, at->journal_end, JOURNAL_BUFFER, error);
  if (folder->journal == NULL)
    return FALSE;
  folder->records = open_segment(folder, LAC_RUN_RECORDS, at->records_end, RECORDS_BUFFER, error);
  if (folder->records == NULL)
    return FALSE;
  folder->frames =
    open_segment(folder, LAC_RUN_FRAMES, at->frames_end, LAC_RUN_FRAMES_BUFFER, error);
  folder->session = (LacRunSession){at->journal_end, at->records_end};
  return folder->frames != NULL &&
         lac_segment_append(folder->records, LAC_SEGMENT_SESSION, NULL, 0, error);
}

static LacRunFolder *
folder_new(const char *path, int lock)
{
  LacRunFolder *folder = g_new0(LacRunFolder, 1);

  folder->path = g_strdup(path);
  folder->lock = lock;
  folder->stride = 1;
  folder->last_frame = -1;
  folder->scratch = g_byte_array_new();
  return folder;
}

static gboolean
append_header(LacSegmentWriter   *journal,
              const LacRunHeader *header,
              const char         *started,
              GError            **error)
{
  g_autofree char *json = lac_run_header_dup_json(header, started);
  struct iovec     part = {json, strlen(json) + 1};

  return lac_segment_append(journal, LAC_SEGMENT_HEADER, &part, 1, error);
}

LacRunFolder *
lac_run_folder_create(const char *parent, const LacRunHeader *header, GError **error)
{
  g_autoptr(GDateTime) now = g_date_time_new_now_local();
  g_autofree char     *path = make_folder(parent, header->experiment, now, error);
  gboolean             busy;

  if (path == NULL)
    return NULL;
  g_autoptr(LacRunFolder) folder = folder_new(path, lac_run_place_lock(path, &busy));
  LacCheckpointEntry      start = {0};
  folder->n_metrics = header->n_metrics;
  if (!open_segments(folder, &start, error))
    return NULL;

  folder->started = g_date_time_format_iso8601(now);
  if (!append_header(folder->journal, header, folder->started, error) ||
      !lac_segment_sync(folder->journal, error))
    return NULL;
  return g_steal_pointer(&folder);
}

gboolean
lac_run_folder_describe_again(LacRunFolder *folder, const LacRunHeader *header, GError **error)
{
  g_autofree char  *path = g_build_filename(folder->path, LAC_RUN_JOURNAL, NULL);
  g_autofree char  *draft = g_strconcat(path, ".new", NULL);
  LacSegmentWriter *journal;

  g_return_val_if_fail(folder->started != NULL, FALSE);
  journal = lac_segment_writer_new(draft, 0, JOURNAL_BUFFER, error);
  if (journal == NULL)
    return FALSE;
  if (!append_header(journal, header, folder->started, error) ||
      !lac_segment_writer_rename(journal, path, error)) {
    lac_segment_writer_free(journal);
    g_unlink(draft);
    return FALSE;
  }
  lac_segment_writer_free(folder->journal);
  folder->journal = journal;
  return TRUE;
}

/* Finds the end of the header, from which a run without a checkpoint restarts. */
static gboolean
find_header_end(const char *path, guint64 *end, GError **error)
{
  g_autofree char            *journal = g_build_filename(path, LAC_RUN_JOURNAL, NULL);
  g_autoptr(LacSegmentReader) reader = lac_segment_reader_new(journal, error);
  LacSegment                  segment;

  if (reader == NULL)
    return FALSE;
  if (!lac_segment_reader_next(reader, &segment) || segment.type != LAC_SEGMENT_HEADER) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s: the journal does not begin with the description of a run", path);
    return FALSE;
  }
  *end = lac_segment_reader_get_end(reader);
  return TRUE;
}

/* Locks a folder. A process that was killed while it started another has left the lock to that one, which drops it as soon as
 * it executes its own program. */
static int
lock_again(const char *place, gboolean *busy)
{
  int lock = lac_run_place_lock(place, busy);

  for (guint i = 0; *busy && i < LOCK_TRIES; i++) {
    g_usleep(LOCK_PAUSE_US);
    lock = lac_run_place_lock(place, busy);
  }
  return lock;
}

LacRunFolder *
lac_run_folder_reopen(const char *path,
                      LacStore  **store,
                      gint64     *step,
                      double     *seconds,
                      GError    **error)
{
  g_autofree char *place = lac_run_place_dup_folder(path, error);
  gboolean         busy;

  if (place == NULL)
    return NULL;
  int lock = lock_again(place, &busy);
  if (busy) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE,
                "%s is being written by another process: stop that run first", place);
    return NULL;
  }
  g_autoptr(LacRunFolder) folder = folder_new(place, lock);
  g_autoptr(LacRunFile)   header = lac_run_file_read_header(place, error);
  g_autoptr(LacStore)     kept = NULL;
  LacCheckpointEntry      at;
  guint64                 header_end;
  if (header == NULL || !find_header_end(place, &header_end, error) ||
      !lac_run_checkpoint_read(place, &at, &kept, error))
    return NULL;
  at.journal_end = MAX(at.journal_end, header_end);
  folder->n_metrics = header->n_metrics;
  folder->stride = MAX(at.frame_stride, 1);
  if (at.version == 0)
    at.step = -1; /* no checkpoint */
  if (!lac_frame_stream_restore(place, at.step, folder->stride, error))
    return NULL;
  /* the stream may have been decimated or restored since the checkpoint */
  at.frames_end = lac_frame_stream_find_cut(place, at.step, &folder->stride, &folder->last_frame);
  at.step = MAX(at.step, 0);
  if (!open_segments(folder, &at, error))
    return NULL;
  *store = g_steal_pointer(&kept);
  *step = at.step;
  *seconds = at.seconds;
  return g_steal_pointer(&folder);
}

void
lac_run_folder_close(LacRunFolder *folder)
{
  if (folder == NULL)
    return;
  lac_segment_writer_free(folder->journal);
  lac_segment_writer_free(folder->records);
  lac_segment_writer_free(folder->frames);
  lac_run_place_unlock(folder->lock);
  for (guint i = 0; i < LAC_N_RUN_STREAMS; i++)
    g_free(folder->left_out[i]);
  g_byte_array_unref(folder->scratch);
  g_free(folder->path);
  g_free(folder->started);
  g_free(folder);
}

/* Deletes streams that run.h5 holds, except those needed to resume: the checkpoint refers to offsets in the records,
 * whereas frames can be restored from run.h5. */
static void
drop_streams(const LacRunFolder *folder, const LacRunEnd *end)
{
  g_autofree char *h5 = g_build_filename(folder->path, LAC_RUN_H5, NULL);
  const gboolean   is_complete =
    g_str_equal(end->outcome, "finished") || g_str_equal(end->outcome, "diverged");

  if (!lac_run_file_is_sound(h5) || !lac_run_file_is_current(h5, folder->path))
    return;
  lac_run_folder_drop_frames(folder->path);
  if (is_complete && !end->records_are_read)
    lac_run_folder_drop_records(folder->path);
}

gboolean
lac_run_folder_finish(LacRunFolder *folder, const LacRunEnd *end, GError **error)
{
  LacAssembly  assembly = {.pool = end->pool, .begin_ns = lac_clock_ns()};
  LacEndEntry  entry = {end->steps, end->seconds, end->setup_seconds};
  const char  *detail = end->detail != NULL ? end->detail : "";
  struct iovec parts[] = {
    {&entry, sizeof entry},
    {(gpointer) end->outcome, strlen(end->outcome) + 1},
    {(gpointer) detail, strlen(detail) + 1},
  };

  if (!lac_segment_append(folder->journal, LAC_SEGMENT_END, parts, G_N_ELEMENTS(parts), error) ||
      !lac_run_folder_sync(folder, error) || !lac_run_file_assemble(folder->path, &assembly, error))
    return FALSE;
  if (end->assembly_seconds != NULL)
    *end->assembly_seconds = assembly.seconds;
  drop_streams(folder, end);
  return TRUE;
}

const char *
lac_run_folder_get_path(const LacRunFolder *folder)
{
  return folder->path;
}

guint64
lac_run_folder_get_free_bytes(const LacRunFolder *folder)
{
  return lac_free_bytes(folder->path);
}

LacRunFolderBytes
lac_run_folder_get_parts(const LacRunFolder *folder)
{
  const guint64 records = lac_segment_writer_get_offset(folder->records);

  return (LacRunFolderBytes){
    .journal = lac_segment_writer_get_offset(folder->journal),
    .records = records,
    .frames = lac_segment_writer_get_offset(folder->frames),
    .checkpoint = folder->checkpoint_bytes,
    .records_waiting = records - lac_segment_writer_get_written(folder->records),
  };
}

guint64
lac_run_folder_get_bytes(const LacRunFolder *folder)
{
  const LacRunFolderBytes parts = lac_run_folder_get_parts(folder);

  return parts.journal + parts.records + parts.frames + parts.checkpoint;
}
