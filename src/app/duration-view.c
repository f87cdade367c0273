/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A histogram with a brush. */
#include "app/duration-view.h"

#include "app/accessible.h"
#include "app/gsk-painter.h"
#include "app/style.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define FONT  11.0
#define STILL 3.0 /* pixels: a drag shorter than this is a click, which lets go */

struct _LacDurationView {
  GtkWidget         parent_instance;
  LacTimelineScope *scope;
  LacDurationChart  chart;
};

G_DEFINE_FINAL_TYPE(LacDurationView, lac_duration_view, GTK_TYPE_WIDGET)

static void
fit(LacDurationView *self)
{
  LacDurationChoice choice;
  gboolean          any = lac_timeline_scope_get_brush(self->scope, &choice);
  self->chart.width = gtk_widget_get_width(GTK_WIDGET(self));
  self->chart.height = gtk_widget_get_height(GTK_WIDGET(self));
  self->chart.font_size = FONT;
  self->chart.low_ns = any ? choice.low_ns : 0;
  self->chart.high_ns = any ? choice.high_ns : 0;
}

static void
lac_duration_view_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  LacDurationView      *self = LAC_DURATION_VIEW(widget);
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  if (self->scope == NULL)
    return;
  fit(self);
  lac_duration_chart_draw(&self->chart, drawing, lac_style_palette());
  lac_drawing_snapshot(drawing, snapshot, gtk_widget_get_pango_context(widget));
}

/* ---- pointer and keys ---- */

static void
on_drag(GtkGestureDrag *drag, double dx, double dy, LacDurationView *self)
{
  double x, y;
  if (self->chart.n == 0 || !gtk_gesture_drag_get_start_point(drag, &x, &y) || fabs(dx) < STILL)
    return;
  fit(self);
  lac_timeline_scope_brush(self->scope, lac_duration_chart_get_ns(&self->chart, x),
                           lac_duration_chart_get_ns(&self->chart, x + dx));
}

static void
on_drag_end(GtkGestureDrag *drag, double dx, double dy, LacDurationView *self)
{
  if (fabs(dx) < STILL)
    lac_timeline_scope_brush(self->scope, 0, 0);
}

static void
on_pressed(GtkGestureClick *click, int n_press, double x, double y, LacDurationView *self)
{
  gtk_widget_grab_focus(GTK_WIDGET(self));
}

/* By bins, from p90 to the end where nothing is chosen yet. */
static void
move(LacDurationView *self, gboolean low, int by)
{
  const LacDurationBins *bins = &self->chart.series[0].bins;
  double                 ratio = pow(bins->high_ns / bins->low_ns, 1.0 / LAC_DURATION_BINS);
  LacDurationChoice      choice;
  if (!lac_timeline_scope_get_brush(self->scope, &choice)) {
    lac_timeline_scope_brush(self->scope, self->chart.series[0].percentiles_ns[LAC_PERCENTILE_90],
                             bins->high_ns);
    return;
  }
  double *end = low ? &choice.low_ns : &choice.high_ns;
  *end = CLAMP(*end * pow(ratio, by), bins->low_ns, bins->high_ns);
  if (choice.low_ns * 1.0001 < choice.high_ns)
    lac_timeline_scope_brush(self->scope, choice.low_ns, choice.high_ns);
}

static gboolean
on_key(GtkEventControllerKey *keys,
       guint                  key,
       guint                  code,
       GdkModifierType        state,
       LacDurationView       *self)
{
  LacDurationChoice choice;
  gboolean          low = (state & GDK_SHIFT_MASK) != 0;
  if (self->chart.n == 0 || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)))
    return GDK_EVENT_PROPAGATE;
  if (key == GDK_KEY_Left || key == GDK_KEY_Right)
    move(self, low, key == GDK_KEY_Left ? -1 : 1);
  else if (key == GDK_KEY_Escape && lac_timeline_scope_get_brush(self->scope, &choice))
    lac_timeline_scope_brush(self->scope, 0, 0);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

/* ---- the object ---- */

static void
lac_duration_view_dispose(GObject *object)
{
  g_clear_object(&LAC_DURATION_VIEW(object)->scope);
  G_OBJECT_CLASS(lac_duration_view_parent_class)->dispose(object);
}

static void
lac_duration_view_class_init(LacDurationViewClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_duration_view_dispose;
  GTK_WIDGET_CLASS(class)->snapshot = lac_duration_view_snapshot;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "timeline");
}

static void
lac_duration_view_init(LacDurationView *self)
{
  GtkGesture         *drag = gtk_gesture_drag_new(), *click = gtk_gesture_click_new();
  GtkEventController *keys = gtk_event_controller_key_new();
  g_signal_connect(drag, "drag-update", G_CALLBACK(on_drag), self);
  g_signal_connect(drag, "drag-end", G_CALLBACK(on_drag_end), self);
  g_signal_connect(click, "pressed", G_CALLBACK(on_pressed), self);
  g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), self);
  gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(drag));
  gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(click));
  gtk_widget_add_controller(GTK_WIDGET(self), keys);
  gtk_widget_set_focusable(GTK_WIDGET(self), TRUE);
  gtk_widget_set_overflow(GTK_WIDGET(self), GTK_OVERFLOW_HIDDEN);
  lac_style_follow(GTK_WIDGET(self));
  lac_accessible_name(
    self, _("How long calls took; arrows choose up to a duration, with Shift from one on"));
}

void
lac_duration_view_set_scope(LacDurationView *self, LacTimelineScope *scope)
{
  g_return_if_fail(LAC_IS_DURATION_VIEW(self) && self->scope == NULL);
  self->scope = g_object_ref(scope);
}

void
lac_duration_view_show(LacDurationView *self, const LacDurationChart *chart)
{
  g_return_if_fail(LAC_IS_DURATION_VIEW(self) && chart != NULL);
  self->chart = *chart;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}
