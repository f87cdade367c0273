/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading back the data of a running run from its folder. */
#include "io/runfile/replay.h"

#include "io/runfile/folder-private.h"
#include "io/runfile/run-file-private.h"

LacRunSession
lac_run_folder_get_session(const LacRunFolder *folder)
{
  return folder->session;
}

LacRunFile *
lac_run_file_peek(const LacRunFolder *folder, GError **error)
{
  return lac_run_file_read_segments(folder->path, "running", error);
}

typedef struct {
  const char    *folder, *part;
  guint64        offset;
  LacSegmentType type;
  gsize          element_size; /* 0: a segment is a single element */
} Replay;

static gsize
replay(const Replay *what, guint64 first, guint64 n, LacReplayFunc func, gpointer user_data)
{
  g_autofree char            *path = g_build_filename(what->folder, what->part, NULL);
  g_autoptr(LacSegmentReader) reader = lac_segment_reader_new(path, NULL);
  LacSegment                  segment;
  guint64                     at = 0, end = first + n;
  gsize                       given = 0;

  if (reader == NULL)
    return 0;
  lac_segment_reader_seek(reader, what->offset);
  while (at < end && lac_segment_reader_next(reader, &segment)) {
    if (segment.type != what->type)
      continue;
    guint64 here = what->element_size > 0 ? segment.length / what->element_size : 1;
    guint64 from = MAX(first, at), to = MIN(end, at + here);
    if (from < to) {
      func(segment.payload + (from - at) * what->element_size, (gsize) (to - from), user_data);
      given += (gsize) (to - from);
    }
    at += here;
  }
  return given;
}

gsize
lac_run_replay_records(const char          *folder,
                       const LacRunSession *session,
                       guint64              first,
                       guint64              n,
                       LacReplayFunc        func,
                       gpointer             user_data)
{
  Replay what = {folder, LAC_RUN_RECORDS, session->records, LAC_SEGMENT_RECORDS, sizeof(LacRecord)};

  return replay(&what, first, n, func, user_data);
}

gsize
lac_run_replay_metrics(const char          *folder,
                       const LacRunSession *session,
                       guint64              first,
                       guint64              n,
                       LacReplayFunc        func,
                       gpointer             user_data)
{
  Replay what = {folder, LAC_RUN_JOURNAL, session->journal, LAC_SEGMENT_METRICS, 0};

  return replay(&what, first, n, func, user_data);
}
