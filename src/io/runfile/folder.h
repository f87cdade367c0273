/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run folder while it is being written: NAME-YYYYMMDD-HHMMSS-xxxx.lacuna/ with
 *   journal, records, frames   append-only segments (io/format/segment.h), each with length and CRC-32C
 *   checkpoint                 written to a temporary name, synced, renamed
 *   sensors.csv                measurements (io/input/measurements-csv.h), if there are sensors
 *   exposures.h5               exposures (io/input/exposures-h5.h), if there is a detector
 *   pattern.csv                scan pattern of these exposures
 *   equation.yaml              the equation that the user wrote (run/plan/equation.h), if it is one
 *   notes.json                 the user's notes (io/runfile/notes.h), if any
 *   wisdom-f64, wisdom-f32     the FFT plans in use
 *   run.h5                     assembled when the run stops, is resumed or is first opened (io/runfile/run-file.h); frames
 *                              is then deleted, and so are the records of a run that cannot be resumed
 * Single writer: the compute thread of run/. The last checkpoint stays readable if the process is killed at any
 * moment. */
#pragma once

#include "base/param.h"
#include "base/pool.h"
#include "field/frame.h"
#include "field/molecule.h"
#include "field/store.h"
#include "perf/recorder/perf.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacRunFolder LacRunFolder;

/* Data known before the first step, stored in the journal's first entry. Strings are borrowed during the call. */
typedef struct {
  const char          *experiment;
  const char          *title;
  const char          *caution; /* (nullable): limits of what the experiment can show */
  const LacParamTable *params;
  const LacDraft      *draft;
  const LacChannel    *channels;
  gsize                n_channels;
  const LacMetric     *metrics;
  gsize                n_metrics;
  const LacMolecule   *molecule; /* (nullable) */
  guint64              seed;
  const char          *backend, *precision;
  guint                threads;
  const char *const *
    provenance; /* key, value, key, value ..., NULL: version, compiler, host, libraries, input hashes */
} LacRunHeader;

/**
 * lac_run_folder_create:
 * @parent: created when missing
 *
 * Returns: %NULL with %LAC_ERROR_UNWRITABLE or %LAC_ERROR_DISK_FULL set.
 */
LacRunFolder *lac_run_folder_create(const char *parent, const LacRunHeader *header, GError **error);

/* Replaces the header atomically. Must be called before anything else is appended to the journal. */
gboolean
lac_run_folder_describe_again(LacRunFolder *folder, const LacRunHeader *header, GError **error);

/**
 * lac_run_folder_reopen:
 * @path: a run folder or a file in it
 * @store: (out): the last complete checkpoint; empty when there is none
 * @step: (out): its step; 0 when there is none
 *
 * Reopens a run to resume it: journal, records and frames are truncated to the checkpoint, and a torn last segment is
 * dropped. Frames that only run.h5 holds are restored to a stream.
 *
 * Returns: %NULL with %LAC_ERROR_BAD_FILE set, or %LAC_ERROR_UNWRITABLE when another process writes the folder.
 */
LacRunFolder *lac_run_folder_reopen(const char *path,
                                    LacStore  **store,
                                    gint64     *step,
                                    double     *seconds,
                                    GError    **error);

/* Writes all buffers to the operating system, so that their data survive a crash of the process. Called by run/ at
 * least once a second. */
gboolean lac_run_folder_flush(LacRunFolder *folder, GError **error);

void        lac_run_folder_close(LacRunFolder *folder);
const char *lac_run_folder_get_path(const LacRunFolder *folder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRunFolder, lac_run_folder_close)

/* The functions below append; on failure, each returns FALSE with %LAC_ERROR_DISK_FULL or %LAC_ERROR_UNWRITABLE and
 * leaves existing data intact. */
gboolean lac_run_folder_metrics(LacRunFolder *folder,
                                gint64        step,
                                double        seconds,
                                const double *metrics,
                                GError      **error);
