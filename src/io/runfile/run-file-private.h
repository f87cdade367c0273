/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources of a run that is read back. */
#pragma once

#include "base/pool.h"
#include "io/runfile/h5-frames.h"
#include "io/runfile/run-file.h"
#include "io/runfile/segment-frames.h"

G_BEGIN_DECLS

/* A LacRunFile followed by private members. */
typedef struct {
  LacRunFile        run;            /* first: shares the struct's address */
  LacSegmentFrames *segment_frames; /* (nullable): frames of a run in segments */
  LacH5Frames      *h5_frames;      /* (nullable): frames of an assembled run */
  guint64 segment_bytes[3];         /* lengths of journal, records and frames when they were read */
} LacRunSource;

static inline LacRunSource *
lac_run_source(const LacRunFile *run)
{
  return (LacRunSource *) run;
}

LacRunFile *lac_run_file_new(const char *path);

/* Reads the segments of @folder. @outcome: used when the journal has no outcome. Returns: %NULL with
 * %LAC_ERROR_BAD_FILE set. */
LacRunFile *lac_run_file_read_segments(const char *folder, const char *outcome, GError **error);
/* Reads only the journal; the outcome is "" when the journal has none. */
LacRunFile *lac_run_file_read_ending(const char *folder, GError **error);
LacRunFile *lac_run_file_read_header(const char *folder,
                                     GError    **error); /* reads only the header */

/* Reads an assembled file. Returns: %NULL with %LAC_ERROR_BAD_FILE set. */
LacRunFile *lac_run_file_read_h5(const char *path, GError **error);

/* Return TRUE when @path can be read without a crash; the second function also reads all of its frames. HDF5 crashes
 * on some damaged files, so this is tested in a separate process. */
gboolean lac_run_file_is_sound(const char *path);
gboolean lac_run_file_is_sound_throughout(const char *path);

/* Serves the job "run" in the reader process, which tests @path for the two functions above and before the steps of
 * frames are read. @what: (s): "heads", "frames" or "steps" */
gboolean lac_run_file_serve(const char *path, GVariant *what, int to);

/* Returns TRUE when @path was assembled from the current segments of @folder. */
gboolean lac_run_file_is_current(const char *path, const char *folder);

/* An assembly that ends a run. */
typedef struct {
  LacPool *pool;     /* (nullable): threads that compress the frames; NULL: this one alone */
  gint64   begin_ns; /* lac_clock_ns() at the end of the run */
  double   seconds;  /* (out): as in the file; most of it, without its last parts */
} LacAssembly;

/* Writes @run as HDF5, to a temporary file that is then renamed. @assembly: (nullable): NULL: the run ended before.
 * Returns: FALSE with %LAC_ERROR_DISK_FULL or
 * %LAC_ERROR_UNWRITABLE. */
gboolean lac_run_file_write_h5(const LacRunFile *run,
                               const char       *path,
                               LacAssembly      *assembly,
                               GError          **error);

/* Assembles run.h5 from the segments. The caller holds the folder's lock. */
gboolean lac_run_file_assemble(const char *folder, LacAssembly *assembly, GError **error);

/* Reads only the steps and locations of frames, for a run whose stream of frames was replaced by run.h5. Returns:
 * FALSE when @path cannot be read. */
gboolean lac_run_file_take_h5_frames(LacRunSource *source, const char *path);

/* Finds the last finite value of each metric. */
void lac_run_file_find_last_metrics(LacRunFile *run);
/* @electrons: numbers of spin-up and spin-down electrons. Returns: (transfer full) (nullable): the molecule; NULL
 * when the values are inconsistent. */
LacMolecule *lac_run_file_make_molecule(const char       *name,
                                        guint             n_nuclei,
                                        const LacNucleus *nuclei,
                                        const gint64      electrons[2]);
/* Makes the capture of @run, without records. @names, @lanes: (nullable), NULL-terminated */
void lac_run_file_make_capture(LacRunFile *run, const char *const *names, const char *const *lanes);

G_END_DECLS
