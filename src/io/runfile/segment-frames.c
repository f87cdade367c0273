/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames of a run folder, read from their segments, or from the run.h5 that has replaced them. */
#include "io/runfile/segment-frames.h"

#include "base/error.h"
#include "io/format/segment.h"
#include "io/input/apart.h"
#include "io/runfile/format.h"
#include "io/runfile/frame-stream.h"
#include "io/runfile/h5-frames.h"

#include <glib/gstdio.h>

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

struct _LacSegmentFrames {
  char           *folder, *path; /* of the run, and of its stream of frames */
  pthread_mutex_t lock;          /* protects the other members */
  guint64        *offsets;       /* [n_frames]; past the end of the stream: dropped */
  struct stat     listed; /* of the stream when it was last listed after a change; zeroed: never */
  LacH5Frames    *h5;     /* (nullable): the run.h5 that has replaced the stream */
};

LacSegmentFrames *
lac_segment_frames_new(const char *folder, guint64 *offsets)
{
  LacSegmentFrames *frames = g_new0(LacSegmentFrames, 1);

  frames->folder = g_strdup(folder);
  frames->path = g_build_filename(folder, LAC_RUN_FRAMES, NULL);
  frames->offsets = offsets;
  pthread_mutex_init(&frames->lock, NULL);
  return frames;
}

void
lac_segment_frames_free(LacSegmentFrames *frames)
{
  if (frames == NULL)
    return;
  lac_h5_frames_free(frames->h5);
  pthread_mutex_destroy(&frames->lock);
  g_free(frames->offsets);
  g_free(frames->path);
  g_free(frames->folder);
  g_free(frames);
}

/* ---- one segment ---- */

/* Makes a frame of the shapes in the payload, which are checked against its length. @at: end of the shapes;
 * @n_in_space: markers with a position in the volumes. */
static LacFrame *
make_frame(const guint8 *data, gsize length, const guint8 **at, guint32 *n_in_space)
{
  LacFrameEntry entry;

  if (length < sizeof entry)
    return NULL;
  memcpy(&entry, data, sizeof entry);
  gsize head = sizeof entry + entry.n_planes * sizeof(LacPlaneEntry) +
               entry.n_metrics * sizeof(double) + entry.n_markers * sizeof(LacMarkerEntry) +
               entry.n_in_space * sizeof(LacSpaceEntry);
  if (head > length || (entry.n_in_space != 0 && entry.n_in_space != entry.n_markers))
    return NULL;

  const LacPlaneEntry *shapes = (const LacPlaneEntry *) (gconstpointer) (data + sizeof entry);
  g_autofree gsize    *sizes = g_new(gsize, 2 * (gsize) entry.n_planes + 1);
  gsize                floats = (length - head) / sizeof(float);
  for (guint i = 0; i < entry.n_planes; i++) {
    gsize n;
    /* an empty plane could declare any length for its other side */
    if (!g_size_checked_mul(&n, shapes[i].nx, shapes[i].ny) || n == 0 || n > floats)
      return NULL;
    floats -= n;
    sizes[2 * i] = shapes[i].nx;
    sizes[2 * i + 1] = shapes[i].ny;
  }

  LacFrame *frame =
    lac_frame_new(entry.n_planes, (const gsize(*)[2]) sizes, entry.n_markers, entry.n_metrics);
  frame->sequence = entry.sequence;
  frame->step = entry.step;
  frame->seconds = entry.seconds;
  frame->made_ns = entry.made_ns;
  for (guint i = 0; i < entry.n_planes; i++) {
    LacPlane *plane = &frame->planes[i];
    plane->x_min = shapes[i].x_min;
    plane->x_max = shapes[i].x_max;
    plane->y_min = shapes[i].y_min;
    plane->y_max = shapes[i].y_max;
  }
  *n_in_space = entry.n_in_space;
  *at = data + sizeof entry + entry.n_planes * sizeof *shapes;
  return frame;
}

