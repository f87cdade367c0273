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
  GArray        *marks;         /* LacCurveMark */
  gint64         last;          /* last step of the axis; 0: that of the curves */
  gint64         mean_from;     /* first step of the mean; -1: none */
  char          *mean_words;    /* (nullable) */
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

/* Returns: TRUE if the curves of this kind are of several methods. */
static gboolean
has_methods(LacCurveView *self, const LacMetric *metrics)
{
  const char *first = NULL;
  for (gsize i = 0; i < self->n_metrics; i++) {
    const char *group = lac_metric_group(&metrics[i]);
    if (self->looks[i] == 0 || self->hidden[i])
      continue;
    if (first != NULL && group != first)
      return TRUE;
    first = group;
  }
  return FALSE;
}

/* Returns: (transfer full) (nullable): the name of a curve. Errors have none: the table of methods is their legend. */
static char *
dup_label(LacCurveView *self, const LacMetric *metrics, gsize metric)
{
  gsize             n;
  const LacChannel *channels = lac_session_get_channels(self->session, &n);
  const char       *group = lac_metric_group(&metrics[metric]);
  if (self->kind == LAC_CURVES_ERRORS)
    return NULL;
  g_autofree char *own = lac_format_metric_name(&metrics[metric]);
  if (*group == '\0' || !has_methods(self, metrics))
    return g_steal_pointer(&own);
  const char *method = lac_metric_group_label(group, metrics, self->n_metrics, channels, n);
  return g_strdup_printf("%s: %s", g_dgettext(GETTEXT_PACKAGE, method), own);
}

/* @labels: owns the labels of the series */
static GArray *
collect(LacCurveView *self, const LacMetric *metrics, Level *levels, GPtrArray *labels)
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
    curve.label = dup_label(self, metrics, i);
    g_ptr_array_add(labels, (gpointer) curve.label);
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

/* Finds where a step is drawn. Returns: FALSE if it is off the axis. */
static gboolean
find_x(LacCurveView *self, gint64 step, double *x)
{
  LacSessionSeries steps;
  double           at = (double) step;
  if (step < 0 || !self->has_axis || (self->against_seconds && !get_steps(self, &steps)))
    return FALSE;
  if (self->against_seconds)
    at = steps.seconds[lac_curve_points_find(steps.step, steps.n, at)];
  double part = (at - self->axis.from) / (self->axis.to - self->axis.from);
  *x = floor(self->axis.left + part * (self->axis.right - self->axis.left)) + 0.5;
  return part >= 0 && part <= 1;
}

static void
draw_step(LacCurveView *self, LacDrawing *drawing, gint64 step, LacDash dash)
{
  double x;
  if (!find_x(self, step, &x))
    return;
  LacPoint line[] = {{x, self->axis.top}, {x, self->axis.bottom}};
  lac_draw_dashed(drawing, line, 2, 1.2, lac_style_palette()->foreground, dash);
}

/* Draws the changes of settings; a text that would run into another one is left out. */
static void
draw_marks(LacCurveView *self, LacDrawing *drawing)
{
  LacColour colour = lac_look_colour(lac_style_palette(), 2);
  double    x, end = -G_MAXDOUBLE, size = LAC_DRAWING_FONT - 1;
  for (guint i = 0; i < self->marks->len; i++) {
    const LacCurveMark *mark = &g_array_index(self->marks, LacCurveMark, i);
    if (!find_x(self, mark->step, &x))
      continue;
    LacPoint line[] = {{x, self->axis.top}, {x, self->axis.bottom}};
    double   width = lac_text_width(mark->text, size, FALSE);
    gboolean is_left = x + 4 + width > self->axis.right;
    double   from = is_left ? x - 4 - width : x + 4;
    lac_draw_dashed(drawing, line, 2, 1.2, colour, LAC_DASH_DASHED);
    if (from < end)
      continue;
    end = MAX(x, from + width);
    lac_draw_text(drawing, from, self->axis.top + size + 2, LAC_ALIGN_LEFT, size, colour,
                  mark->text);
  }
}

/* Shades the part of the axis over which means are taken. */
static void
draw_mean(LacCurveView *self, LacDrawing *drawing)
{
  double x;
  if (!find_x(self, self->mean_from, &x))
    return;
  LacColour shade = lac_style_palette()->foreground;
  shade.alpha = 0.06F;
  lac_draw_rectangle(drawing, x, self->axis.top, self->axis.right - x,
                     self->axis.bottom - self->axis.top, shade);
}