gboolean lac_run_folder_event(LacRunFolder *folder,
                              gint64        step,
                              double        seconds,
                              const char   *what,
                              const char   *detail,
                              GError      **error);
gboolean lac_run_folder_frame(LacRunFolder *folder, const LacFrame *frame, GError **error);
/* Decimates the frames: only the first frame, those of steps that are multiples of @stride, and the last frame are
 * saved; earlier frames are dropped accordingly. */
gboolean lac_run_folder_decimate(LacRunFolder *folder, gint64 stride, GError **error);
gint64   lac_run_folder_get_stride(const LacRunFolder *folder); /* 1 before the first decimation */
gint64   lac_run_folder_get_last_frame(
    const LacRunFolder *folder); /* step of the last frame when the folder was reopened; -1: none */
gboolean lac_run_folder_records(LacRunFolder    *folder,
                                LacPerf         *perf,
                                const LacRecord *records,
                                gsize            n,
                                GError         **error);
gboolean lac_run_folder_checkpoint(LacRunFolder   *folder,
                                   gint64          step,
                                   double          seconds,
                                   const LacStore *store,
                                   GError        **error);

/* Writes a small text file (the FFT wisdom) atomically. */
gboolean
lac_run_folder_write_text(LacRunFolder *folder, const char *name, const char *text, GError **error);

/* End of a run, for lac_run_folder_finish(). */
typedef struct {
  const char *outcome; /* finished, stopped, diverged, failed */
  const char *detail;  /* (nullable) */
  gint64      steps;
  double      seconds, setup_seconds;
  double        *
    assembly_seconds; /* (out) (nullable): the time that run.h5 took, for lac_run_file_make_assembly() */
  LacPool *pool; /* (nullable): its threads compress the frames; NULL: the calling one */
  gboolean records_are_read; /* the record stream is still being read back (io/runfile/replay.h) */
} LacRunEnd;
/* Records how the run ended, then assembles run.h5. Returns: FALSE with an error when the end could not be written or
 * run.h5 could not be assembled; the segments are complete in either case. */
gboolean lac_run_folder_finish(LacRunFolder *folder, const LacRunEnd *end, GError **error);

/* Journal data needed to resume a run. */
typedef struct {
  char *folder, *experiment, *backend, *precision;
  char
    *outcome; /* (nullable): how the run ended; NULL when it was interrupted or is still running */
  guint64 seed;
  guint   threads;
  GStrv   settings; /* key, text, key, text ..., NULL */
} LacRunOrigin;
LacRunOrigin *lac_run_origin_read(const char *path,
                                  GError    **error); /* @path: a run folder or a file in it */
void          lac_run_origin_free(LacRunOrigin *origin);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRunOrigin, lac_run_origin_free)

/* Return the number of bytes free for this user in the folder's file system, and the size of the folder in bytes. */
guint64 lac_run_folder_get_free_bytes(const LacRunFolder *folder);
guint64 lac_run_folder_get_bytes(const LacRunFolder *folder);

/* Streams that can be suspended. */
typedef enum { LAC_RUN_STREAM_RECORDS, LAC_RUN_STREAM_FRAMES, LAC_N_RUN_STREAMS } LacRunStream;
/* Suspends a stream because the disk is full: its buffered data stay in memory, and flushes and checkpoints skip it. A
 * flush or checkpoint that finds the disk full suspends streams too. @why: (nullable): a sentence; NULL: resumes
 * writing */
void lac_run_folder_leave_out(LacRunFolder *folder, LacRunStream stream, const char *why);
/* Returns: (nullable): why the stream is suspended; NULL when it is not. */
const char *lac_run_folder_get_left_out(const LacRunFolder *folder, LacRunStream stream);

typedef struct {
  guint64 journal, records, frames, checkpoint;
  guint64 records_waiting; /* bytes of records still buffered */
} LacRunFolderBytes;
LacRunFolderBytes lac_run_folder_get_parts(const LacRunFolder *folder);

G_END_DECLS
