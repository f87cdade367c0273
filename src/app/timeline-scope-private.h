/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the scope share. */
#pragma once

#include "app/timeline-scope.h"

G_BEGIN_DECLS

struct _LacTimelineScope {
  GObject        parent_instance;
  LacRecording  *recording;
  LacSession    *session;    /* weak: of the recording */
  double         begin, end; /* ns; begin == end: everything, following the recording */
  gint64         range_begin, range_end;
  gint64         target; /* ns; 0: none */
  LacTimelineBar selected;
  gboolean       has_selected;
  char          *text; /* searched for; NULL: nothing */
  GByteArray    *matched;
  LacMatch       match;
  gint64         cursor;
  GArray        *marks;  /* of LacRunMark */
  GArray        *frames; /* of gint64: when each was made */
  double         offset, track_offset;
  LacDurations  *durations; /* NULL: to be gathered when they are asked for */
  guint32        watched;
  gboolean       has_watched;
  double         brush_low, brush_high; /* ns */
  LacKeep        keep;
  double         keep_n;
  gboolean       keep_view;   /* the view goes on too */
  gint64         kept_us;     /* when it last went on */
  gint64         gathered_us; /* when */
};

void lac_timeline_scope_announce(LacTimelineScope *scope, guint what);

/* timeline-scope-marks.c: what was marked at another recording, of the run of the scope's session. */
void lac_timeline_scope_read_marks(LacTimelineScope *scope);

/* timeline-scope-frames.c: after another recording, or more of it. */
void lac_timeline_scope_place_frames(LacTimelineScope *scope);

/* timeline-scope-durations.c: after another range, or more records. */
void lac_timeline_scope_forget_durations(LacTimelineScope *scope);

/* timeline-scope-keep.c: after more records. */
void lac_timeline_scope_follow_end(LacTimelineScope *scope);

G_END_DECLS
