/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources of a run that is read back. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

/* A LacRunFile with private members. */
typedef struct {
  LacRunFile run;              /* first: the two share an address */
  char      *frames_path;      /* run.h5, or the segment file when @frame_offset is there */
  guint64   *frame_offset;     /* (nullable): [n_frames] offsets in the segment file */
  guint64    segment_bytes[3]; /* length of journal, records and frames when read */
} LacRunSource;

static inline LacRunSource *
lac_run_source(const LacRunFile *run)
{
  return (LacRunSource *) run;
}

LacRunFile *lac_run_file_new(const char *path);

/* Reads the segments of @folder. @outcome: used when the journal has none. Returns: %NULL with %LAC_ERROR_BAD_FILE
 * set. */
LacRunFile *lac_run_file_read_segments(const char *folder, const char *outcome, GError **error);
/* Reads the journal alone; the outcome is "" when it has none. */
LacRunFile *lac_run_file_read_ending(const char *folder, GError **error);
LacRunFile *lac_run_file_read_header(const char *folder, GError **error); /* the header alone */

/* Reads an assembled file. Returns: %NULL with %LAC_ERROR_BAD_FILE set. */
LacRunFile *lac_run_file_read_h5(const char *path, GError **error);

/* Return TRUE when @path, or also all of its frames, can be read without a crash: HDF5 crashes on some damaged files.
 * Tested in a separate process. */
gboolean lac_run_file_is_sound(const char *path);
gboolean lac_run_file_is_sound_throughout(const char *path);

/* Serves the reader's job "run", used by the two above and for the steps of frames. @what: s: "heads", "frames" or
 * "steps" */
gboolean lac_run_file_serve(const char *path, GVariant *what, int to);

/* Returns TRUE when @path was assembled from the current segments of @folder. */
gboolean lac_run_file_is_current(const char *path, const char *folder);

/* Writes @run as HDF5 through a temporary name. Returns: FALSE with %LAC_ERROR_DISK_FULL or %LAC_ERROR_UNWRITABLE. */
gboolean lac_run_file_write_h5(const LacRunFile *run, const char *path, GError **error);

/* Assembles segments to run.h5, for the holder of the folder's lock. */
gboolean lac_run_file_assemble(const char *folder, GError **error);

/* Reads only the frame locations, for a run whose stream of frames was replaced by run.h5. Returns: FALSE when it
 * cannot be read. */
gboolean lac_run_file_take_h5_frames(LacRunSource *source, const char *path);

/* Loads the frame in the segment at @offset of @path. Returns: (nullable): NULL when there is none. */
LacFrame *lac_run_file_load_segment(const char *path, guint64 offset);
LacFrame *lac_run_file_load_segment_frame(const LacRunSource *source, gsize i, GError **error);
LacFrame *lac_run_file_load_h5_frame(const LacRunSource *source, gsize i, GError **error);

/* Finds the last finite value of each series. */
void lac_run_file_find_last_metrics(LacRunFile *run);
/* @electrons: up and down. Returns: (transfer full) (nullable): NULL when the values are inconsistent. */
LacMolecule *lac_run_file_make_molecule(const char       *name,
                                        guint             n_nuclei,
                                        const LacNucleus *nuclei,
                                        const gint64      electrons[2]);
/* Makes the capture of @run, without records. @names, @lanes: (nullable), NULL-terminated */
void lac_run_file_make_capture(LacRunFile *run, const char *const *names, const char *const *lanes);

G_END_DECLS
