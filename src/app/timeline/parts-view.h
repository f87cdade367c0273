/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A drawing of named parts: a bar or a flame graph. The pointer, the arrow keys and screen readers go from part to
 * part; a click or Enter chooses one, Escape lets go. Subclasses draw and choose. */
#pragma once

#include "app/timeline/times.h"
#include "app/toolkit/drawing-view.h"
#include "report/timeline/hits.h"

G_BEGIN_DECLS

#define LAC_TYPE_PARTS_VIEW (lac_parts_view_get_type())
G_DECLARE_DERIVABLE_TYPE(LacPartsView, lac_parts_view, LAC, PARTS_VIEW, LacDrawingView)

struct _LacPartsViewClass {
  LacDrawingViewClass parent_class;

  /* Draws @times. @drawing: (nullable): measures only. @hits: (nullable). Returns: the height used. */
  double (*paint)(LacPartsView   *view,
                  const LacTimes *times,
                  LacDrawing     *drawing,
                  double          width,
                  GArray         *hits);
  /* Returns: (transfer full): name, share and time of a part. */
  char *(*describe)(LacPartsView *view, const LacTimes *times, gsize part);
  void (*choose)(LacPartsView *view, const LacHit *hit);
  /* Returns the part of the chosen name; -1: none. */
  gssize (*find_chosen)(LacPartsView *view, const LacTimes *times);
};

void              lac_parts_view_set_times(LacPartsView *view, LacTimelineTimes *times);
LacTimelineTimes *lac_parts_view_get_times(LacPartsView *view); /* (transfer none) */
/* Measures and draws again. */
void lac_parts_view_update(LacPartsView *view);
/* Returns: the height at @width, in pixels */
int lac_parts_view_find_height(LacPartsView *view, int width);

/* Moves the position of the keys to @part, as the arrow keys do. */
void lac_parts_view_move_to(LacPartsView *view, gsize part);
/* Chooses the part at the position of the keys, as Enter does. */
void lac_parts_view_activate(LacPartsView *view);

G_END_DECLS
