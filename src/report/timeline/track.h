/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A quantity sampled over the time of a timeline, drawn as a small track below the lanes. */
#pragma once

#include "report/timeline/timeline.h"

G_BEGIN_DECLS

/* Samples in order of time; append-only. Not thread-safe. */
typedef struct _LacTrack LacTrack;

/* @unit: "B" for bytes; (nullable) */
LacTrack *lac_track_new(const char *label, const char *unit);
void      lac_track_free(LacTrack *track);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTrack, lac_track_free)

/* Selects a logarithmic axis, used while all visible values are positive. */
void lac_track_set_logarithmic(LacTrack *track);

const char *lac_track_get_label(const LacTrack *track);
const char *lac_track_get_unit(const LacTrack *track); /* "" without one */
gsize       lac_track_get_n(const LacTrack *track);

void lac_track_add(LacTrack *track, gint64 time_ns, double value); /* @value: finite */

/* Finds the range of samples first ... first + n - 1, n > 0. */
void lac_track_get_range(const LacTrack *track, gsize first, gsize n, double *low, double *high);
/* Finds the last sample at or before @time_ns. Returns: FALSE before the first. */
gboolean lac_track_get_at(const LacTrack *track, gint64 time_ns, double *value);

/* Draws the visible samples into a box scaled to their range, from @top down; a value holds until the next. */
void lac_track_draw(const LacTrack        *track,
                    LacDrawing            *drawing,
                    const LacTimelineView *view,
                    double                 top,
                    double                 height,
                    LacColour              colour);

/* Finds the range of the visible samples. Returns: FALSE if none are visible. */
gboolean
lac_track_find_range(const LacTrack *track, const LacTimelineView *view, double *low, double *high);

/* A box with a scale shared by tracks that are compared: @low is at its bottom. */
typedef struct {
  double   top, height;
  double   low, high;
  gboolean is_logarithmic; /* only where @low is positive */
} LacTrackScale;

/* Draws the visible samples like lac_track_draw(), on a given scale. */
void lac_track_draw_scaled(const LacTrack        *track,
                           LacDrawing            *drawing,
                           const LacTimelineView *view,
                           const LacTrackScale   *scale,
                           LacColour              colour);

G_END_DECLS
