/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part of the timeline: draws the scope, again whenever the data it shows changes. */
#include "app/timeline/part.h"

struct _LacTimelinePart {
  LacDrawingView         parent_instance;
  const LacTimelineLook *look;
  LacTimelineScope      *scope;
  int                    least_height, natural_height;
};

G_DEFINE_FINAL_TYPE(LacTimelinePart, lac_timeline_part, LAC_TYPE_DRAWING_VIEW)

static void
lac_timeline_part_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacTimelinePart *self = LAC_TIMELINE_PART(view);
  if (!lac_timeline_scope_is_empty(self->scope))
    self->look->draw(self->scope, drawing, width, height);
}

static void
lac_timeline_part_measure(GtkWidget     *widget,
                          GtkOrientation orientation,
                          int            for_size,
                          int           *minimum,
                          int           *natural,
                          int           *minimum_baseline,
                          int           *natural_baseline)
{
  LacTimelinePart *self = LAC_TIMELINE_PART(widget);
  const gboolean   is_height = orientation == GTK_ORIENTATION_VERTICAL;
  *minimum = is_height ? self->least_height : 0;
  *natural = is_height ? self->natural_height : 0;
}

/* Returns: TRUE if they have changed. */
static gboolean
find_heights(LacTimelinePart *self)
{
  const int least = self->look->measure(self->scope);
  const int natural =
    self->look->prefer != NULL ? MAX(least, self->look->prefer(self->scope)) : least;
  const gboolean has_changed = least != self->least_height || natural != self->natural_height;
  self->least_height = least;
  self->natural_height = natural;
  return has_changed;
}

static void
on_changed(LacTimelinePart *self, guint what)
{
  if (find_heights(self))
    gtk_widget_queue_resize(GTK_WIDGET(self));
  if (what & self->look->redraws)
    gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void
lac_timeline_part_finalize(GObject *object)
{
  g_clear_object(&LAC_TIMELINE_PART(object)->scope);
  G_OBJECT_CLASS(lac_timeline_part_parent_class)->finalize(object);
}

static void
lac_timeline_part_class_init(LacTimelinePartClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = lac_timeline_part_finalize;
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_timeline_part_draw;
  widget_class->measure = lac_timeline_part_measure;
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
lac_timeline_part_init(LacTimelinePart *self)
{
  gtk_widget_set_hexpand(GTK_WIDGET(self), TRUE);
}

GtkWidget *
lac_timeline_part_new(const LacTimelineLook *look, LacTimelineScope *scope)
{
  g_return_val_if_fail(look != NULL && LAC_IS_TIMELINE_SCOPE(scope), NULL);
  LacTimelinePart *self = g_object_new(LAC_TYPE_TIMELINE_PART, NULL);
  self->look = look;
  self->scope = g_object_ref(scope);
  find_heights(self);
  g_signal_connect_object(scope, "changed", G_CALLBACK(on_changed), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}

LacTimelineView
lac_timeline_part_view(LacTimelineScope *scope, double width, double height)
{
  LacTimelineView view = {
    .width = width,
    .height = height,
    .font_size = LAC_TIMELINE_FONT,
    .offset = lac_timeline_scope_get_offset(scope),
    .match = lac_timeline_scope_get_highlight(scope),
    .looks = lac_timeline_scope_get_looks(scope),
  };
  lac_timeline_scope_get_view(scope, &view.begin_ns, &view.end_ns);
  return view;
}
