/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves as a drawing list of report/plot.h. */
#include "app/curve-view.h"

#include "app/gsk-painter.h"
#include "app/style.h"

#include <glib/gi18n-lib.h>

#define MAX_CURVES 6
#define FONT       11.0

struct _LacCurveView {
  GtkWidget   parent_instance;
  LacSession *session;
  gboolean    against_seconds;
};

G_DEFINE_FINAL_TYPE(LacCurveView, lac_curve_view, GTK_TYPE_WIDGET)

/* The logarithmic ones share an axis; where there are none, the results do. */
static gsize
choose(const LacMetric *metrics, gsize n_metrics, gsize chosen[MAX_CURVES], gboolean *log_axis)
{
  gsize n = 0;
  *log_axis = TRUE;
  for (gsize i = 0; i < n_metrics && n < MAX_CURVES; i++)
    if (metrics[i].log_axis)
      chosen[n++] = i;
  if (n > 0)
    return n;
  *log_axis = FALSE;
  for (gsize i = 0; i < n_metrics && n < MAX_CURVES; i++)
    if (metrics[i].is_result)
      chosen[n++] = i;
  return n;
}

static void
lac_curve_view_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  LacCurveView *self = LAC_CURVE_VIEW(widget);
  if (self->session == NULL)
    return;
  gsize            n_metrics, chosen[MAX_CURVES];
  gboolean         log_axis;
  const LacMetric *metrics = lac_session_get_metrics(self->session, &n_metrics);
  gsize            n = choose(metrics, n_metrics, chosen, &log_axis);
  LacSeries        series[MAX_CURVES];
  for (gsize i = 0; i < n; i++) {
    LacSessionSeries values = lac_session_get_series(self->session, chosen[i]);
    series[i] = (LacSeries){
      .label = g_dgettext(GETTEXT_PACKAGE, metrics[chosen[i]].label),
      .x = self->against_seconds ? values.seconds : values.step,
      .y = values.values,
      .n = values.n,
    };
  }
  LacPlotStyle style = {
    .x_label = self->against_seconds ? _("compute time (s)") : _("step"),
    .y_label = "",
    .log_y = log_axis,
    .font_size = FONT,
  };
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  lac_plot_curves(drawing, 0, 0, gtk_widget_get_width(widget), gtk_widget_get_height(widget),
                  series, n, &style, lac_style_palette());
  lac_drawing_snapshot(drawing, snapshot, gtk_widget_get_pango_context(widget));
}

static void
lac_curve_view_dispose(GObject *object)
{
  lac_curve_view_set_session(LAC_CURVE_VIEW(object), NULL);
  G_OBJECT_CLASS(lac_curve_view_parent_class)->dispose(object);
}

static void
lac_curve_view_class_init(LacCurveViewClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_curve_view_dispose;
  GTK_WIDGET_CLASS(class)->snapshot = lac_curve_view_snapshot;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
lac_curve_view_init(LacCurveView *self)
{
  lac_style_follow(GTK_WIDGET(self));
  gtk_widget_set_overflow(GTK_WIDGET(self), GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Curves of the run"), -1);
}

void
lac_curve_view_set_session(LacCurveView *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_CURVE_VIEW(self));
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  g_set_object(&self->session, session);
  if (session != NULL)
    g_signal_connect_object(session, "series-changed", G_CALLBACK(gtk_widget_queue_draw), self,
                            G_CONNECT_SWAPPED);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void
lac_curve_view_set_seconds(LacCurveView *self, gboolean against_seconds)
{
  g_return_if_fail(LAC_IS_CURVE_VIEW(self));
  self->against_seconds = against_seconds;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}
