/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run folder while it is written: NAME-YYYYMMDD-HHMMSS-xxxx.lacuna/ with
 *   journal, records, frames   append-only segments (io/format/segment.h), each with length and CRC-32C
 *   checkpoint                 written to a temporary name, synced, renamed
 *   sensors.csv                what the sensors said (io/input/measurements-csv.h), where there are sensors
 *   exposures.h5               what the detector saw (io/input/exposures-h5.h), where there is one
 *   notes.json                 what a person says of it (io/runfile/notes.h), where somebody did
 *   wisdom-f64, wisdom-f32     the FFT plans in use
 *   run.h5                     assembled when the run stops, is resumed or is first opened (io/runfile/run-file.h); the frames are
 *                              not kept beside it then, nor the records of a run that cannot be resumed
 * One writer, the compute thread of run/. A kill at any moment leaves the last checkpoint readable. */
#pragma once

#include "base/param.h"
#include "field/frame.h"
#include "field/molecule.h"
#include "field/store.h"
#include "perf/recorder/perf.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacRunFolder LacRunFolder;

/* What is known before the first step: kept in the journal's first entry. Strings are borrowed during the call. */
typedef struct {
  const char          *experiment;
  const char          *title;
  const char          *caution; /* (nullable): what the experiment cannot tell */
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

/* Writes @header in place of the one before, where nothing has been appended to the journal yet. Whoever reads the folder sees the one or
 * the other. */
gboolean
lac_run_folder_describe_again(LacRunFolder *folder, const LacRunHeader *header, GError **error);

/**
 * lac_run_folder_reopen:
 * @path: a run folder or a file in it
 * @store: (out): the last whole checkpoint; empty when there was none
 * @step: (out): its step, 0 when there was none
 *
 * For resuming: journal, records and frames are cut back to the checkpoint (a torn last segment is dropped). Frames that only
 * run.h5 holds are made a stream again.
 * Returns: %NULL with %LAC_ERROR_BAD_FILE set, or %LAC_ERROR_UNWRITABLE when another process writes the folder.
 */
LacRunFolder *lac_run_folder_reopen(const char *path,
                                    LacStore  **store,
                                    gint64     *step,
                                    double     *seconds,
                                    GError    **error);

/* Hands what is buffered to the system, so that it survives the process. Called by run/ at least each second. */
gboolean lac_run_folder_flush(LacRunFolder *folder, GError **error);

void        lac_run_folder_close(LacRunFolder *folder);
const char *lac_run_folder_get_path(const LacRunFolder *folder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRunFolder, lac_run_folder_close)

/* The entries below append; each returns FALSE with %LAC_ERROR_DISK_FULL or %LAC_ERROR_UNWRITABLE and leaves what is there intact. */
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
/* From now on only frames of steps that are multiples of @stride are kept, earlier ones too; the last one always. */
gboolean lac_run_folder_decimate(LacRunFolder *folder, gint64 stride, GError **error);
gint64   lac_run_folder_get_stride(const LacRunFolder *folder);   /* 1 before the first thinning */
gint64 lac_run_folder_get_last_frame(const LacRunFolder *folder); /* step, as reopened; -1: none */
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

/* Small texts beside the segments (the FFT wisdom), written atomically. */
gboolean
lac_run_folder_write_text(LacRunFolder *folder, const char *name, const char *text, GError **error);

/* How it ended; then assembles run.h5. */
typedef struct {
  const char *outcome; /* finished, stopped, diverged, failed */
  const char *detail;  /* (nullable) */
  gint64      steps;
  double      seconds, setup_seconds;
  gboolean    records_are_read; /* the stream of records is still read back (io/runfile/replay.h) */
} LacRunEnd;
/* Returns: FALSE with an error where the end could not be written, or run.h5 not assembled; its segments are whole then. */
gboolean lac_run_folder_finish(LacRunFolder *folder, const LacRunEnd *end, GError **error);

/* What the header said, for resuming. */
typedef struct {
  char   *folder, *experiment, *backend, *precision;
  char   *outcome; /* how the run ended; NULL when it was interrupted or is still going */
  guint64 seed;
  guint   threads;
  GStrv   settings; /* key, text, key, text ..., NULL */
} LacRunOrigin;
LacRunOrigin *lac_run_origin_read(const char *path,
                                  GError    **error); /* a run folder or a file in it */
void          lac_run_origin_free(LacRunOrigin *origin);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRunOrigin, lac_run_origin_free)

/* Bytes free for this user where the folder lies, and bytes the folder holds. */
guint64 lac_run_folder_get_free_bytes(const LacRunFolder *folder);
guint64 lac_run_folder_get_bytes(const LacRunFolder *folder);

/* What a run can do without. */
typedef enum { LAC_RUN_STREAM_RECORDS, LAC_RUN_STREAM_FRAMES, LAC_N_RUN_STREAMS } LacRunStream;
/* A stream that the disk has no room for: what waits for it waits on, and flushing and checkpoints do without it; they find out
 * themselves. @why: (nullable): a sentence; NULL: it is written again */
void lac_run_folder_leave_out(LacRunFolder *folder, LacRunStream stream, const char *why);
/* Returns: (nullable): why it is left out; NULL where it is not. */
const char *lac_run_folder_get_left_out(const LacRunFolder *folder, LacRunStream stream);

typedef struct {
  guint64 journal, records, frames, checkpoint;
  guint64 records_waiting; /* of the records: not yet with the system */
} LacRunFolderBytes;
LacRunFolderBytes lac_run_folder_get_parts(const LacRunFolder *folder);

G_END_DECLS
