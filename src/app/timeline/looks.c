/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawing of the parts of the timeline: names, strip, ruler, lanes, tracks. */
#include "app/timeline/counters.h"
#include "app/timeline/part.h"
#include "app/toolkit/style.h"
#include "report/timeline/strip.h"

#include <glib/gi18n-lib.h>

#define STRIP_HEIGHT 34
#define GAP          6 /* below the strip */
#define LANES_HEIGHT 36
#define LANES_MOST   150 /* natural height, at most */
#define THUMB_WIDTH  4
#define NAME_GAP     8   /* between a name and its row */
#define FRAME_SIZE   3.5 /* half the diamond of a saved frame */
#define FRAME_ROOM   9.0 /* diamonds closer than this are merged */
#define CHANGE_SIZE  5.0 /* half the width of the triangle of a change */

/* ---- the strip: the iterations in view ---- */

static gboolean
has_iterations(LacTimelineScope *scope)
{
  LacRecording *recording = lac_timeline_scope_get_recording(scope);
  return recording != NULL && lac_recording_get_iterations(recording)->n > 0;
}

static int
measure_strip(LacTimelineScope *scope)
{
  return has_iterations(scope) ? STRIP_HEIGHT : 0;
}

/* Returns the iterations that lie in the view, borrowed. */
static LacIterations
find_visible(const LacIterations *all, const LacTimelineView *view)
{
  LacIterations visible = *all;
  gssize        first = MAX(lac_timeline_find_iteration(all, view->begin_ns), 0);
  gssize        last = lac_timeline_find_iteration(all, view->end_ns);
  visible.iterations = all->iterations + first;
  visible.n = last >= first ? (gsize) (last - first) + 1 : 0;
  return visible;
}

static void
draw_strip(LacTimelineScope *scope, LacDrawing *drawing, double width, double height)
{
  LacTimelineView      view = lac_timeline_part_view(scope, width, height);
  const LacIterations *all = lac_recording_get_iterations(lac_timeline_scope_get_recording(scope));
  const LacIterations  visible = find_visible(all, &view);
  if (visible.n > 0)
    lac_timeline_draw_strip(&visible, drawing, &view, height - GAP,
                            lac_timeline_scope_get_target(scope), lac_style_palette());
}

const LacTimelineLook lac_timeline_strip_look = {LAC_SCOPE_DATA | LAC_SCOPE_VIEW | LAC_SCOPE_TARGET,
                                                 measure_strip, draw_strip};

/* ---- the ruler: times, marks, saved frames ---- */

static int
measure_ruler(LacTimelineScope *scope)
{
  return LAC_TIMELINE_RULER_HEIGHT;
}

/* Draws a flag, with as much of its text as fits before the next one. */
static void
draw_own_marks(LacTimelineScope *scope, LacDrawing *drawing, const LacTimelineView *view)
{
  const LacPalette *palette = lac_style_palette();
  LacColour         chip = palette->background;
  double            scale = view->width / (double) (view->end_ns - view->begin_ns);
  gsize             n;
  const LacRunMark *marks = lac_timeline_scope_get_marks(scope, &n);
  chip.alpha = 0.85F;
  for (gsize i = 0; i < n; i++) {
    double x = (double) (marks[i].time_ns - view->begin_ns) * scale;
    double next =
      i + 1 < n ? (double) (marks[i + 1].time_ns - view->begin_ns) * scale : G_MAXDOUBLE;
    LacPoint flag[] = {{x, 12}, {x + 9, 16}, {x, 20}};
    if (x < 0 || x > view->width)
      continue;
    lac_draw_rectangle(drawing, x - 0.5, 12, 1, view->height - 12, palette->foreground);
    lac_draw_polygon(drawing, flag, 3, palette->foreground);
    double room = MIN(next, view->width) - x - 15;
    if (*marks[i].words == '\0' || room < 2 * view->font_size)
      continue;
    g_autofree char *words = lac_text_dup_fitted(marks[i].words, view->font_size, FALSE, room);
    double           width = lac_text_width(words, view->font_size, FALSE);
    lac_draw_rectangle(drawing, x + 10, 13, width + 4, view->font_size + 3, chip);
    lac_draw_text(drawing, x + 12, 13 + view->font_size, LAC_ALIGN_LEFT, view->font_size,
                  palette->foreground, words);
  }
}

