/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames of a run: a pool of reusable frames, a mailbox that holds only the newest, and the choice of saved steps. */
#include "run/core/frames.h"

#include <string.h>

#define DISPLAY_INTERVAL_NS (G_GINT64_CONSTANT(1000000000) / 60)
#define DISPLAY_SHARE       9   /* pause after a frame, as a multiple of its cost */
#define KEPT_AT_START       256 /* planned number of saved frames */
/* Saved frames may take this share of the computation, or this size if that is more: each takes about so long, measured
 * from 0.2 to 6 MB. Half as many as the least number, or more, are saved of any run: its course is to be seen. */
#define KEPT_SHARE     0.05
#define KEPT_BYTES     8e6
#define SECONDS_A_BYTE 1e-8
#define LEAST_KEPT     24

void
lac_run_frames_init(LacRunFrames *frames,
                    const gsize (*sizes)[2],
                    gsize n_planes,
                    gsize n_markers,
                    gsize n_metrics)
{
  frames->pool = g_ptr_array_new_with_free_func((GDestroyNotify) lac_frame_unref);
  frames->sizes = g_malloc0((n_planes + 1) * sizeof *frames->sizes);
  memcpy(frames->sizes, sizes, n_planes * sizeof *sizes);
  frames->n_planes = n_planes;
  frames->n_markers = n_markers;
  frames->n_metrics = n_metrics;
  g_atomic_int_set(&frames->wanted, 1); /* the viewer may already be waiting */
  frames->last_kept = -1;
  frames->stride = 1;
  frames->frame_bytes = n_markers * sizeof(LacMarker) + n_metrics * sizeof(double);
  for (gsize i = 0; i < n_planes; i++)
    frames->frame_bytes += sizes[i][0] * sizes[i][1] * sizeof(float);
}

static gint64
count_affordable(const LacRunFrames *frames, gint64 n_steps, double step_seconds)
{
  const double share = KEPT_SHARE * step_seconds * (double) n_steps / SECONDS_A_BYTE;
  const double n = MAX(share, KEPT_BYTES) / (double) frames->frame_bytes;

  return step_seconds > 0 && n < KEPT_AT_START ? MAX(LEAST_KEPT, (gint64) n) : KEPT_AT_START;
}

void
lac_run_frames_plan(LacRunFrames *frames,
                    gint64        n_steps,
                    double        step_seconds,
                    guint         most,
                    guint64       budget_bytes,
                    gint64        stride)
{
  const gint64 planned = most > 0 ? most : count_affordable(frames, n_steps, step_seconds);

  frames->budget = budget_bytes;
  frames->stride = MAX(stride, 1);
  while (n_steps / frames->stride > planned ||
         (guint64) (n_steps / frames->stride) * frames->frame_bytes > budget_bytes) {
    if (n_steps / frames->stride < 2)
      break;
    frames->stride *= 2;
  }
}

void
lac_run_frames_clear(LacRunFrames *frames)
{
  LacFrame *left = g_atomic_pointer_exchange(&frames->mailbox, NULL);

  if (left != NULL)
    lac_frame_unref(left);
  g_clear_pointer(&frames->in_flight.frame, lac_frame_unref);
  g_clear_pointer(&frames->pool, g_ptr_array_unref);
  g_clear_pointer(&frames->sizes, g_free);
}

gboolean
lac_run_frames_is_ready(const LacRunFrames *frames)
{
  return frames->pool != NULL;
}

LacFrame *
lac_run_frames_get_free(LacRunFrames *frames)
{
  for (guint i = 0; i < frames->pool->len; i++) {
    LacFrame *frame = frames->pool->pdata[i];
    if (g_atomic_int_get(&frame->ref_count) == 1)
      return frame;
  }
  LacFrame *frame = lac_frame_new(frames->n_planes, (const gsize(*)[2]) frames->sizes,
                                  frames->n_markers, frames->n_metrics);
  g_ptr_array_add(frames->pool, frame);
  return frame;
}

void
lac_run_frames_publish(LacRunFrames *frames, LacFrame *frame)
{
  frame->sequence = ++frames->published;
  g_atomic_int_set(&frames->wanted,
                   0); /* before the viewer can take the frame and request another */
  LacFrame *unseen = g_atomic_pointer_exchange(&frames->mailbox, lac_frame_ref(frame));
  if (unseen != NULL)
    lac_frame_unref(unseen);
}

gboolean
lac_run_frames_is_wanted(LacRunFrames *frames, gint64 now_ns)
{
  return now_ns >= frames->earliest_ns && g_atomic_int_get(&frames->wanted) != 0;
}

void
lac_run_frames_pace(LacRunFrames *frames, gint64 now_ns, gint64 spent_ns)
{
  frames->earliest_ns = now_ns + MAX(DISPLAY_INTERVAL_NS, DISPLAY_SHARE * spent_ns);
}

gboolean
lac_run_frames_is_kept(const LacRunFrames *frames, gint64 step)
{
  return step % frames->stride == 0 && step != frames->last_kept;
}

gboolean
lac_run_frames_note_kept(LacRunFrames *frames, gint64 step)
{
  frames->last_kept = step;
  frames->kept_bytes = (guint64) (step / frames->stride + 1) * frames->frame_bytes;
  if (frames->kept_bytes <= frames->budget)
    return FALSE;
  frames->stride *= 2;
  return TRUE;
}

LacFrame *
lac_run_frames_take(LacRunFrames *frames)
{
  LacFrame *frame = g_atomic_pointer_exchange(&frames->mailbox, NULL);

  g_atomic_int_set(&frames->wanted, 1);
  return frame;
}
