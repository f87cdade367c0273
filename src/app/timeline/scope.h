/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of a recording that the timeline shows: visible time, selected range and bar, search text. Shared by the
 * parts of the timeline. Signal: changed (guint what). */
#pragma once

#include "app/session/recording.h"
#include "app/toolkit/drawing-view.h"
#include "io/runfile/marks.h"
#include "report/timeline/durations.h"
#include "report/timeline/span-looks.h"

G_BEGIN_DECLS

typedef enum {
  LAC_SCOPE_DATA = 1 << 0, /* another recording, or more of it */
  LAC_SCOPE_VIEW = 1 << 1,
  LAC_SCOPE_RANGE = 1 << 2,
  LAC_SCOPE_SELECTED = 1 << 3,
  LAC_SCOPE_SEARCH = 1 << 4,
  LAC_SCOPE_CURSOR = 1 << 5,
  LAC_SCOPE_MARKS = 1 << 6,
  LAC_SCOPE_SHOWN = 1 << 7, /* another frame is shown */
  LAC_SCOPE_DURATIONS =
    1 << 8, /* another operation is watched, or another range of durations is selected */
  LAC_SCOPE_TARGET = 1 << 9,
  LAC_SCOPE_KEEP = 1 << 10,    /* following the end of a run has begun, changed or ended */
  LAC_SCOPE_CHOSEN = 1 << 11,  /* another name is chosen, or another path limits what is shown */
  LAC_SCOPE_LOOKS = 1 << 12,   /* names have been coloured */
  LAC_SCOPE_CHANGES = 1 << 13, /* other changes of settings are known */
} LacScopeChange;

#define LAC_TYPE_TIMELINE_SCOPE (lac_timeline_scope_get_type())
G_DECLARE_FINAL_TYPE(LacTimelineScope, lac_timeline_scope, LAC, TIMELINE_SCOPE, GObject)

#define LAC_TIMELINE_FONT LAC_DRAWING_FONT /* pixels, for all text in the timeline */

LacTimelineScope *lac_timeline_scope_new(void);

void          lac_timeline_scope_set_recording(LacTimelineScope *scope,
                                               LacRecording     *recording); /* (nullable) */
LacRecording *lac_timeline_scope_get_recording(LacTimelineScope *scope); /* (nullable) */
gboolean lac_timeline_scope_is_empty(LacTimelineScope *scope); /* no recording, or no records */

/* ---- the visible time; by default everything, following the recording ---- */
void lac_timeline_scope_get_view(LacTimelineScope *scope, gint64 *begin_ns, gint64 *end_ns);
void lac_timeline_scope_show(LacTimelineScope *scope, double begin_ns, double end_ns);
/* Returns TRUE when the user has set the visible time; otherwise all of the recording is shown, or the view follows
 * its end. */
gboolean lac_timeline_scope_has_view(LacTimelineScope *scope);
/* Zooms around @at: 0...1 of the width; @factor > 1 zooms in */
void lac_timeline_scope_zoom(LacTimelineScope *scope, double at, double factor);
void lac_timeline_scope_move(LacTimelineScope *scope,
                             double            share); /* @share: of the visible time */
void lac_timeline_scope_fit(LacTimelineScope *scope);
/* Fits the view to the range, or else to the selected bar. */
void lac_timeline_scope_fit_selection(LacTimelineScope *scope);

/* Scrolls the lanes up by @offset pixels, clamped; @room: height available to the lanes on screen. */
void   lac_timeline_scope_scroll(LacTimelineScope *scope, double offset, double room);
double lac_timeline_scope_get_offset(LacTimelineScope *scope);

/* Returns: (element-type LacCounterRow): the rows of app/timeline/counters.h, valid until the scope changes. */
const GArray *lac_timeline_scope_get_counters(LacTimelineScope *scope);
/* Scrolls these rows up by @offset pixels, clamped; LAC_TIMELINE_TRACKS of them are in view. */
#define LAC_TIMELINE_TRACKS       3
#define LAC_TIMELINE_TRACK_HEIGHT (int) (24 * lac_drawing_text_scale()) /* pixels */
void   lac_timeline_scope_scroll_tracks(LacTimelineScope *scope, double offset);
double lac_timeline_scope_get_track_offset(LacTimelineScope *scope);

/* ---- the range; none where begin == end ---- */
void     lac_timeline_scope_set_range(LacTimelineScope *scope, gint64 begin_ns, gint64 end_ns);
gboolean lac_timeline_scope_get_range(LacTimelineScope *scope, gint64 *begin_ns, gint64 *end_ns);

/* ---- following the last part of a long run: range and view move with its end until another range is set ---- */
typedef enum { LAC_KEEP_ALL, LAC_KEEP_ITERATIONS, LAC_KEEP_SECONDS } LacKeep;
void    lac_timeline_scope_keep_last(LacTimelineScope *scope,
                                     LacKeep           keep,
                                     double            n); /* @n: number of iterations or seconds */
LacKeep lac_timeline_scope_get_kept(LacTimelineScope *scope, double *n);

/* ---- the selected bar ---- */
void lac_timeline_scope_select(LacTimelineScope *scope, const LacTimelineBar *bar); /* (nullable) */
const LacTimelineBar *lac_timeline_scope_get_selected(LacTimelineScope *scope);     /* (nullable) */
/* Selects the bar that follows the selected one in its row (@direction -1: the bar that precedes it) and scrolls to
 * it; if no bar is selected, selects the first visible one. */
