/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves as a drawing list of report/plot.h. */
#include "app/curve-view.h"

#include "app/gsk-painter.h"
#include "app/style.h"

#include <glib/gi18n-lib.h>

#define FONT 11.0

struct _LacCurveView {
  GtkWidget    parent_instance;
  LacSession  *session;
  LacCurveKind kind;
  gsize        n_metrics;
  gboolean    *hidden; /* [n_metrics] */
  guint       *looks;  /* [n_metrics] of the kind */
  gboolean     against_seconds;
};

G_DEFINE_FINAL_TYPE(LacCurveView, lac_curve_view, GTK_TYPE_WIDGET)

/* From the first to the last point of a curve, at the true value. */
typedef struct {
  double x[2], y[2];
} Level;

static void
add_level(GArray *series, Level *level, const LacMetric *metric, const LacSeries *curve)
{
  if (curve->n == 0)
    return;
  *level = (Level){{curve->x[0], curve->x[curve->n - 1]}, {metric->reference, metric->reference}};
  LacSeries line = {.x = level->x, .y = level->y, .n = 2, .look = curve->look, .dashed = TRUE};
  g_array_append_val(series, line);
}

static GArray *
collect(LacCurveView *self, const LacMetric *metrics, Level *levels)
{
  GArray *series = g_array_new(FALSE, FALSE, sizeof(LacSeries));
  for (gsize i = 0; i < self->n_metrics; i++) {
    if (self->looks[i] == 0 || self->hidden[i])
      continue;
    LacSessionSeries values = lac_session_get_series(self->session, i);
    LacSeries        curve = {
             .x = self->against_seconds ? values.seconds : values.step,
             .y = values.values,
             .n = values.n,
             .look = self->looks[i],
    };
    g_array_append_val(series, curve);
    if (metrics[i].has_reference)
      add_level(series, &levels[i], &metrics[i], &curve);
  }
  return series;
}

static void
lac_curve_view_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  LacCurveView *self = LAC_CURVE_VIEW(widget);
  if (self->session == NULL)
    return;
  gsize             n_metrics;
  const LacMetric  *metrics = lac_session_get_metrics(self->session, &n_metrics);
  g_autofree Level *levels = g_new(Level, n_metrics + 1);
  g_autoptr(GArray) series = collect(self, metrics, levels);
  LacPlotStyle      style = {
         .x_label = self->against_seconds ? _("compute time (s)") : _("step"),
         .log_y = self->kind == LAC_CURVES_ERRORS || self->kind == LAC_CURVES_LOSSES,
         .font_size = FONT,
  };
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  lac_plot_curves(drawing, 0, 0, gtk_widget_get_width(widget), gtk_widget_get_height(widget),
                  (const LacSeries *) (gconstpointer) series->data, series->len, &style,
                  lac_style_palette());
  lac_drawing_snapshot(drawing, snapshot, gtk_widget_get_pango_context(widget));
}

static void
lac_curve_view_dispose(GObject *object)
{
  lac_curve_view_set_session(LAC_CURVE_VIEW(object), NULL);
  G_OBJECT_CLASS(lac_curve_view_parent_class)->dispose(object);
}

static void
lac_curve_view_finalize(GObject *object)
{
  LacCurveView *self = LAC_CURVE_VIEW(object);
  g_free(self->hidden);
  g_free(self->looks);
  G_OBJECT_CLASS(lac_curve_view_parent_class)->finalize(object);
}

static void
lac_curve_view_class_init(LacCurveViewClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_curve_view_dispose;
  G_OBJECT_CLASS(class)->finalize = lac_curve_view_finalize;
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

static void
choose_looks(LacCurveView *self)
{
  gsize n;
  if (self->session == NULL)
    return;
  const LacMetric *metrics = lac_session_get_metrics(self->session, &n);
  lac_metric_looks(self->kind, metrics, n, self->looks);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void
lac_curve_view_set_session(LacCurveView *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_CURVE_VIEW(self));
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  g_set_object(&self->session, session);
  gtk_widget_queue_draw(GTK_WIDGET(self));
  if (session == NULL)
    return;
  g_signal_connect_object(session, "series-changed", G_CALLBACK(gtk_widget_queue_draw), self,
                          G_CONNECT_SWAPPED);
  const LacMetric *metrics = lac_session_get_metrics(session, &self->n_metrics);
  g_free(self->hidden);
  g_free(self->looks);
  self->hidden = g_new0(gboolean, self->n_metrics + 1);
  self->looks = g_new0(guint, self->n_metrics + 1);
  for (gsize i = 0; i < self->n_metrics; i++)
    self->hidden[i] = !lac_metric_is_drawn(metrics, self->n_metrics, i);
  choose_looks(self);
}

void
lac_curve_view_set_kind(LacCurveView *self, LacCurveKind kind)
{
  g_return_if_fail(LAC_IS_CURVE_VIEW(self) && kind < LAC_N_CURVES);
  self->kind = kind;
  choose_looks(self);
}

void
lac_curve_view_set_seconds(LacCurveView *self, gboolean against_seconds)
{
  g_return_if_fail(LAC_IS_CURVE_VIEW(self));
  self->against_seconds = against_seconds;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void
lac_curve_view_set_shown(LacCurveView *self, gsize metric, gboolean shown)
{
  g_return_if_fail(LAC_IS_CURVE_VIEW(self) && metric < self->n_metrics);
  self->hidden[metric] = !shown;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

gboolean
lac_curve_view_is_shown(LacCurveView *self, gsize metric)
{
  g_return_val_if_fail(LAC_IS_CURVE_VIEW(self) && metric < self->n_metrics, FALSE);
  return !self->hidden[metric];
}