/* Draws the mark of a saved frame around (@x, @y). */
static void
draw_frame_mark(LacDrawing *drawing, double x, double y)
{
  const double   r = FRAME_SIZE;
  const LacPoint diamond[] = {{x - r, y}, {x, y - r}, {x + r, y}, {x, y + r}};
  lac_draw_polygon(drawing, diamond, G_N_ELEMENTS(diamond), lac_style_palette()->series[2]);
}

/* Draws the mark of a change, a triangle that points to (@x, @y). */
static void
draw_change_mark(LacDrawing *drawing, double x, double y)
{
  const LacPoint mark[] = {
    {x - CHANGE_SIZE, y - CHANGE_SIZE}, {x + CHANGE_SIZE, y - CHANGE_SIZE}, {x, y}};
  lac_draw_polygon(drawing, mark, G_N_ELEMENTS(mark), lac_style_palette()->series[1]);
}

static void
draw_frames(LacTimelineScope *scope, LacDrawing *drawing, const LacTimelineView *view)
{
  double        scale = view->width / (double) (view->end_ns - view->begin_ns);
  double        y = view->height - FRAME_SIZE - 1, last = -G_MAXDOUBLE;
  gsize         n;
  const gint64 *times = lac_timeline_scope_get_frames(scope, &n);
  for (gsize i = 0; i < n; i++) {
    double x = (double) (times[i] - view->begin_ns) * scale;
    if (x < 0 || x > view->width || x - last < FRAME_ROOM)
      continue;
    last = x;
    draw_frame_mark(drawing, x, y);
  }
}

/* Writes what was changed over the name of the command's mark, with as much of it as fits before @next. */
static void
draw_change_words(const LacTimelineChange *change,
                  LacDrawing              *drawing,
                  const LacTimelineView   *view,
                  double                   x,
                  double                   next)
{
  const LacPalette *palette = lac_style_palette();
  const double      size = view->font_size, room = MIN(next, view->width) - x - 3 * CHANGE_SIZE;
  if (room < 4 * size)
    return;
  g_autofree char *words = lac_text_dup_fitted(change->words, size, FALSE, room);
  lac_draw_rectangle(drawing, x + CHANGE_SIZE, view->height - size - 4,
                     lac_text_width(words, size, FALSE) + CHANGE_SIZE, size + 4,
                     palette->background);
  lac_draw_text(drawing, x + 1.5 * CHANGE_SIZE, view->height - 4, LAC_ALIGN_LEFT, size,
                palette->foreground, words);
}

/* Draws a triangle for each change of a setting; its line crosses the rows below. */
static void
draw_changes(LacTimelineScope *scope, LacDrawing *drawing, const LacTimelineView *view)
{
  const double             scale = view->width / (double) (view->end_ns - view->begin_ns);
  gsize                    n;
  const LacTimelineChange *changes = lac_timeline_scope_get_changes(scope, &n);
  for (gsize i = 0; i < n; i++) {
    const double x = (double) (changes[i].time_ns - view->begin_ns) * scale;
    if (x < 0 || x > view->width)
      continue;
    draw_change_words(&changes[i], drawing, view, x,
                      i + 1 < n ? (double) (changes[i + 1].time_ns - view->begin_ns) * scale
                                : view->width);
    draw_change_mark(drawing, x, view->height - 1);
  }
}

static void
draw_ruler(LacTimelineScope *scope, LacDrawing *drawing, double width, double height)
{
  LacTimelineView view = lac_timeline_part_view(scope, width, height);
  lac_timeline_draw_ruler(lac_recording_get_timeline(lac_timeline_scope_get_recording(scope)),
                          drawing, &view, lac_style_palette());
  draw_frames(scope, drawing, &view);
  draw_changes(scope, drawing, &view);
  draw_own_marks(scope, drawing, &view);
}

const LacTimelineLook lac_timeline_ruler_look = {
  LAC_SCOPE_DATA | LAC_SCOPE_VIEW | LAC_SCOPE_MARKS | LAC_SCOPE_CHANGES, measure_ruler, draw_ruler};

/* ---- the lanes ---- */

static int
measure_lanes(LacTimelineScope *scope)
{
  return LANES_HEIGHT;
}

