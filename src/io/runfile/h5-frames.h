/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames of a run.h5, read one at a time: loading a frame reads that frame only. The file stays open between loads, up
 * to a limit for the whole process. Any thread. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

typedef struct _LacH5Frames LacH5Frames;

/* Opens nothing yet. @path: a file that is safe to read (lac_run_file_is_sound()) */
LacH5Frames *lac_h5_frames_new(const char *path);
void         lac_h5_frames_free(LacH5Frames *frames);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacH5Frames, lac_h5_frames_free)

/* Loads the frame of step run->frame_step[i], with the channels and metrics of @run. If the file has been replaced, the
 * frame is read from the new one. Returns: (transfer full): the frame; %NULL with %LAC_ERROR_BAD_FILE set. */
LacFrame *lac_h5_frames_load(LacH5Frames *frames, const LacRunFile *run, gsize i, GError **error);

G_END_DECLS
