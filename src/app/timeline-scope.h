/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a recording the timeline looks at: the visible time, the range chosen, the bar selected, what is searched for. The parts
 * of the timeline share one. Signal: changed (guint what). */
#pragma once

#include "app/recording.h"
#include "io/runfile/marks.h"
#include "report/timeline/durations.h"

G_BEGIN_DECLS

typedef enum {
  LAC_SCOPE_DATA = 1 << 0, /* another recording, or more of it */
  LAC_SCOPE_VIEW = 1 << 1,
  LAC_SCOPE_RANGE = 1 << 2,
  LAC_SCOPE_SELECTED = 1 << 3,
  LAC_SCOPE_SEARCH = 1 << 4,
  LAC_SCOPE_CURSOR = 1 << 5,
  LAC_SCOPE_MARKS = 1 << 6,
  LAC_SCOPE_SHOWN = 1 << 7,     /* another frame is looked at */
  LAC_SCOPE_DURATIONS = 1 << 8, /* of another operation, or others of them are chosen */
  LAC_SCOPE_TARGET = 1 << 9,
  LAC_SCOPE_KEEP = 1 << 10, /* the last of a run is looked at, or no longer */
} LacScopeChange;

#define LAC_TYPE_TIMELINE_SCOPE (lac_timeline_scope_get_type())
G_DECLARE_FINAL_TYPE(LacTimelineScope, lac_timeline_scope, LAC, TIMELINE_SCOPE, GObject)

#define LAC_TIMELINE_FONT 11.0 /* pixels, of everything in the timeline */

LacTimelineScope *lac_timeline_scope_new(void);

void          lac_timeline_scope_set_recording(LacTimelineScope *scope,
                                               LacRecording     *recording); /* (nullable) */
LacRecording *lac_timeline_scope_get_recording(LacTimelineScope *scope); /* (nullable) */
gboolean lac_timeline_scope_is_empty(LacTimelineScope *scope); /* no recording, or no records */

/* ---- the visible time; everything, following the recording, until it is changed ---- */
void lac_timeline_scope_get_view(LacTimelineScope *scope, gint64 *begin_ns, gint64 *end_ns);
void lac_timeline_scope_show(LacTimelineScope *scope, double begin_ns, double end_ns);
/* Whether a person has chosen the visible time; else it is everything, or goes on with the end. */
gboolean lac_timeline_scope_has_view(LacTimelineScope *scope);
/* @at: 0...1 of the width, which stays; @factor > 1 comes closer */
void lac_timeline_scope_zoom(LacTimelineScope *scope, double at, double factor);
void lac_timeline_scope_move(LacTimelineScope *scope, double share); /* of the visible time */
void lac_timeline_scope_fit(LacTimelineScope *scope);
/* The range, else the selected bar, fills the view. */
void lac_timeline_scope_fit_selection(LacTimelineScope *scope);

/* The lanes, scrolled up by so many pixels; @room: their height on screen. Stays within what there is. */
void   lac_timeline_scope_scroll(LacTimelineScope *scope, double offset, double room);
double lac_timeline_scope_get_offset(LacTimelineScope *scope);

/* The same of the tracks, of which so many are in view. */
#define LAC_TIMELINE_TRACKS       4
#define LAC_TIMELINE_TRACK_HEIGHT 34 /* pixels */
void   lac_timeline_scope_scroll_tracks(LacTimelineScope *scope, double offset);
double lac_timeline_scope_get_track_offset(LacTimelineScope *scope);

/* ---- the range; none where begin == end ---- */
void     lac_timeline_scope_set_range(LacTimelineScope *scope, gint64 begin_ns, gint64 end_ns);
gboolean lac_timeline_scope_get_range(LacTimelineScope *scope, gint64 *begin_ns, gint64 *end_ns);

/* ---- the last of a long run: range and view go on with its end; a range chosen otherwise lets go ---- */
typedef enum { LAC_KEEP_ALL, LAC_KEEP_ITERATIONS, LAC_KEEP_SECONDS } LacKeep;
void lac_timeline_scope_keep_last(LacTimelineScope *scope, LacKeep keep, double n); /* n of them */
LacKeep lac_timeline_scope_get_kept(LacTimelineScope *scope, double *n);

