/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of counters below the lanes: memory first, then the errors of all methods in one row, in the colours of their
 * curves, then the others, one a row. */
#pragma once

#include "app/timeline/scope.h"

G_BEGIN_DECLS

#define LAC_COUNTERS_MOST 6 /* in a row */

typedef struct {
  const char     *label; /* translated */
  gboolean        is_error;
  const LacTrack *tracks[LAC_COUNTERS_MOST]; /* [n] */
  guint           looks[LAC_COUNTERS_MOST];  /* of the curves, report/plot/plot.h; 0: none */
  gsize           n;
} LacCounterRow;

/* Returns: (transfer full) (element-type LacCounterRow): borrows the tracks of @recording. */
GArray *lac_counter_rows_new(LacRecording *recording);

/* Draws a row into a box of view->width, with the values at the pointer, else at the right end of the view. */
void lac_counter_row_draw(const LacCounterRow   *row,
                          LacDrawing            *drawing,
                          const LacTimelineView *view,
                          double                 top,
                          double                 height,
                          gint64                 time_ns);

G_END_DECLS
