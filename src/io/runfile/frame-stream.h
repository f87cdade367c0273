/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stream of saved frames in a run folder: listing it, truncating it, decimating it, restoring it from run.h5. Decimation retains the first frame and those of steps that are
 * multiples of the stride. */
#pragma once

#include "field/frame.h"
#include "io/format/segment.h"
#include "io/runfile/run-file-private.h"

G_BEGIN_DECLS

#define LAC_RUN_FRAMES_BUFFER \
  (64 * 1024) /* size of the write buffer in bytes; larger frames are written directly */

/* @scratch: buffer for the header, grows once */
gboolean lac_frame_stream_append(LacSegmentWriter *stream,
                                 GByteArray       *scratch,
                                 const LacFrame   *frame,
                                 GError          **error);
gboolean
lac_frame_stream_append_decimation(LacSegmentWriter *stream, gint64 stride, GError **error);

typedef struct {
  gint64  step;
  guint64 offset; /* of the segment */
} LacFrameAt;

/* @stride: (out) (optional): left alone unless the stream was decimated; @n_bytes: (out) (optional): length of the stream.
 * Returns: (transfer full): LacFrameAt of all frames in the stream, including those to be dropped; %NULL with
 * %LAC_ERROR_BAD_FILE set. */
GArray *lac_frame_stream_list(const char *folder, gint64 *stride, guint64 *n_bytes, GError **error);

/* Finds the end of the frames saved up to the checkpoint at @step; 0 if there is no stream. @stride: (inout): raised
 * to the largest stride recorded in the stream; @last: (out): step of the last of these frames; -1: none. Returns:
 * the offset. */
guint64 lac_frame_stream_find_cut(const char *folder, gint64 step, gint64 *stride, gint64 *last);

/* Rewrites the stream without the dropped frames and replaces the file atomically. Returns: (transfer full): a writer
 * that appends to the new file; %NULL with an error and the stream unchanged. */
LacSegmentWriter *lac_frame_stream_compact(const char *folder, gint64 stride, GError **error);

/* Restores the frames up to @step from the run.h5 that replaced the stream. Does nothing when the stream exists or
 * run.h5 does not. An unreadable stream is renamed. */
gboolean lac_frame_stream_restore(const char *folder, gint64 step, gint64 stride, GError **error);

/* Delete one stream of a run folder, the frames or the records; run.h5 must hold all of its data. Return: FALSE if
 * the file could not be deleted. */
gboolean lac_run_folder_drop_frames(const char *folder);
gboolean lac_run_folder_drop_records(const char *folder);

G_END_DECLS
