/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames of a run: a pool of reusable frames, a mailbox that holds only the newest, the interval of saved steps, and
 * the frame that is filled asynchronously. */
#pragma once

#include "base/pending.h"
#include "field/frame.h"

#include <glib.h>

G_BEGIN_DECLS

/* A frame that the experiment fills asynchronously. */
typedef struct {
  LacFrame  *frame; /* (nullable): NULL: no frame is in flight */
  LacPending pending;
  gboolean   kept, has_metrics, is_measured;
  gint64     spent_ns; /* time spent by the compute thread */
} LacFrameInFlight;

typedef struct {
  GPtrArray *
    pool; /* compute thread: all frames made so far; a frame is free when only the pool holds a reference */
  gsize (*sizes)[2]; /* [n_planes] */
  gsize     n_planes, n_markers, n_metrics;
  guint64   published; /* compute thread: number of frames published; newest sequence */
  LacFrame *mailbox;   /* atomic, (nullable): owns a reference */
  gint      wanted;    /* atomic: the viewer took the last frame and requests another */

  gint64  earliest_ns; /* earliest time of the next frame for the viewer */
  gint64  stride;      /* step interval of saved frames, a power of two */
  guint64 budget, frame_bytes, kept_bytes;
  gint64  last_kept; /* step of the last saved frame; -1: none */

  LacFrameInFlight in_flight; /* compute thread */
} LacRunFrames;

/* Initialises a zeroed struct, which the viewer may already be reading. */
void lac_run_frames_init(LacRunFrames *frames,
                         const gsize (*sizes)[2],
                         gsize n_planes,
                         gsize n_markers,
                         gsize n_metrics);
/* @n_steps: planned. @step_seconds: estimated time of a step, the same on any machine; 0: unknown. @stride: minimum.
 * Doubles the initial stride until at most @most frames are saved, within @budget_bytes. 0: 24 to 256, as many as take a
 * small share of the computation or little space. */
void lac_run_frames_plan(LacRunFrames *frames,
                         gint64        n_steps,
                         double        step_seconds,
                         guint         most,
                         guint64       budget_bytes,
                         gint64        stride);
void lac_run_frames_clear(LacRunFrames *frames); /* accepts a zeroed struct */
/* Returns TRUE once the set-up has initialised the frames. */
gboolean lac_run_frames_is_ready(const LacRunFrames *frames);

/* Compute thread. Returns: (transfer none): a frame without other references, to be filled. */
LacFrame *lac_run_frames_get_free(LacRunFrames *frames);
/* Stamps the sequence and replaces the frame in the mailbox. */
void lac_run_frames_publish(LacRunFrames *frames, LacFrame *frame);
/* Returns TRUE when the viewer has requested a frame and the pace allows it. */
gboolean lac_run_frames_is_wanted(LacRunFrames *frames, gint64 now_ns);
/* Sets the earliest time of the viewer's next frame after a frame that took @spent_ns, so that such frames take at
 * most a tenth of the time. */
void lac_run_frames_pace(LacRunFrames *frames, gint64 now_ns, gint64 spent_ns);

gboolean lac_run_frames_is_kept(const LacRunFrames *frames, gint64 step);
/* Counts a saved frame. Returns: TRUE when this exceeds the budget and the stride was doubled. */
gboolean lac_run_frames_note_kept(LacRunFrames *frames, gint64 step);

/* Returns the newest frame (transfer full) (nullable) and requests the next; called by the viewer. */
LacFrame *lac_run_frames_take(LacRunFrames *frames);

G_END_DECLS
