/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A histogram with a brush. */
#include "app/timeline/duration-view.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/style.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define STILL 3.0 /* pixels: a shorter drag is a click, which clears the range */

struct _LacDurationView {
  LacDrawingView    parent_instance;
  LacTimelineScope *scope;
  LacDurationChart  chart;
};

G_DEFINE_FINAL_TYPE(LacDurationView, lac_duration_view, LAC_TYPE_DRAWING_VIEW)

static void
fit(LacDurationView *self)
{
  LacDurationChoice choice;
  gboolean          any = lac_timeline_scope_get_brush(self->scope, &choice);
  self->chart.width = gtk_widget_get_width(GTK_WIDGET(self));
  self->chart.height = gtk_widget_get_height(GTK_WIDGET(self));
  self->chart.font_size = LAC_DRAWING_FONT;
  self->chart.low_ns = any ? choice.low_ns : 0;
  self->chart.high_ns = any ? choice.high_ns : 0;
}

static void
lac_duration_view_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacDurationView *self = LAC_DURATION_VIEW(view);
  if (self->scope == NULL)
    return;
  fit(self);
  lac_duration_chart_draw(&self->chart, drawing, lac_style_palette());
}

/* ---- pointer and keys ---- */

static void
lac_duration_view_drag(LacDrawingView *view, LacDragPhase phase, double from_x, double dx)
{
  LacDurationView *self = LAC_DURATION_VIEW(view);
  if (phase == LAC_DRAG_END && fabs(dx) < STILL)
    lac_timeline_scope_brush(self->scope, 0, 0);
  if (phase != LAC_DRAG_MOVE || self->chart.n == 0 || fabs(dx) < STILL)
    return;
  fit(self);
  lac_timeline_scope_brush(self->scope, lac_duration_chart_get_ns(&self->chart, from_x),
                           lac_duration_chart_get_ns(&self->chart, from_x + dx));
}

/* Moves a bound by bins; without a range starts with p90 to the maximum. */
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
lac_duration_view_key(LacDrawingView *view, guint key, GdkModifierType state)
{
  LacDurationView  *self = LAC_DURATION_VIEW(view);
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
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_duration_view_draw;
  LAC_DRAWING_VIEW_CLASS(class)->drag = lac_duration_view_drag;
  LAC_DRAWING_VIEW_CLASS(class)->key = lac_duration_view_key;
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "timeline");
}

static void
lac_duration_view_init(LacDurationView *self)
{
  lac_accessible_name(
    self, _("Duration histogram; arrow keys move the upper limit, with Shift the lower one"));
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
