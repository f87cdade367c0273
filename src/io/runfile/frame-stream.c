/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stream of saved frames, except for reading a single frame. */
#include "io/runfile/frame-stream.h"

#include "base/error.h"
#include "io/runfile/format.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <math.h>
#include <string.h>

/* ---- appending ---- */

/* Returns the number of markers if any has a position in space, else 0. */
static guint32
count_in_space(const LacFrame *frame)
{
  for (gsize i = 0; i < frame->n_markers; i++)
    if (frame->markers[i].is_in_space)
      return (guint32) frame->n_markers;
  return 0;
}

static void
put_in_space(GByteArray *out, const LacMarker *marker)
{
  LacSpaceEntry entry = {{NAN, NAN, NAN}};

  if (marker->is_in_space)
    memcpy(entry.at, marker->space, sizeof entry.at);
  g_byte_array_append(out, (const guint8 *) &entry, sizeof entry);
}

static void
put_frame_head(GByteArray *out, const LacFrame *frame)
{
  LacFrameEntry entry = {
    .sequence = frame->sequence,
    .step = frame->step,
    .seconds = frame->seconds,
    .made_ns = frame->made_ns,
    .n_planes = (guint32) frame->n_planes,
    .n_markers = (guint32) frame->n_markers,
    .n_metrics = (guint32) frame->n_metrics,
    .n_in_space = count_in_space(frame),
  };

  g_byte_array_set_size(out, 0);
  g_byte_array_append(out, (const guint8 *) &entry, sizeof entry);
  for (gsize i = 0; i < frame->n_planes; i++) {
    const LacPlane *plane = &frame->planes[i];
    LacPlaneEntry   shape = {plane->nx,    plane->ny,    plane->x_min,
                             plane->x_max, plane->y_min, plane->y_max};
    g_byte_array_append(out, (const guint8 *) &shape, sizeof shape);
  }
  if (frame->n_metrics > 0)
    g_byte_array_append(out, (const guint8 *) frame->metrics,
                        (guint) (frame->n_metrics * sizeof(double)));
  for (gsize i = 0; i < frame->n_markers; i++) {
    const LacMarker *marker = &frame->markers[i];
    LacMarkerEntry   point = {.x = marker->x, .y = marker->y};
    g_strlcpy(point.kind, marker->kind != NULL ? marker->kind : "", sizeof point.kind);
    g_byte_array_append(out, (const guint8 *) &point, sizeof point);
  }
  for (guint32 i = 0; i < entry.n_in_space; i++)
    put_in_space(out, &frame->markers[i]);
}

/* Limit of iovec pieces per segment; no experiment has as many planes. */
#define MAX_PLANES 127

gboolean
lac_frame_stream_append(LacSegmentWriter *stream,
                        GByteArray       *scratch,
                        const LacFrame   *frame,
                        GError          **error)
{
  struct iovec parts[MAX_PLANES + 1];
  guint        n = 1;

  g_return_val_if_fail(frame->n_planes <= MAX_PLANES, FALSE);
  put_frame_head(scratch, frame);
  parts[0] = (struct iovec){scratch->data, scratch->len};
  for (gsize i = 0; i < frame->n_planes; i++) {
    const LacPlane *plane = &frame->planes[i];
    parts[n++] = (struct iovec){plane->data, plane->nx * plane->ny * sizeof(float)};
  }
  return lac_segment_append(stream, LAC_SEGMENT_FRAME, parts, n, error);
}

gboolean
lac_frame_stream_append_decimation(LacSegmentWriter *stream, gint64 stride, GError **error)
{
  LacDecimationEntry entry = {stride};
  struct iovec       part = {&entry, sizeof entry};

  return lac_segment_append(stream, LAC_SEGMENT_DECIMATION, &part, 1, error);
}

/* ---- going through ---- */

static LacSegmentReader *
open_stream(const char *folder)
{
  g_autofree char *path = g_build_filename(folder, LAC_RUN_FRAMES, NULL);

  return lac_segment_reader_new(path, NULL);
}

/* Returns: FALSE when the segment is not a frame. */
static gboolean
get_step(const LacSegment *segment, gint64 *step)
{
  LacFrameEntry entry;

  if (segment->type != LAC_SEGMENT_FRAME || segment->length < sizeof entry)
    return FALSE;
  memcpy(&entry, segment->payload, sizeof entry);
  *step = entry.step;
  return TRUE;
}

static gint64
get_stride(const LacSegment *segment)
{
  LacDecimationEntry thin;

  if (segment->type != LAC_SEGMENT_DECIMATION || segment->length != sizeof thin)
    return 1;
  memcpy(&thin, segment->payload, sizeof thin);
  return MAX(thin.stride, 1);
}

GArray *
lac_frame_stream_list(const char *folder, gint64 *stride, guint64 *n_bytes, GError **error)
{
  g_autofree char            *path = g_build_filename(folder, LAC_RUN_FRAMES, NULL);
  g_autoptr(LacSegmentReader) reader = lac_segment_reader_new(path, error);
  LacSegment                  segment;
  gint64                      step;

  if (reader == NULL)
    return NULL;
  GArray *list = g_array_new(FALSE, FALSE, sizeof(LacFrameAt));
  while (lac_segment_reader_next(reader, &segment)) {
    if (get_step(&segment, &step)) {
      const LacFrameAt at = {step, segment.offset};
      g_array_append_val(list, at);
    } else if (segment.type == LAC_SEGMENT_DECIMATION && stride != NULL) {
      *stride = get_stride(&segment);
    }
  }
  if (n_bytes != NULL)
    *n_bytes = lac_segment_reader_get_size(reader);
  return list;
}