static void
draw_lanes(LacTimelineScope *scope, LacDrawing *drawing, double width, double height)
{
  LacTimelineView view = lac_timeline_part_view(scope, width, height);
  lac_timeline_draw_lanes(lac_recording_get_timeline(lac_timeline_scope_get_recording(scope)),
                          drawing, &view, lac_style_palette());
}

/* All lanes, if they are few. */
static int
prefer_lanes(LacTimelineScope *scope)
{
  if (lac_timeline_scope_is_empty(scope))
    return LANES_HEIGHT;
  double height = lac_timeline_get_height(
    lac_recording_get_timeline(lac_timeline_scope_get_recording(scope)), LAC_TIMELINE_FONT);
  return MIN((int) height + 1, LANES_MOST);
}

const LacTimelineLook lac_timeline_lanes_look = {
  LAC_SCOPE_DATA | LAC_SCOPE_VIEW | LAC_SCOPE_SEARCH | LAC_SCOPE_CHOSEN | LAC_SCOPE_LOOKS,
  measure_lanes, draw_lanes, prefer_lanes};

/* Height of the strip that shows the selected durations, above the lanes. */
static int
measure_brush(LacTimelineScope *scope)
{
  return 0;
}

static void
draw_brush(LacTimelineScope *scope, LacDrawing *drawing, double width, double height)
{
  LacDurationChoice   choice;
  LacTimelineView     view = lac_timeline_part_view(scope, width, height);
  const LacDurations *durations;
  if (!lac_timeline_scope_get_brush(scope, &choice) ||
      (durations = lac_timeline_scope_get_durations(scope)) == NULL)
    return;
  lac_durations_draw_marks(durations, &choice,
                           lac_recording_get_timeline(lac_timeline_scope_get_recording(scope)),
                           drawing, &view, lac_style_palette()->foreground);
}

const LacTimelineLook lac_timeline_brush_look = {LAC_SCOPE_DATA | LAC_SCOPE_VIEW | LAC_SCOPE_RANGE |
                                                   LAC_SCOPE_DURATIONS,
                                                 measure_brush, draw_brush};

/* ---- the tracks ---- */

static int
measure_tracks(LacTimelineScope *scope)
{
  return (int) MIN(lac_timeline_scope_get_counters(scope)->len, LAC_TIMELINE_TRACKS) *
         LAC_TIMELINE_TRACK_HEIGHT;
}

/* Draws a scroll thumb for the visible share of the tracks. */
static void
draw_thumb(LacTimelineScope *scope, LacDrawing *drawing, double width, double height, gsize n)
{
  const double whole = (double) n * LAC_TIMELINE_TRACK_HEIGHT;
  LacColour    colour = lac_style_palette()->foreground;
  if (whole <= height)
    return;
  colour.alpha = 0.35F;
  lac_draw_rectangle(drawing, width - THUMB_WIDTH,
                     lac_timeline_scope_get_track_offset(scope) / whole * height, THUMB_WIDTH,
                     height / whole * height, colour);
}

static void
draw_tracks(LacTimelineScope *scope, LacDrawing *drawing, double width, double height)
{
  const double    offset = lac_timeline_scope_get_track_offset(scope);
  LacTimelineView view = lac_timeline_part_view(scope, width, height);
  const GArray   *rows = lac_timeline_scope_get_counters(scope);
  const gint64    cursor = lac_timeline_scope_get_cursor(scope);
  const guint     first = (guint) (offset / LAC_TIMELINE_TRACK_HEIGHT);
  const guint     end = (guint) ((offset + height - 1) / LAC_TIMELINE_TRACK_HEIGHT) + 1;
  lac_draw_clip(drawing, 0, 0, width, height);
  for (guint i = first; i < MIN(rows->len, end); i++) {
    const double top = (double) i * LAC_TIMELINE_TRACK_HEIGHT - offset;
    lac_draw_rectangle(drawing, 0, top, width, 1, lac_style_palette()->grid);
    lac_counter_row_draw(&g_array_index(rows, LacCounterRow, i), drawing, &view, top,
                         LAC_TIMELINE_TRACK_HEIGHT, cursor != LAC_NO_TIME ? cursor : view.end_ns);
  }
  draw_thumb(scope, drawing, width, height, rows->len);
  lac_draw_unclip(drawing);
}

const LacTimelineLook lac_timeline_tracks_look = {
  LAC_SCOPE_DATA | LAC_SCOPE_VIEW | LAC_SCOPE_CURSOR, measure_tracks, draw_tracks};

