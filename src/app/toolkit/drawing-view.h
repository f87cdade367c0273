/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A widget that shows a drawing list: charts, parts of the timeline, overlays of a field. Subclasses implement
 * drawing, pointer and keys. Redrawn when the colour scheme, contrast or a unit changes. */
#pragma once

#include "report/canvas/canvas.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Returns the factor of the desktop's text size setting, which also applies to drawn text; 1: the usual size. */
double lac_drawing_text_scale(void);

#define LAC_DRAWING_FONT (11.0 * lac_drawing_text_scale()) /* points: text in charts on screen */

typedef enum { LAC_DRAG_BEGIN, LAC_DRAG_MOVE, LAC_DRAG_END } LacDragPhase;

#define LAC_TYPE_DRAWING_VIEW (lac_drawing_view_get_type())
G_DECLARE_DERIVABLE_TYPE(LacDrawingView, lac_drawing_view, LAC, DRAWING_VIEW, GtkWidget)

/* Each function may be NULL, but @draw or @paint_under must be set. Coordinates are in widget pixels. */
struct _LacDrawingViewClass {
  GtkWidgetClass parent_class;

  /* Fills the empty @drawing; anything outside the widget is clipped. */
  void (*draw)(LacDrawingView *view, LacDrawing *drawing, double width, double height);
  /* Appends bitmaps under the drawing; a transform left on @snapshot applies to the drawing too. */
  void (*paint_under)(LacDrawingView *view, GtkSnapshot *snapshot);
  /* A click was released at (@x, @y); a focusable view already has the focus. */
  void (*click)(LacDrawingView *view, double x, double y);
  /* @from_x: position of the button press, which gave the focus; @dx: offset since */
  void (*drag)(LacDrawingView *view, LacDragPhase phase, double from_x, double dx);
  /* If set, the view is focusable. Returns: GDK_EVENT_STOP if the key was handled */
  gboolean (*key)(LacDrawingView *view, guint key, GdkModifierType state);
};

/* Paints a drawing list as GSK render nodes. A test compares it with the paper painter report/canvas/paint.c.
 * @context: that of the widget */
void lac_drawing_snapshot(const LacDrawing *drawing, GtkSnapshot *snapshot, PangoContext *context);

/* Draws a message in place of missing content. */
void lac_drawing_show_message(LacDrawing *drawing,
                              double      width,
                              double      height,
                              LacColour   colour,
                              const char *words);

G_END_DECLS
