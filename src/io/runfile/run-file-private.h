/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the parts of a run that is read back come from. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

/* A LacRunFile with what only this room needs. */
typedef struct {
  LacRunFile run;              /* first: the two share an address */
  char      *frames_path;      /* run.h5, or the segment file when @frame_offset is there */
  guint64   *frame_offset;     /* (nullable): [n_frames] of the segments */
  guint64    segment_bytes[3]; /* length of journal, records and frames when they were read */
} LacRunSource;

static inline LacRunSource *
lac_run_source(const LacRunFile *run)
{
  return (LacRunSource *) run;
}

LacRunFile *lac_run_file_new(const char *path);

/* From the segments of @folder. @outcome: when the journal does not say how it ended.
 * Returns: %NULL with %LAC_ERROR_BAD_FILE set. */
LacRunFile *lac_run_file_read_segments(const char *folder, const char *outcome, GError **error);
/* The journal alone; how it ended, "" where it does not say. */
LacRunFile *lac_run_file_read_ending(const char *folder, GError **error);
LacRunFile *lac_run_file_read_header(const char *folder,
                                     GError    **error); /* only what the header says */

/* From an assembled file. Returns: %NULL with %LAC_ERROR_BAD_FILE set. */
LacRunFile *lac_run_file_read_h5(const char *path, GError **error);

/* Whether reading @path, or also all of its frames, ends well: HDF5 crashes on some damaged files. It is tried in a process of
 * its own. */
gboolean lac_run_file_is_sound(const char *path);
gboolean lac_run_file_is_sound_throughout(const char *path);

/* The job "run" of the reader, which those two and the steps of frames are tried by. @what: s: "heads", "frames" or "steps" */
gboolean lac_run_file_serve(const char *path, GVariant *what, int to);

/* Whether @path was assembled from the segments of @folder as they are now. */
gboolean lac_run_file_is_current(const char *path, const char *folder);

/* Writes @run as HDF5 through a temporary name. Returns: FALSE with %LAC_ERROR_DISK_FULL or %LAC_ERROR_UNWRITABLE. */
gboolean lac_run_file_write_h5(const LacRunFile *run, const char *path, GError **error);

/* Segments to run.h5, for the holder of the folder's lock. */
gboolean lac_run_file_assemble(const char *folder, GError **error);

/* Only where its frames are, of a run whose stream of frames run.h5 took the place of. Returns: FALSE where it cannot be read. */
gboolean lac_run_file_take_h5_frames(LacRunSource *source, const char *path);

/* The frame in the segment at @offset of @path. Returns: (nullable): NULL where there is none. */
LacFrame *lac_run_file_load_segment(const char *path, guint64 offset);
LacFrame *lac_run_file_load_segment_frame(const LacRunSource *source, gsize i, GError **error);
LacFrame *lac_run_file_load_h5_frame(const LacRunSource *source, gsize i, GError **error);

/* The series' last finite values. */
void lac_run_file_find_last_metrics(LacRunFile *run);
/* @electrons: up and down. Returns: (transfer full) (nullable): NULL where it makes no sense. */
LacMolecule *lac_run_file_make_molecule(const char       *name,
                                        guint             n_nuclei,
                                        const LacNucleus *nuclei,
                                        const gint64      electrons[2]);
/* The capture of @run, without records. @names, @lanes: (nullable), NULL-terminated */
void lac_run_file_make_capture(LacRunFile *run, const char *const *names, const char *const *lanes);

G_END_DECLS