guint64
lac_frame_stream_find_cut(const char *folder, gint64 step, gint64 *stride, gint64 *last)
{
  g_autoptr(LacSegmentReader) reader = open_stream(folder);
  LacSegment                  segment;
  guint64                     end = 0;
  gint64                      at, thinned = *stride;

  *last = -1;
  while (reader != NULL && lac_segment_reader_next(reader, &segment)) {
    const gboolean is_frame = get_step(&segment, &at);

    /* the last frame of a run is saved at any step, after the last checkpoint */
    if (is_frame && (at > step || (at == step && at % *stride != 0)))
      break;
    if (is_frame)
      *last = at;
    thinned = MAX(thinned, get_stride(&segment));
    end = lac_segment_reader_get_end(reader);
  }
  *stride = thinned;
  return end;
}

/* ---- another stream in its place ---- */

static LacSegmentWriter *
begin_beside(const char *folder, gint64 stride, GError **error)
{
  g_autofree char            *path = g_build_filename(folder, LAC_RUN_FRAMES ".tmp", NULL);
  g_autoptr(LacSegmentWriter) stream =
    lac_segment_writer_new(path, 0, LAC_RUN_FRAMES_BUFFER, error);

  if (stream == NULL || (stride > 1 && !lac_frame_stream_append_decimation(stream, stride, error)))
    return NULL;
  return g_steal_pointer(&stream);
}

static gboolean
put_in_place(const char *folder, LacSegmentWriter *stream, GError **error)
{
  g_autofree char *path = g_build_filename(folder, LAC_RUN_FRAMES, NULL);

  return lac_segment_writer_rename(stream, path, error);
}

static void
give_up(const char *folder)
{
  g_autofree char *path = g_build_filename(folder, LAC_RUN_FRAMES ".tmp", NULL);

  g_unlink(path);
}

static gboolean
copy_kept(LacSegmentReader *reader, gint64 stride, LacSegmentWriter *stream, GError **error)
{
  LacSegment segment;
  gboolean   is_first = TRUE;
  gint64     step;

  while (lac_segment_reader_next(reader, &segment)) {
    if (!get_step(&segment, &step) || (!is_first && step % stride != 0))
      continue;
    struct iovec part = {(gpointer) segment.payload, segment.length};
    if (!lac_segment_append(stream, LAC_SEGMENT_FRAME, &part, 1, error))
      return FALSE;
    is_first = FALSE;
  }
  return TRUE;
}

LacSegmentWriter *
lac_frame_stream_compact(const char *folder, gint64 stride, GError **error)
{
  g_autofree char            *path = g_build_filename(folder, LAC_RUN_FRAMES, NULL);
  g_autoptr(LacSegmentReader) reader = lac_segment_reader_new(path, error);
  g_autoptr(LacSegmentWriter) stream = reader != NULL ? begin_beside(folder, stride, error) : NULL;

  if (stream != NULL && copy_kept(reader, stride, stream, error) &&
      put_in_place(folder, stream, error))
    return g_steal_pointer(&stream);
  give_up(folder);
  return NULL;
}

static gboolean
copy_frames(const LacRunFile *run,
            gint64            step,
            gint64            stride,
            LacSegmentWriter *stream,
            GError          **error)
{
  g_autoptr(GByteArray) scratch = g_byte_array_new();

  for (gsize i = 0; i < run->n_frames; i++) {
    const gint64 at = run->frame_step[i];
    if (at > step || (i > 0 && at % stride != 0))
      continue;
    g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, i, NULL);
    if (frame != NULL && !lac_frame_stream_append(stream, scratch, frame, error))
      return FALSE;
  }
  return TRUE;
}

/* Renames an unreadable file that is the only source of the frames, so that it is not overwritten. */
static void
put_aside(const char *h5)
{
  g_autofree char *aside = g_strconcat(h5, ".damaged", NULL);

  if (g_rename(h5, aside) != 0)
    g_debug("%s stays where it is", h5);
}

gboolean
lac_frame_stream_restore(const char *folder, gint64 step, gint64 stride, GError **error)
{
  g_autofree char *path = g_build_filename(folder, LAC_RUN_FRAMES, NULL);
  g_autofree char *h5 = g_build_filename(folder, LAC_RUN_H5, NULL);

  if (g_file_test(path, G_FILE_TEST_EXISTS) || !g_file_test(h5, G_FILE_TEST_EXISTS))
    return TRUE;
  g_autoptr(LacRunFile) run = lac_run_file_is_sound(h5) ? lac_run_file_read_h5(h5, NULL) : NULL;
  if (run == NULL) {
    put_aside(h5);
    return TRUE;
  }
  g_autoptr(LacSegmentWriter) stream = begin_beside(folder, stride, error);
  if (stream != NULL && copy_frames(run, step, stride, stream, error) &&
      put_in_place(folder, stream, error))
    return TRUE;
  give_up(folder);
  return FALSE;
}

/* ---- what run.h5 holds ---- */

static gboolean
drop(const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename(folder, name, NULL);

  return g_unlink(path) == 0;
}

gboolean
lac_run_folder_drop_frames(const char *folder)
{
  return drop(folder, LAC_RUN_FRAMES);
}

gboolean
lac_run_folder_drop_records(const char *folder)
{
  return drop(folder, LAC_RUN_RECORDS);
}
