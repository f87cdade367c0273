/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws curves with report/plot/plot.h. */
#include "app/plot/curve-view.h"

#include "app/plot/curve-points.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "app/toolkit/style.h"
#include "report/text/metric-text.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>

#define INTERVAL_MS \
  100 /* between redraws of growing curves: numbers that change faster are not readable */

struct _LacCurveView {
  LacDrawingView parent_instance;
  LacSession    *session;
  LacCurveKind   kind;
  gsize          n_metrics;
  gboolean      *hidden;  /* [n_metrics] */
  guint         *looks;   /* [n_metrics] styles, per kind */
  GPtrArray     *points;  /* [n_metrics] of LacCurvePoints */
  guint          growing; /* timer of the next redraw; 0: none */
  gboolean       against_seconds;
  LacPlotAxis    axis; /* of the last drawing */
  gboolean       has_axis;
  gint64         cursor, shown; /* steps: keyboard cursor, fields shown; -1: none */
};

enum { STEP_CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(LacCurveView, lac_curve_view, LAC_TYPE_DRAWING_VIEW)

/* Horizontal line at the true value, from a curve's first to its last point. */
typedef struct {
  double x[2], y[2];
} Level;

static void
add_level(GArray *series, Level *level, const LacMetric *metric, const LacSeries *curve)
{
  if (curve->n == 0)
    return;
  *level = (Level){{curve->x[0], curve->x[curve->n - 1]}, {metric->reference, metric->reference}};
  LacSeries line = {
    .x = level->x, .y = level->y, .n = 2, .look = curve->look, .dashed = TRUE, .unit = curve->unit};
  g_array_append_val(series, line);
}

static GArray *
collect(LacCurveView *self, const LacMetric *metrics, Level *levels)
{
  GArray *series = g_array_new(FALSE, FALSE, sizeof(LacSeries));
  for (gsize i = 0; i < self->n_metrics; i++) {
    if (self->looks[i] == 0 || self->hidden[i])
      continue;
    gssize    error = lac_metric_find_error(metrics, self->n_metrics, i);
    LacSeries curve = lac_curve_points_follow(g_ptr_array_index(self->points, i), self->session, i,
                                              error, self->against_seconds);
    curve.unit = metrics[i].unit;
    curve.look = self->looks[i];
    g_array_append_val(series, curve);
    if (metrics[i].has_reference)
      add_level(series, &levels[i], &metrics[i], &curve);
  }
  return series;
}

/* Gets the recorded steps: those of the visible curve with the most points. Returns: FALSE if there is none. */
static gboolean
get_steps(LacCurveView *self, LacSessionSeries *steps)
{
  *steps = (LacSessionSeries){0};
  for (gsize i = 0; self->session != NULL && i < self->n_metrics; i++) {
    LacSessionSeries series = lac_session_get_series(self->session, i);
    if (self->looks[i] > 0 && !self->hidden[i] && series.n > steps->n)
      *steps = series;
  }
  return steps->n > 0;
}

static void
draw_step(LacCurveView *self, LacDrawing *drawing, gint64 step, LacDash dash)
{
  LacSessionSeries steps;
  if (step < 0 || !self->has_axis || !get_steps(self, &steps))
    return;
  gsize  at = lac_curve_points_find(steps.step, steps.n, (double) step);
  double x = self->against_seconds ? steps.seconds[at] : (double) step;
  double part = (x - self->axis.from) / (self->axis.to - self->axis.from);
  if (!(part >= 0 && part <= 1))
    return;
  x = floor(self->axis.left + part * (self->axis.right - self->axis.left)) + 0.5;
  LacPoint line[] = {{x, self->axis.top}, {x, self->axis.bottom}};
  lac_draw_dashed(drawing, line, 2, 1.2, lac_style_palette()->foreground, dash);
}

static void
lac_curve_view_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacCurveView *self = LAC_CURVE_VIEW(view);
  if (self->session == NULL)
    return;
  gsize             n_metrics;
  const LacMetric  *metrics = lac_session_get_metrics(self->session, &n_metrics);
  g_autofree Level *levels = g_new(Level, n_metrics + 1);
  g_autoptr(GArray) series = collect(self, metrics, levels);
  LacPlotStyle      style = {
         .x_label = self->against_seconds ? _("compute time (s)") : _("step"),
         .log_y = self->kind == LAC_CURVES_ERRORS || self->kind == LAC_CURVES_LOSSES,
         .font_size = LAC_DRAWING_FONT,
  };
  lac_plot_curves(drawing, 0, 0, width, height, (const LacSeries *) (gconstpointer) series->data,
                  series->len, &style, lac_style_palette());
  const double size[2] = {width, height};
  self->has_axis = lac_plot_find_axis(size, (const LacSeries *) (gconstpointer) series->data,
                                      series->len, &style, &self->axis);
  if (!lac_session_is_active(self->session))
    draw_step(self, drawing, self->shown, LAC_DASH_SOLID);
  draw_step(self, drawing, self->cursor, LAC_DASH_DASHED);
}

static gboolean
on_grown(gpointer user_data)
{
  LacCurveView *self = user_data;
  self->growing = 0;
  gtk_widget_queue_draw(GTK_WIDGET(self));
  return G_SOURCE_REMOVE;
}

static void
on_series_changed(LacCurveView *self)
{
  if (self->growing == 0)
    self->growing = g_timeout_add(INTERVAL_MS, on_grown, self);
}

