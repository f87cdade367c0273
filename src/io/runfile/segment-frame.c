/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading of one frame from a segment. */
#include "io/format/segment.h"
#include "io/runfile/format.h"
#include "io/runfile/frame-stream.h"
#include "io/runfile/run-file-private.h"

#include <math.h>
#include <string.h>

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

LacFrame *
lac_run_file_load_segment(const char *path, guint64 offset)
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

/* Loads a frame; the stream may have changed since its frames were listed. */
LacFrame *
lac_run_file_load_segment_frame(const LacRunSource *source, gsize i, GError **error)
{
  g_autoptr(LacFrame) frame =
    lac_run_file_load_segment(source->frames_path, source->frame_offset[i]);

  if (frame != NULL && frame->step == source->run.frame_step[i])
    return g_steal_pointer(&frame);
  return lac_frame_stream_load_moved(source, i, error);
}