/* ---- the selected bar ---- */
void lac_timeline_scope_select(LacTimelineScope *scope, const LacTimelineBar *bar); /* (nullable) */
const LacTimelineBar *lac_timeline_scope_get_selected(LacTimelineScope *scope);     /* (nullable) */
/* The bar after the selected one in its row, or, @direction -1, before it; into view. */
void lac_timeline_scope_select_next(LacTimelineScope *scope, int direction);
/* How long an iteration may take; 0: no target. */
void   lac_timeline_scope_set_target(LacTimelineScope *scope, gint64 target_ns);
gint64 lac_timeline_scope_get_target(LacTimelineScope *scope);
/* The iteration over the target, without one the outlier, after the selected bar, or before it; into view. Returns: FALSE where
 * there is none. */
gboolean lac_timeline_scope_select_outlier(LacTimelineScope *scope, int direction);
void     lac_timeline_scope_reveal(LacTimelineScope *scope, const LacTimelineBar *bar);

/* ---- kept frames ---- */
/* When each kept frame was made. Of a run whose frames can be read: once it has ended. */
const gint64 *lac_timeline_scope_get_frames(LacTimelineScope *scope, gsize *n);
/* When the frame that the selected bar led to was made: the first kept of its step or later. Returns: FALSE without one. */
gboolean lac_timeline_scope_get_led_to(LacTimelineScope *scope, gint64 *time_ns);

/* When the frame that is looked at was made, of a run that has ended. Returns: FALSE without one. */
gboolean lac_timeline_scope_get_shown(LacTimelineScope *scope, gint64 *time_ns);

/* ---- search ---- */
void        lac_timeline_scope_search(LacTimelineScope *scope, const char *text); /* "": nothing */
const char *lac_timeline_scope_get_search(LacTimelineScope *scope);               /* "" */
const LacMatch *lac_timeline_scope_get_match(LacTimelineScope *scope);            /* (nullable) */
guint64         lac_timeline_scope_count_matches(LacTimelineScope *scope);
gboolean        lac_timeline_scope_select_match(LacTimelineScope *scope, int direction);

/* ---- durations of one operation: the one chosen, else what takes most of the time of all that
 * come more than once ---- */
void        lac_timeline_scope_watch(LacTimelineScope *scope, guint32 name);
const char *lac_timeline_scope_get_watched(LacTimelineScope *scope); /* (nullable) */
/* Of the range, else of all; valid until the scope changes. (nullable) */
const LacDurations *lac_timeline_scope_get_durations(LacTimelineScope *scope);
/* Chooses those of calls from @low_ns to @high_ns; equal: none. */
void lac_timeline_scope_brush(LacTimelineScope *scope, double low_ns, double high_ns);
/* In the range, else in all. Returns: FALSE where none are chosen. */
gboolean lac_timeline_scope_get_brush(LacTimelineScope *scope, LacDurationChoice *choice);

/* ---- where the pointer is, and marks of one's own ---- */
#define LAC_NO_TIME G_MININT64
void   lac_timeline_scope_set_cursor(LacTimelineScope *scope, gint64 time_ns); /* or LAC_NO_TIME */
gint64 lac_timeline_scope_get_cursor(LacTimelineScope *scope);
/* At the cursor, else the selected bar's beginning; a second one there removes it. Kept in the folder of the run. */
void lac_timeline_scope_toggle_mark(LacTimelineScope *scope);
/* The mark there, set where there is none. Returns: its number; -1 where there is no time to mark. */
gssize            lac_timeline_scope_put_mark(LacTimelineScope *scope);
void              lac_timeline_scope_remove_mark(LacTimelineScope *scope, gsize i);
void              lac_timeline_scope_set_words(LacTimelineScope *scope, gsize i, const char *words);
const LacRunMark *lac_timeline_scope_get_marks(LacTimelineScope *scope, gsize *n);
/* In their place; those in the folder of the run stay as they are. @marks: (transfer full): as lac_run_marks_new() makes them */
void lac_timeline_scope_show_marks(LacTimelineScope *scope, GArray *marks);

G_END_DECLS
