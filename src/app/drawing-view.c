/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Controllers are made for what a class listens to, and no others. */
#include "app/drawing-view.h"

#include "app/gsk-painter.h"
#include "app/style.h"

typedef struct {
  LacDrawing *drawing; /* empty between two pictures; keeps its memory */
  double      drag_x;
} LacDrawingViewPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE(LacDrawingView, lac_drawing_view, GTK_TYPE_WIDGET)

static void
lac_drawing_view_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  LacDrawingView *self = LAC_DRAWING_VIEW(widget);
  const LacDrawingViewClass *class = LAC_DRAWING_VIEW_GET_CLASS(self);
  LacDrawing *drawing =
    ((LacDrawingViewPrivate *) lac_drawing_view_get_instance_private(self))->drawing;
  const double width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);

  if (class->paint_under != NULL)
    class->paint_under(self, snapshot);
  if (class->draw == NULL)
    return;
  class->draw(self, drawing, width, height);
  lac_drawing_snapshot(drawing, snapshot, gtk_widget_get_pango_context(widget));
  lac_drawing_clear(drawing);
}

/* ---- pointer and keys ---- */

static void
on_released(GtkGestureClick *click, int n_press, double x, double y, LacDrawingView *self)
{
  gtk_widget_grab_focus(GTK_WIDGET(self));
  LAC_DRAWING_VIEW_GET_CLASS(self)->click(self, x, y);
}

static void
on_drag_begin(GtkGestureDrag *drag, double x, double y, LacDrawingView *self)
{
  LacDrawingViewPrivate *private = lac_drawing_view_get_instance_private(self);

  private->drag_x = x;
  gtk_widget_grab_focus(GTK_WIDGET(self));
  LAC_DRAWING_VIEW_GET_CLASS(self)->drag(self, LAC_DRAG_BEGIN, x, 0);
}

static void
on_drag_update(GtkGestureDrag *drag, double dx, double dy, LacDrawingView *self)
{
  LacDrawingViewPrivate *private = lac_drawing_view_get_instance_private(self);

  LAC_DRAWING_VIEW_GET_CLASS(self)->drag(self, LAC_DRAG_MOVE, private->drag_x, dx);
}

static void
on_drag_end(GtkGestureDrag *drag, double dx, double dy, LacDrawingView *self)
{
  LacDrawingViewPrivate *private = lac_drawing_view_get_instance_private(self);

  LAC_DRAWING_VIEW_GET_CLASS(self)->drag(self, LAC_DRAG_END, private->drag_x, dx);
}

static gboolean
on_key(GtkEventControllerKey *keys,
       guint                  key,
       guint                  code,
       GdkModifierType        state,
       LacDrawingView        *self)
{
  return LAC_DRAWING_VIEW_GET_CLASS(self)->key(self, key, state);
}

static void
lac_drawing_view_constructed(GObject *object)
{
  GtkWidget *widget = GTK_WIDGET(object);
  const LacDrawingViewClass *class = LAC_DRAWING_VIEW_GET_CLASS(object);

  G_OBJECT_CLASS(lac_drawing_view_parent_class)->constructed(object);
  if (class->click != NULL) {
    GtkGesture *click = gtk_gesture_click_new();
    g_signal_connect(click, "released", G_CALLBACK(on_released), object);
    gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(click));
  }
  if (class->drag != NULL) {
    GtkGesture *drag = gtk_gesture_drag_new();
    g_signal_connect(drag, "drag-begin", G_CALLBACK(on_drag_begin), object);
    g_signal_connect(drag, "drag-update", G_CALLBACK(on_drag_update), object);
    g_signal_connect(drag, "drag-end", G_CALLBACK(on_drag_end), object);
    gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(drag));
  }
  if (class->key != NULL) {
    GtkEventController *keys = gtk_event_controller_key_new();
    g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), object);
    gtk_widget_add_controller(widget, keys);
    gtk_widget_set_focusable(widget, TRUE);
  }
}

/* ---- the object ---- */

static void
lac_drawing_view_finalize(GObject *object)
{
  LacDrawingViewPrivate *private = lac_drawing_view_get_instance_private(LAC_DRAWING_VIEW(object));

  lac_drawing_free(private->drawing);
  G_OBJECT_CLASS(lac_drawing_view_parent_class)->finalize(object);
}

static void
lac_drawing_view_class_init(LacDrawingViewClass *class)
{
  G_OBJECT_CLASS(class)->constructed = lac_drawing_view_constructed;
  G_OBJECT_CLASS(class)->finalize = lac_drawing_view_finalize;
  GTK_WIDGET_CLASS(class)->snapshot = lac_drawing_view_snapshot;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
lac_drawing_view_init(LacDrawingView *self)
{
  LacDrawingViewPrivate *private = lac_drawing_view_get_instance_private(self);

  private->drawing = lac_drawing_new();
  gtk_widget_set_overflow(GTK_WIDGET(self), GTK_OVERFLOW_HIDDEN);
  lac_style_follow(GTK_WIDGET(self));
}

void
lac_drawing_say(LacDrawing *drawing,
                double      width,
                double      height,
                LacColour   colour,
                const char *words)
{
  lac_draw_text(drawing, width / 2, height / 2, LAC_ALIGN_CENTRE, LAC_DRAWING_FONT, colour, words);
}