void lac_timeline_scope_select_next(LacTimelineScope *scope, int direction);
/* Target duration of an iteration; 0: no target. */
void   lac_timeline_scope_set_target(LacTimelineScope *scope, gint64 target_ns);
gint64 lac_timeline_scope_get_target(LacTimelineScope *scope);
/* Selects the next (or previous) iteration that exceeds the target, or, without a target, the next outlier, and
 * scrolls to it. Returns: FALSE if there is none. */
gboolean lac_timeline_scope_select_outlier(LacTimelineScope *scope, int direction);
void     lac_timeline_scope_reveal(LacTimelineScope *scope, const LacTimelineBar *bar);

/* ---- the chosen name: a phase or operation, the same in bars, flame graph, lanes and table ---- */
/* @name: LAC_NO_NAME: none. Ends a limit. */
void    lac_timeline_scope_choose(LacTimelineScope *scope, guint32 name);
guint32 lac_timeline_scope_get_chosen(LacTimelineScope *scope); /* or LAC_NO_NAME */
/* Limits timeline and tables to the calls with a path in the call tree, and chooses its last name. @path: [@n], from the
 * outermost name; @within: (transfer full): a flag for each name of the recording, 1: occurs within the path */
void
lac_timeline_scope_limit(LacTimelineScope *scope, const guint32 *path, gsize n, GByteArray *within);
const guint32 *lac_timeline_scope_get_limit(LacTimelineScope *scope, gsize *n); /* @n: 0: none */
/* Returns: (nullable): the names that stand out in the lanes: those of the search, else of the limit, else the chosen
 * one. */
const LacMatch *lac_timeline_scope_get_highlight(LacTimelineScope *scope);

/* Clears the brushed durations, else the chosen name and the selected bar, else the range. Returns: FALSE if there is
 * nothing to clear. */
gboolean lac_timeline_scope_clear(LacTimelineScope *scope);

/* ---- colours of the names ---- */
/* Returns: (nullable): labels and colours; NULL without a recording. Valid until LAC_SCOPE_LOOKS. */
const LacSpanLooks *lac_timeline_scope_get_looks(LacTimelineScope *scope);
/* Colours the names of a recording. @tree: of the whole recording so far */
void lac_timeline_scope_colour(LacTimelineScope *scope, const LacCallTree *tree);

/* ---- changes of settings during the run ---- */
typedef struct {
  gint64 time_ns;
  char  *words; /* "Inflation 1.05 → 1.6 at step 41" */
} LacTimelineChange;
const LacTimelineChange *lac_timeline_scope_get_changes(LacTimelineScope *scope, gsize *n);

/* ---- saved frames ---- */
/* Returns: the times of the saved frames, for a run that has ended and whose frames can be read. */
const gint64 *lac_timeline_scope_get_frames(LacTimelineScope *scope, gsize *n);
/* Gets the time of the frame that resulted from the selected bar: the first frame saved at the bar's step or later.
 * Returns: FALSE if there is no such frame. */
gboolean lac_timeline_scope_get_led_to(LacTimelineScope *scope, gint64 *time_ns);

/* Gets the time of the frame shown, for a run that has ended. Returns: FALSE if there is none. */
gboolean lac_timeline_scope_get_shown(LacTimelineScope *scope, gint64 *time_ns);

/* ---- search ---- */
void            lac_timeline_scope_search(LacTimelineScope *scope,
                                          const char       *text);            /* @text: "": no search */
const char     *lac_timeline_scope_get_search(LacTimelineScope *scope); /* "" without a search */
const LacMatch *lac_timeline_scope_get_match(LacTimelineScope *scope);  /* (nullable) */
guint64         lac_timeline_scope_count_matches(LacTimelineScope *scope);
gboolean        lac_timeline_scope_select_match(LacTimelineScope *scope, int direction);

/* ---- durations of one operation: the chosen one, else the most costly of those that occur more than
 * once ---- */
void        lac_timeline_scope_watch(LacTimelineScope *scope, guint32 name);
const char *lac_timeline_scope_get_watched(LacTimelineScope *scope); /* (nullable) */
/* Returns: (nullable): durations of the operation in the range, or in the whole recording without a range; valid
 * until the scope changes. */
const LacDurations *lac_timeline_scope_get_durations(LacTimelineScope *scope);
/* Selects the calls that take between @low_ns and @high_ns; if the two are equal, none. */
void lac_timeline_scope_brush(LacTimelineScope *scope, double low_ns, double high_ns);
/* Gets the selected durations in the range, or in the whole recording without a range. Returns: FALSE if none are
 * selected. */
gboolean lac_timeline_scope_get_brush(LacTimelineScope *scope, LacDurationChoice *choice);

/* ---- the pointer's time, and the user's marks ---- */
#define LAC_NO_TIME G_MININT64
void   lac_timeline_scope_set_cursor(LacTimelineScope *scope, gint64 time_ns); /* or LAC_NO_TIME */
gint64 lac_timeline_scope_get_cursor(LacTimelineScope *scope);
/* Toggles a mark at the cursor, or else at the start of the selected bar. Marks are saved in the folder of the run. */
void lac_timeline_scope_toggle_mark(LacTimelineScope *scope);
/* Returns: the index of the mark at the time described above, created if necessary; -1 if there is no such time. */
gssize            lac_timeline_scope_put_mark(LacTimelineScope *scope);
void              lac_timeline_scope_remove_mark(LacTimelineScope *scope, gsize i);
void              lac_timeline_scope_set_words(LacTimelineScope *scope, gsize i, const char *words);
const LacRunMark *lac_timeline_scope_get_marks(LacTimelineScope *scope, gsize *n);
/* Replaces the marks shown; those in the folder of the run are unchanged. @marks: (transfer full): from
 * lac_run_marks_new() */
void lac_timeline_scope_show_marks(LacTimelineScope *scope, GArray *marks);

G_END_DECLS