static LacFrame *
parse_frame(const guint8 *data, gsize length)
{
  const guint8 *at;
  guint32       n_in_space;
  LacFrame     *frame = make_frame(data, length, &at, &n_in_space);

  if (frame == NULL)
    return NULL;
  if (frame->n_metrics > 0)
    memcpy(frame->metrics, at, frame->n_metrics * sizeof(double));
  at += frame->n_metrics * sizeof(double);
  for (gsize i = 0; i < frame->n_markers; i++, at += sizeof(LacMarkerEntry)) {
    LacMarkerEntry marker;
    memcpy(&marker, at, sizeof marker);
    marker.kind[sizeof marker.kind - 1] = '\0';
    frame->markers[i] = (LacMarker){marker.x, marker.y, g_intern_string(marker.kind)};
  }
  for (guint32 i = 0; i < n_in_space; i++, at += sizeof(LacSpaceEntry)) {
    LacSpaceEntry space;
    memcpy(&space, at, sizeof space);
    memcpy(frame->markers[i].space, space.at, sizeof space.at);
    frame->markers[i].is_in_space =
      isfinite(space.at[0]) && isfinite(space.at[1]) && isfinite(space.at[2]);
  }
  for (gsize i = 0; i < frame->n_planes; i++) {
    LacPlane *plane = &frame->planes[i];
    gsize     n_bytes = plane->nx * plane->ny * sizeof(float);
    if (n_bytes > 0)
      memcpy(plane->data, at, n_bytes);
    at += n_bytes;
    lac_plane_measure(plane);
  }
  return frame;
}

static LacFrame *
load_segment(const char *path, guint64 offset)
{
  g_autoptr(LacSegmentReader) reader = lac_segment_reader_new(path, NULL);
  LacSegment                  segment;

  if (reader == NULL)
    return NULL;
  lac_segment_reader_seek(reader, offset);
  return lac_segment_reader_next(reader, &segment) && segment.type == LAC_SEGMENT_FRAME
           ? parse_frame(segment.payload, segment.length)
           : NULL;
}

/* ---- a frame, wherever it is now ---- */

/* Finds the frames again in a stream that has changed since they were listed. */
static void
find_again(LacSegmentFrames *frames, const LacRunFile *run)
{
  g_autoptr(GArray) now = lac_frame_stream_list(frames->folder, NULL, NULL, NULL);
  guint             k = 0;

  for (gsize i = 0; i < run->n_frames; i++) {
    const LacFrameAt *at = NULL;
    while (now != NULL && k < now->len &&
           (at = &g_array_index(now, LacFrameAt, k))->step < run->frame_step[i])
      k++;
    frames->offsets[i] =
      at != NULL && at->step == run->frame_step[i] ? at->offset : (guint64) G_MAXINT64;
  }
}

/* Returns TRUE when the stream has been listed again. */
static gboolean
follow_stream(LacSegmentFrames *frames, const LacRunFile *run)
{
  struct stat now;

  if (g_stat(frames->path, &now) != 0 ||
      (now.st_dev == frames->listed.st_dev && now.st_ino == frames->listed.st_ino &&
       now.st_size == frames->listed.st_size))
    return FALSE;
  find_again(frames, run);
  frames->listed = now;
  return TRUE;
}

/* Returns: (nullable): the run.h5 that has replaced the stream. */
static LacH5Frames *
follow_to_h5(LacSegmentFrames *frames)
{
  g_autofree char *h5 = g_build_filename(frames->folder, LAC_RUN_H5, NULL);

  if (frames->h5 == NULL && !g_file_test(frames->path, G_FILE_TEST_EXISTS) &&
      g_file_test(h5, G_FILE_TEST_EXISTS) &&
      lac_apart_try("run", h5, g_variant_new_string("steps")))
    frames->h5 = lac_h5_frames_new(h5);
  return frames->h5;
}

/* Returns: (nullable): frame @i of the stream. */
static LacFrame *
load_from_stream(LacSegmentFrames *frames, const LacRunFile *run, gsize i)
{
  pthread_mutex_lock(&frames->lock);
  const guint64 offset = frames->offsets[i];
  pthread_mutex_unlock(&frames->lock);
  g_autoptr(LacFrame) frame = load_segment(frames->path, offset);
  return frame != NULL && frame->step == run->frame_step[i] ? g_steal_pointer(&frame) : NULL;
}

LacFrame *
lac_segment_frames_load(LacSegmentFrames *frames, const LacRunFile *run, gsize i, GError **error)
{
  LacFrame *frame = load_from_stream(frames, run, i);

  if (frame != NULL)
    return frame;
  pthread_mutex_lock(&frames->lock);
  const gboolean is_listed = follow_stream(frames, run);
  LacH5Frames   *h5 = is_listed ? NULL : follow_to_h5(frames);
  pthread_mutex_unlock(&frames->lock);
  if (is_listed)
    frame = load_from_stream(frames, run, i);
  else if (h5 != NULL)
    return lac_h5_frames_load(h5, run, i, error);
  if (frame == NULL)
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s: the frame of step %" G_GINT64_FORMAT " is damaged", frames->path,
                run->frame_step[i]);
  return frame;
}
