/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/live/energy-curve.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/style.h"
#include "report/plot/plot.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define MILLI             1e3
#define LEAST_SHOWN       0.01 /* mHa: on the logarithmic axis */
#define CHEMICAL_ACCURACY 1.6  /* mHa: 1 kcal/mol */

struct _LacEnergyCurve {
  LacDrawingView parent_instance;
  LacSession    *session;
  gint64         step;
};

G_DEFINE_FINAL_TYPE(LacEnergyCurve, lac_energy_curve, LAC_TYPE_DRAWING_VIEW)

/* ---- numbers of a run ---- */

gssize
lac_energy_find_metric(LacSession *session, const char *key)
{
  gsize            n;
  const LacMetric *metrics = lac_session_get_metrics(session, &n);
  for (gsize i = 0; i < n; i++)
    if (g_str_equal(metrics[i].key, key))
      return (gssize) i;
  return -1;
}

double
lac_energy_get_last(LacSession *session, const char *key)
{
  gssize metric = lac_energy_find_metric(session, key);
  return metric >= 0 ? lac_session_get_last(session, (gsize) metric) : (double) NAN;
}

gboolean
lac_energy_get_reference(LacSession *session, double *reference)
{
  gsize            n;
  const LacMetric *metrics = lac_session_get_metrics(session, &n);
  gssize           energy = lac_energy_find_metric(session, "energy_hartree");
  *reference = energy >= 0 ? metrics[energy].reference : (double) NAN;
  return energy >= 0 && metrics[energy].has_reference;
}

double
lac_energy_find_hartree_fock(LacSession *session)
{
  gsize            n;
  const LacMetric *metrics = lac_session_get_metrics(session, &n);
  gssize           energy = lac_energy_find_metric(session, "energy_hartree");
  for (gsize i = 0; energy >= 0 && i < LAC_MOST_BASELINES; i++)
    if (g_strcmp0(metrics[energy].placing.baselines[i].label, "Hartree-Fock") == 0)
      return metrics[energy].placing.baselines[i].value;
  return NAN;
}

/* ---- the curve ---- */

/* The points of the curve: the energy above @zero in mHa, with a band of two standard errors where they are known. */
typedef struct {
  double *x, *y, *low, *high; /* [n] */
  gsize   n;
  gssize  measured; /* the first point of the measurement at the end; -1: none */
} Points;

static void
clear_points(Points *points)
{
  g_free(points->x);
  g_free(points->y);
  g_free(points->low);
  g_free(points->high);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Points, clear_points)

static void
collect(LacSession *session, double zero, Points *points)
{
  LacSessionSeries energy =
    lac_session_get_series(session, (gsize) lac_energy_find_metric(session, "energy_hartree"));
  gssize           error = lac_energy_find_metric(session, "energy_standard_error_hartree");
  gssize           certainty = lac_energy_find_metric(session, "energy_error_uncertainty_hartree");
  LacSessionSeries bars = {0}, measured = {0};
  if (certainty >= 0) /* known only of measurements, by blocking */
    measured = lac_session_get_series(session, (gsize) certainty);
  if (error >= 0)
    bars = lac_session_get_series(session, (gsize) error);
  *points = (Points){g_new(double, energy.n + 1),
                     g_new(double, energy.n + 1),
                     g_new(double, energy.n + 1),
                     g_new(double, energy.n + 1),
                     energy.n,
                     -1};
  for (gsize i = 0, k = 0; i < energy.n; i++) {
    while (k < bars.n && bars.step[k] < energy.step[i])
      k++;
    gboolean is_measured = measured.n > 0 && energy.step[i] >= measured.step[0];
    double   bar = is_measured && k < bars.n && bars.step[k] == energy.step[i]
                     ? 2 * MILLI * bars.values[k]
                     : (double) NAN;
    points->x[i] = energy.step[i];
    points->y[i] = MILLI * (energy.values[i] - zero);
    points->low[i] = points->y[i] - bar;
    points->high[i] = points->y[i] + bar;
    if (is_measured && points->measured < 0)
      points->measured = (gssize) i;
  }
}

static char *
dup_level(const char *name, double value)
{
  g_autofree char *number = lac_number_text(value);
  return g_strdup_printf("%s %s mHa", name, number);
}

