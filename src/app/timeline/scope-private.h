/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the scope. */
#pragma once

#include "app/timeline/scope.h"

G_BEGIN_DECLS

struct _LacTimelineScope {
  GObject        parent_instance;
  LacRecording  *recording;
  LacSession    *session;    /* weak: session of the recording */
  double         begin, end; /* ns; begin == end: everything, following the recording */
  gint64         range_begin, range_end;
  gint64         target; /* ns; 0: none */
  LacTimelineBar selected;
  gboolean       has_selected;
  char          *text; /* search text; NULL: none */
  GByteArray    *matched;
  LacMatch       match;
  gint64         cursor;
  GArray        *marks;  /* LacRunMark */
  GArray        *frames; /* gint64: time of each saved frame */
  double         offset, track_offset;
  LacDurations  *durations; /* NULL: recomputed on demand */
  guint32        watched;
  gboolean       has_watched;
  double         brush_low, brush_high; /* ns */
  LacKeep        keep;
  double         keep_n;
  gboolean       keep_view;   /* TRUE when the view also follows, not just the range */
  gint64         kept_us;     /* monotonic time of the last update of range and view */
  gint64         gathered_us; /* monotonic time at which @durations were computed */
  guint32        chosen;      /* LAC_NO_NAME: none */
  GArray        *path;        /* guint32: of the limit; empty: none */
  GByteArray    *within;      /* NULL: no name is chosen */
  LacMatch       highlight;   /* @within */
  LacSpanLooks  *looks;       /* NULL without a recording */
  gsize          n_metrics;   /* of the run, when @looks were made */
  guint32        iteration;   /* name of its iterations then; LAC_NO_NAME: not known yet */
  GArray        *changes;     /* LacTimelineChange */
  GArray        *counters;    /* LacCounterRow; NULL: not made */
  gsize          n_tracks;    /* of the recording, when @counters were made */
  gsize          n_seen;      /* records examined for marks of changed settings */
};

void lac_timeline_scope_announce(LacTimelineScope *scope, guint what);

/* scope.c */
void lac_timeline_scope_select_and_reveal(LacTimelineScope *scope, const LacTimelineBar *bar);

/* scope-search.c: called after another recording is set, or names are added. */
void lac_timeline_scope_match_names(LacTimelineScope *scope);

/* scope-marks.c: reads the marks saved in the folder of the session's run. */
void lac_timeline_scope_read_marks(LacTimelineScope *scope);

/* scope-frames.c: called after another recording is set, or records are added. */
void lac_timeline_scope_place_frames(LacTimelineScope *scope);

/* scope-durations.c: called after the range changes, or records are added. */
void lac_timeline_scope_forget_durations(LacTimelineScope *scope);

/* scope-keep.c: called after records are added. */
void lac_timeline_scope_follow_end(LacTimelineScope *scope);

/* scope-chosen.c: forgets choice, limit and colours, for another recording. */
void lac_timeline_scope_forget_chosen(LacTimelineScope *scope);

/* scope-changes.c: called after another recording is set, or records are added; after another file is known. */
void lac_timeline_scope_follow_changes(LacTimelineScope *scope);
void lac_timeline_scope_read_changes(LacTimelineScope *scope);

G_END_DECLS
