/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stream of kept frames of a run folder as a whole: cut back, made smaller, made again from run.h5, found again. Frames of
 * steps that are multiples of the stride stay, and the first. */
#pragma once

#include "field/frame.h"
#include "io/format/segment.h"
#include "io/runfile/run-file-private.h"

G_BEGIN_DECLS

#define LAC_RUN_FRAMES_BUFFER (64 * 1024) /* a frame that is larger goes straight to the file */

/* @scratch: of the head; grows once */
gboolean lac_frame_stream_append(LacSegmentWriter *stream,
                                 GByteArray       *scratch,
                                 const LacFrame   *frame,
                                 GError          **error);
gboolean
lac_frame_stream_append_decimation(LacSegmentWriter *stream, gint64 stride, GError **error);

/* Where the frames end that were kept when step @step was checkpointed with @stride. A file that is not there has none.
 * @last: (out): step of the last of them; -1: none. Returns: the offset; @stride is raised to what the stream itself says. */
guint64 lac_frame_stream_find_cut(const char *folder, gint64 step, gint64 *stride, gint64 *last);

/* Writes what stays of the stream beside it and puts that in its place; a kill leaves the one or the other.
 * Returns: (transfer full): for appending; %NULL with an error and the stream as it was. */
LacSegmentWriter *lac_frame_stream_compact(const char *folder, gint64 stride, GError **error);

/* A stream that run.h5 took the place of, up to @step, from there. Does nothing where there is one, or no run.h5; one that cannot
 * be read is renamed. */
gboolean lac_frame_stream_restore(const char *folder, gint64 step, gint64 stride, GError **error);

/* The frame of a step, wherever the folder of @source has it by now: the stream was made smaller, or run.h5 has all. */
LacFrame *lac_frame_stream_load_moved(const LacRunSource *source, gsize i, GError **error);

/* Deletes the streams that run.h5 holds whole: frames, and records too. */
gboolean lac_run_folder_drop_frames(const char *folder);
gboolean lac_run_folder_drop_records(const char *folder);

G_END_DECLS