/* ---- choosing a step ---- */

static void
lac_curve_view_click(LacDrawingView *view, double x, double y)
{
  LacCurveView    *self = LAC_CURVE_VIEW(view);
  LacSessionSeries steps;
  if (!self->has_axis || x < self->axis.left || x > self->axis.right || !get_steps(self, &steps))
    return;
  double part = (x - self->axis.left) / (self->axis.right - self->axis.left);
  double wanted = self->axis.from + part * (self->axis.to - self->axis.from);
  gsize  at =
    lac_curve_points_find(self->against_seconds ? steps.seconds : steps.step, steps.n, wanted);
  self->cursor = -1;
  g_signal_emit(self, signals[STEP_CHOSEN], 0, (gint64) steps.step[at]);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

/* Describes the cursor's step and the values of visible curves there, for screen readers. */
static void
describe_cursor(LacCurveView *self)
{
  gsize              n;
  const LacMetric   *metrics = lac_session_get_metrics(self->session, &n);
  g_autoptr(GString) words = g_string_new(NULL);
  g_string_printf(words, _("Step %" PRId64), self->cursor);
  for (gsize i = 0, n_said = 0; i < self->n_metrics; i++) {
    LacSessionSeries series = lac_session_get_series(self->session, i);
    if (self->looks[i] == 0 || self->hidden[i] || series.n == 0)
      continue;
    g_autofree char *name = lac_format_metric_name(&metrics[i]);
    gsize            at = lac_curve_points_find(series.step, series.n, (double) self->cursor);
    g_autofree char *value = lac_format_metric(series.values[at], metrics[i].unit);
    g_string_append_printf(words, "%s%s %s", n_said++ == 0 ? ": " : "; ", name, value);
  }
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 words->str, -1);
}

/* Moves the cursor by one point of the curve. */
static void
move_cursor(LacCurveView *self, int direction)
{
  LacSessionSeries steps;
  if (!get_steps(self, &steps))
    return;
  gint64 from = self->cursor >= 0 ? self->cursor : MAX(self->shown, 0);
  gssize at = (gssize) lac_curve_points_find(steps.step, steps.n, (double) from) + direction;
  self->cursor = (gint64) steps.step[CLAMP(at, 0, (gssize) steps.n - 1)];
  describe_cursor(self);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

static gboolean
lac_curve_view_key(LacDrawingView *view, guint key, GdkModifierType state)
{
  LacCurveView *self = LAC_CURVE_VIEW(view);
  if (self->session == NULL)
    return GDK_EVENT_PROPAGATE;
  switch (key) {
  case GDK_KEY_Left: move_cursor(self, -1); break;
  case GDK_KEY_Right: move_cursor(self, 1); break;
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter:
    if (self->cursor >= 0)
      g_signal_emit(self, signals[STEP_CHOSEN], 0, self->cursor);
    break;
  default: return GDK_EVENT_PROPAGATE;
  }
  return GDK_EVENT_STOP;
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
  g_ptr_array_unref(self->points);
  G_OBJECT_CLASS(lac_curve_view_parent_class)->finalize(object);
}

static void
lac_curve_view_class_init(LacCurveViewClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_curve_view_dispose;
  G_OBJECT_CLASS(class)->finalize = lac_curve_view_finalize;
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_curve_view_draw;
  LAC_DRAWING_VIEW_CLASS(class)->click = lac_curve_view_click;
  LAC_DRAWING_VIEW_CLASS(class)->key = lac_curve_view_key;
  signals[STEP_CHOSEN] = g_signal_new("step-chosen", LAC_TYPE_CURVE_VIEW, G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT64);
}

static void
lac_curve_view_init(LacCurveView *self)
{
  self->cursor = -1;
  self->points = g_ptr_array_new_with_free_func((GDestroyNotify) lac_curve_points_free);
  lac_accessible_name(self, _("Curves of the run"));
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
  g_clear_handle_id(&self->growing, g_source_remove);
  g_ptr_array_set_size(self->points, 0);
  g_set_object(&self->session, session);
  gtk_widget_queue_draw(GTK_WIDGET(self));
  if (session == NULL)
    return;
  self->cursor = self->shown = -1;
  g_signal_connect_object(session, "series-changed", G_CALLBACK(on_series_changed), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "ended", G_CALLBACK(gtk_widget_queue_draw), self,
                          G_CONNECT_SWAPPED);
  const LacMetric *metrics = lac_session_get_metrics(session, &self->n_metrics);
  g_free(self->hidden);
  g_free(self->looks);
  self->hidden = g_new0(gboolean, self->n_metrics + 1);
  self->looks = g_new0(guint, self->n_metrics + 1);
  for (gsize i = 0; i < self->n_metrics; i++) {
    self->hidden[i] = !lac_metric_is_drawn(metrics, self->n_metrics, i);
    g_ptr_array_add(self->points, lac_curve_points_new());
  }
  choose_looks(self);
}

/* Marks the step only while the run is not active. */
void
lac_curve_view_set_shown_step(LacCurveView *self, gint64 step)
{
  g_return_if_fail(LAC_IS_CURVE_VIEW(self) && self->session != NULL);
  self->shown = step;
  if (!lac_session_is_active(self->session))
    gtk_widget_queue_draw(GTK_WIDGET(self));
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
