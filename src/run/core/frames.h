/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames of a run: a pool that is reused, a mailbox in which the newest wins, which steps are saved, and the frame that is filled
 * beside the computation. */
#pragma once

#include "field/frame.h"

#include <glib.h>

G_BEGIN_DECLS

/* A frame that the experiment fills beside the computation. */
typedef struct {
  LacFrame *frame; /* NULL: none */
  gboolean  kept, has_metrics;
  gboolean  is_filled; /* at once, after all */
  gint64    spent_ns;  /* of the compute thread */
} LacFrameInFlight;

typedef struct {
  GPtrArray
    *pool; /* compute thread: every frame made so far; one is free while only the pool holds it */
  gsize (*sizes)[2]; /* [n_planes] */
  gsize     n_planes, n_markers, n_metrics;
  guint64   published; /* compute thread: also the sequence of the last one */
  LacFrame *mailbox;   /* atomic, (nullable): owns a reference */
  gint      wanted;    /* atomic: the viewer took the last one and asks for another */

  gint64  earliest_ns; /* for the viewer: not before */
  gint64  stride;      /* of kept steps, a power of two */
  guint64 budget, frame_bytes, kept_bytes;
  gint64  last_kept; /* step; -1: none */

  LacFrameInFlight in_flight; /* compute thread */
} LacRunFrames;

/* Of a zeroed struct, into which the viewer may be looking already. */
void lac_run_frames_init(LacRunFrames *frames,
                         const gsize (*sizes)[2],
                         gsize n_planes,
                         gsize n_markers,
                         gsize n_metrics);
/* @n_steps: planned. The stride starts where so many steps give at most @most frames (0: 256) within @budget_bytes. */
void lac_run_frames_plan(LacRunFrames *frames,
                         gint64        n_steps,
                         guint         most,
                         guint64       budget_bytes,
                         gint64        stride);
void lac_run_frames_clear(LacRunFrames *frames); /* a zeroed one too */
/* Returns whether the set-up has come as far as the frames. */
gboolean lac_run_frames_is_ready(const LacRunFrames *frames);

/* Compute thread. Returns: (transfer none): a frame nobody looks at, to be filled. */
LacFrame *lac_run_frames_get_free(LacRunFrames *frames);
/* Stamps the sequence and replaces whatever lies in the mailbox. */
void lac_run_frames_publish(LacRunFrames *frames, LacFrame *frame);
/* Whether the viewer waits for one, and the pace allows it. */
gboolean lac_run_frames_is_wanted(LacRunFrames *frames, gint64 now_ns);
/* After making one took @spent_ns: frames for the eye take at most a tenth of the time. */
void lac_run_frames_pace(LacRunFrames *frames, gint64 now_ns, gint64 spent_ns);

gboolean lac_run_frames_is_kept(const LacRunFrames *frames, gint64 step);
/* Counts a kept frame. Returns: TRUE when the budget is now used up and the stride was doubled. */
gboolean lac_run_frames_note_kept(LacRunFrames *frames, gint64 step);

/* Viewer. Returns: (transfer full) (nullable). Asks for the next. */
LacFrame *lac_run_frames_take(LacRunFrames *frames);

G_END_DECLS
