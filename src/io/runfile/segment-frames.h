/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames of a run folder whose frames were in segments when it was opened, read one at a time by their offsets. The
 * run may go on: frames are found again after its stream has been decimated or replaced by run.h5. Any thread. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

typedef struct _LacSegmentFrames LacSegmentFrames;

/* @offsets: (transfer full): offsets in the stream, one per frame of the run */
LacSegmentFrames *lac_segment_frames_new(const char *folder, guint64 *offsets);
void              lac_segment_frames_free(LacSegmentFrames *frames);

/* Loads the frame of step run->frame_step[i]. Returns: (transfer full): the frame; %NULL with %LAC_ERROR_BAD_FILE
 * set. */
LacFrame *
lac_segment_frames_load(LacSegmentFrames *frames, const LacRunFile *run, gsize i, GError **error);

G_END_DECLS