/* Names that part, on a chip over the curves. */
static void
draw_mean_words(LacCurveView *self, LacDrawing *drawing)
{
  const LacPalette *palette = lac_style_palette();
  const double      size = LAC_DRAWING_FONT - 1;
  LacColour         chip = palette->background;
  double            x;
  if (self->mean_words == NULL || !find_x(self, self->mean_from, &x))
    return;
  const double width = lac_text_width(self->mean_words, size, FALSE);
  const double right = width + 8 < self->axis.right - x ? self->axis.right - 4 : x - 4;
  chip.alpha = 0.8F;
  lac_draw_rectangle(drawing, right - width - 2, self->axis.bottom - size - 6, width + 4, size + 4,
                     chip);
  lac_draw_text(drawing, right, self->axis.bottom - 5, LAC_ALIGN_RIGHT, size, palette->faint,
                self->mean_words);
}

static void
lac_curve_view_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacCurveView *self = LAC_CURVE_VIEW(view);
  if (self->session == NULL)
    return;
  gsize                n_metrics;
  const LacMetric     *metrics = lac_session_get_metrics(self->session, &n_metrics);
  g_autofree Level    *levels = g_new(Level, n_metrics + 1);
  g_autoptr(GPtrArray) labels = g_ptr_array_new_with_free_func(g_free);
  g_autoptr(GArray)    series = collect(self, metrics, levels, labels);
  const LacSeries     *curves = (const LacSeries *) (gconstpointer) series->data;
  LacPlotStyle         style = {
            .x_label = self->against_seconds ? _("compute time (s)") : NULL,
            .log_y = self->kind == LAC_CURVES_ERRORS || self->kind == LAC_CURVES_LOSSES,
            .x_to = self->against_seconds ? 0 : (double) self->last,
            .font_size = LAC_DRAWING_FONT - 1,
  };
  const double size[2] = {width, height};
  self->has_axis = lac_plot_find_axis(size, curves, series->len, &style, &self->axis);
  draw_mean(self, drawing);
  lac_plot_curves(drawing, 0, 0, width, height, curves, series->len, &style, lac_style_palette());
  draw_mean_words(self, drawing);
  draw_marks(self, drawing);
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
  g_array_unref(self->marks);
  g_free(self->mean_words);
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
clear_mark(gpointer mark)
{
  g_free(((LacCurveMark *) mark)->text);
}

static void
lac_curve_view_init(LacCurveView *self)
{
  self->cursor = self->mean_from = -1;
  self->marks = g_array_new(FALSE, FALSE, sizeof(LacCurveMark));
  g_array_set_clear_func(self->marks, clear_mark);
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
  g_array_set_size(self->marks, 0);
  lac_curve_view_set_mean(self, -1, NULL);
  self->last = 0;
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

void
lac_curve_view_set_shown_step(LacCurveView *self, gint64 step)
{
  g_return_if_fail(LAC_IS_CURVE_VIEW(self) && self->session != NULL);
  self->shown = step;
  if (lac_session_is_active(self->session))
    on_series_changed(self); /* frames come faster than the curves need to be drawn */
  else
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
lac_curve_view_set_group_shown(LacCurveView *self, const char *group, gboolean shown)
{
  gsize n;
  g_return_if_fail(LAC_IS_CURVE_VIEW(self) && self->session != NULL && group != NULL);
  const LacMetric *metrics = lac_session_get_metrics(self->session, &n);
  for (gsize i = 0; i < n; i++)
    if (g_str_equal(lac_metric_group(&metrics[i]), group))
      self->hidden[i] = !shown || !lac_metric_is_drawn(metrics, n, i);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void
lac_curve_view_set_marks(LacCurveView *self, const LacCurveMark *marks, gsize n)
{
  g_return_if_fail(LAC_IS_CURVE_VIEW(self));
  g_array_set_size(self->marks, 0);
  for (gsize i = 0; i < n; i++) {
    LacCurveMark own = {marks[i].step, g_strdup(marks[i].text)};
    g_array_append_val(self->marks, own);
  }
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void
lac_curve_view_set_last_step(LacCurveView *self, gint64 last)
{
  g_return_if_fail(LAC_IS_CURVE_VIEW(self));
  if (self->last == last)
    return;
  self->last = last;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void
lac_curve_view_set_mean(LacCurveView *self, gint64 from, const char *words)
{
  g_return_if_fail(LAC_IS_CURVE_VIEW(self));
  if (self->mean_from == from && g_strcmp0(self->mean_words, words) == 0)
    return;
  self->mean_from = from;
  g_free(self->mean_words);
  self->mean_words = g_strdup(words);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}
