/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A widget that a drawing list fills: charts, parts of the timeline, what lies over a field. Its class says how it is drawn and what
 * pointer and keys do there; it is drawn again whenever light, dark, contrast or a unit changes. */
#pragma once

#include "report/canvas/canvas.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_DRAWING_FONT 11.0 /* of a chart on screen */

typedef enum { LAC_DRAG_BEGIN, LAC_DRAG_MOVE, LAC_DRAG_END } LacDragPhase;

#define LAC_TYPE_DRAWING_VIEW (lac_drawing_view_get_type())
G_DECLARE_DERIVABLE_TYPE(LacDrawingView, lac_drawing_view, LAC, DRAWING_VIEW, GtkWidget)

/* All but one of @draw and @paint_under may be NULL. Coordinates are in pixels of the widget. */
struct _LacDrawingViewClass {
  GtkWidgetClass parent_class;

  /* Fills @drawing, which is empty; what is beyond the widget is cut off. */
  void (*draw)(LacDrawingView *view, LacDrawing *drawing, double width, double height);
  /* Appends pictures of pixels, which lie under the drawing; a transform that it leaves holds for the drawing too. */
  void (*paint_under)(LacDrawingView *view, GtkSnapshot *snapshot);
  /* A click has ended at a place; the view has the focus if it can. */
  void (*click)(LacDrawingView *view, double x, double y);
  /* @from_x: where the button went down, which gave the focus; @dx: moved since */
  void (*drag)(LacDrawingView *view, LacDragPhase phase, double from_x, double dx);
  /* The view can have the focus where there is this. Returns: GDK_EVENT_STOP for a key of its own */
  gboolean (*key)(LacDrawingView *view, guint key, GdkModifierType state);
};

/* The screen painter: a drawing list as render nodes. Its twin for paper is report/canvas/paint.c; a test holds them together.
 * @context: of the widget that shows it. */
void lac_drawing_snapshot(const LacDrawing *drawing, GtkSnapshot *snapshot, PangoContext *context);

/* Says in place of a drawing why there is none. */
void lac_drawing_show_message(LacDrawing *drawing,
                              double      width,
                              double      height,
                              LacColour   colour,
                              const char *words);

G_END_DECLS