/* ---- the names beside the rows ---- */

static int
measure_names(LacTimelineScope *scope)
{
  return 0;
}

static void
draw_track_names(LacTimelineScope *scope,
                 LacDrawing       *drawing,
                 double            room,
                 double            top,
                 double            height)
{
  const GArray *rows = lac_timeline_scope_get_counters(scope);
  lac_draw_clip(drawing, 0, top, room, height);
  for (guint i = 0; i < rows->len; i++) {
    const double y =
      top + (double) i * LAC_TIMELINE_TRACK_HEIGHT - lac_timeline_scope_get_track_offset(scope);
    g_autofree char *name = lac_text_dup_fitted(g_array_index(rows, LacCounterRow, i).label,
                                                LAC_TIMELINE_FONT, FALSE, room);
    if (y + LAC_TIMELINE_TRACK_HEIGHT > top && y < top + height)
      lac_draw_text(drawing, 0, y + 0.5 * LAC_TIMELINE_TRACK_HEIGHT + 0.36 * LAC_TIMELINE_FONT,
                    LAC_ALIGN_LEFT, LAC_TIMELINE_FONT, lac_style_palette()->foreground, name);
  }
  lac_draw_unclip(drawing);
}

/* Draws a mark and its meaning in a line that ends at @bottom. */
static void
draw_key(LacDrawing *drawing,
         void (*draw_mark)(LacDrawing *drawing, double x, double y),
         const char *name,
         double      shift,
         double      bottom,
         double      width)
{
  const double     left = 3 * CHANGE_SIZE;
  g_autofree char *fitted = lac_text_dup_fitted(name, LAC_TIMELINE_FONT, FALSE, width - left);
  draw_mark(drawing, CHANGE_SIZE, bottom - shift);
  lac_draw_text(drawing, left, bottom, LAC_ALIGN_LEFT, LAC_TIMELINE_FONT,
                lac_style_palette()->foreground, fitted);
}

/* Draws the key of the marks on the ruler: those that there are. */
static void
draw_keys(LacTimelineScope *scope, LacDrawing *drawing, double width)
{
  gsize  n;
  double bottom = LAC_TIMELINE_RULER_HEIGHT - 2;
  lac_timeline_scope_get_frames(scope, &n);
  if (n > 0) {
    draw_key(drawing, draw_frame_mark, _("frames"), FRAME_SIZE, bottom, width);
    bottom -= LAC_TIMELINE_FONT + 3;
  }
  lac_timeline_scope_get_changes(scope, &n);
  if (n > 0)
    draw_key(drawing, draw_change_mark, _("changes"), 0.5 * CHANGE_SIZE - 1, bottom, width);
}

static void
draw_names(LacTimelineScope *scope, LacDrawing *drawing, double width, double height)
{
  const LacPalette     *palette = lac_style_palette();
  const double          strip = measure_strip(scope), tracks = measure_tracks(scope);
  const double          top = LAC_TIMELINE_RULER_HEIGHT + strip, room = height - top - tracks;
  LacTimelineView       view = lac_timeline_part_view(scope, width - NAME_GAP, room);
  g_autoptr(LacDrawing) lanes = lac_drawing_new();
  draw_keys(scope, drawing, width - NAME_GAP);
  if (strip > 0) {
    g_autofree char *name =
      lac_text_dup_fitted(_("iterations"), LAC_TIMELINE_FONT, FALSE, width - NAME_GAP);
    lac_draw_text(drawing, 0, LAC_TIMELINE_RULER_HEIGHT + strip - GAP - 2, LAC_ALIGN_LEFT,
                  LAC_TIMELINE_FONT, palette->foreground, name);
  }
  lac_timeline_draw_names(lac_recording_get_timeline(lac_timeline_scope_get_recording(scope)),
                          lanes, &view, palette);
  lac_draw_clip(drawing, 0, top, width, MAX(room, 0));
  lac_drawing_append(drawing, lanes, 0, top);
  lac_draw_unclip(drawing);
  draw_track_names(scope, drawing, width - NAME_GAP, height - tracks, tracks);
}

const LacTimelineLook lac_timeline_names_look = {
  LAC_SCOPE_DATA | LAC_SCOPE_VIEW | LAC_SCOPE_CHANGES, measure_names, draw_names};