static void
shade(LacDrawing *drawing, const LacPlotAxis *axis, double from)
{
  LacColour colour = lac_style_palette()->foreground;
  double    share = (from - axis->from) / (axis->to - axis->from);
  double    x = axis->left + CLAMP(share, 0, 1) * (axis->right - axis->left);
  colour.alpha = 0.06F;
  lac_draw_rectangle(drawing, x, axis->top, axis->right - x, axis->bottom - axis->top, colour);
}

static void
draw_step(LacDrawing *drawing, const LacPlotAxis *axis, gint64 step)
{
  double share = ((double) step - axis->from) / (axis->to - axis->from);
  if (step < 0 || !(share >= 0 && share <= 1))
    return;
  double   x = floor(axis->left + share * (axis->right - axis->left)) + 0.5;
  LacPoint line[] = {{x, axis->top}, {x, axis->bottom}};
  lac_draw_lines(drawing, line, 2, 1.2, lac_style_palette()->foreground);
}

static void
lac_energy_curve_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacEnergyCurve *self = LAC_ENERGY_CURVE(view);
  g_auto(Points)  points = {0};
  double          zero, size[2] = {width, height};
  LacPlotAxis     axis;
  if (self->session == NULL)
    return;
  gboolean has_reference = lac_energy_get_reference(self->session, &zero);
  if (!has_reference)
    zero = lac_energy_get_last(self->session, "energy_hartree");
  if (!isfinite(zero))
    return;
  collect(self->session, zero, &points);
  for (gsize i = 0; has_reference && i < points.n; i++)
    if (points.y[i] < LEAST_SHOWN)
      points.y[i] = NAN;
  double hartree_fock = MILLI * (lac_energy_find_hartree_fock(self->session) - zero);
  double levels[2][2] = {{CHEMICAL_ACCURACY, CHEMICAL_ACCURACY}, {hartree_fock, hartree_fock}};
  double ends[2] = {points.n > 0 ? points.x[0] : 0,
                    (double) lac_session_get_status(self->session)->n_steps};
  g_autofree char *of_hartree_fock = dup_level(_("Hartree-Fock"), hartree_fock);
  g_autofree char *of_accuracy = dup_level(_("chemical accuracy"), CHEMICAL_ACCURACY);
  LacSeries        series[] = {
           {.x = points.x,
            .y = points.y,
            .n = points.n,
            .look = 1,
            .low = points.low,
            .high = points.high},
           {.x = ends, .y = levels[0], .n = 2, .look = 3, .dashed = TRUE, .label = of_accuracy},
           {.x = ends,
            .y = levels[1],
            .n = 2,
            .look = LAC_LOOK_TRUTH,
            .dashed = TRUE,
            .label = of_hartree_fock},
  };
  LacPlotStyle style = {
    .log_y = has_reference, .x_from = ends[0], .x_to = ends[1], .font_size = LAC_DRAWING_FONT - 1};
  gsize n = !has_reference ? 1 : isfinite(hartree_fock) ? 3 : 2;
  if (lac_plot_find_axis(size, series, n, &style, &axis) && points.measured >= 0)
    shade(drawing, &axis, points.x[points.measured]);
  lac_plot_curves(drawing, 0, 0, width, height, series, n, &style, lac_style_palette());
  draw_step(drawing, &axis, self->step);
}

/* ---- the object ---- */

static void
lac_energy_curve_dispose(GObject *object)
{
  g_clear_object(&LAC_ENERGY_CURVE(object)->session);
  G_OBJECT_CLASS(lac_energy_curve_parent_class)->dispose(object);
}

static void
lac_energy_curve_class_init(LacEnergyCurveClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_energy_curve_dispose;
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_energy_curve_draw;
}

static void
lac_energy_curve_init(LacEnergyCurve *self)
{
  self->step = -1;
  lac_accessible_name(self, _("Energy by step"));
}

void
lac_energy_curve_set_session(LacEnergyCurve *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_ENERGY_CURVE(self));
  g_set_object(&self->session, session);
  self->step = -1;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void
lac_energy_curve_set_step(LacEnergyCurve *self, gint64 step)
{
  g_return_if_fail(LAC_IS_ENERGY_CURVE(self));
  if (self->step == step)
    return;
  self->step = step;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}
