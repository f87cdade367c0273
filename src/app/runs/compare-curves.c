/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metric curves of several runs. */
#include "app/runs/compare-curves.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/style.h"
#include "report/compare/comparison.h"
#include "report/plot/plot.h"
#include "report/text/number.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

typedef struct {
  GArray *step, *seconds, *values; /* double */
} Curve;

struct _LacCompareCurves {
  LacDrawingView parent_instance;
  gsize          n;
  Curve          curves[LAC_COMPARISON_MOST];
  gboolean       log_y, against_seconds;
  const char    *unit; /* (nullable): interned unit of @values */
  char          *label;
};

G_DEFINE_FINAL_TYPE(LacCompareCurves, lac_compare_curves, LAC_TYPE_DRAWING_VIEW)

static void
clear(LacCompareCurves *self)
{
  for (gsize r = 0; r < self->n; r++) {
    g_array_unref(self->curves[r].step);
    g_array_unref(self->curves[r].seconds);
    g_array_unref(self->curves[r].values);
  }
  self->n = 0;
  g_clear_pointer(&self->label, g_free);
}

static void
lac_compare_curves_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacCompareCurves *self = LAC_COMPARE_CURVES(view);
  LacSeries         series[LAC_COMPARISON_MOST];
  if (self->n == 0) {
    lac_drawing_show_message(drawing, width, height, lac_style_palette()->foreground,
                             _("No metric was recorded more than once."));
    return;
  }
  for (gsize r = 0; r < self->n; r++) {
    const Curve  *curve = &self->curves[r];
    const GArray *x = self->against_seconds ? curve->seconds : curve->step;
    series[r] = (LacSeries){.label = lac_comparison_letter(r),
                            .x = (const double *) (gconstpointer) x->data,
                            .y = (const double *) (gconstpointer) curve->values->data,
                            .n = x->len,
                            .look = (guint) r + 1,
                            .unit = self->unit};
  }
  LacPlotStyle style = {
    .x_label = self->against_seconds ? _("compute time (s)") : _("step"),
    .log_y = self->log_y,
    .font_size = LAC_DRAWING_FONT,
  };
  const LacPalette palette = lac_style_run_palette();
  lac_plot_curves(drawing, 0, 0, width, height, series, self->n, &style, &palette);
}

void
lac_compare_curves_clear(LacCompareCurves *self)
{
  g_return_if_fail(LAC_IS_COMPARE_CURVES(self));
  clear(self);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void
lac_compare_curves_finalize(GObject *object)
{
  clear(LAC_COMPARE_CURVES(object));
  G_OBJECT_CLASS(lac_compare_curves_parent_class)->finalize(object);
}

static void
lac_compare_curves_class_init(LacCompareCurvesClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_compare_curves_finalize;
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_compare_curves_draw;
}

static void
lac_compare_curves_init(LacCompareCurves *self)
{
  lac_accessible_name(self, _("Curves of the runs"));
}

static gssize
find_metric(const LacRunFile *run, const char *key)
{
  for (gsize m = 0; m < run->n_metrics; m++)
    if (g_str_equal(run->metrics[m].key, key))
      return (gssize) m;
  return -1;
}

static void
fill(Curve *curve, const LacRunFile *run, gssize metric)
{
  for (gsize i = 0; metric >= 0 && i < run->n_series; i++) {
    double value = run->series[i * run->n_metrics + (gsize) metric];
    double step = (double) run->series_step[i];
    if (!isfinite(value))
      continue;
    g_array_append_val(curve->step, step);
    g_array_append_val(curve->seconds, run->series_seconds[i]);
    g_array_append_val(curve->values, value);
  }
}

/* Sets the description of the plot for screen readers. */
static void
describe(LacCompareCurves *self)
{
  GString *words = g_string_new(self->label);
  for (gsize r = 0; r < self->n; r++) {
    const GArray    *values = self->curves[r].values;
    g_autofree char *last = values->len > 0
                              ? lac_number_text(g_array_index(values, double, values->len - 1))
                              : g_strdup("–");
    g_string_append_printf(words, ", %s %s", lac_comparison_letter(r), last);
  }
  lac_accessible_name(self, _("Curves of the runs"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 words->str, -1);
  g_string_free(words, TRUE);
}

void
lac_compare_curves_show(LacCompareCurves *self, GPtrArray *runs, const char *metric)
{
  g_return_if_fail(LAC_IS_COMPARE_CURVES(self));
  clear(self);
  for (guint r = 0; r < runs->len && r < LAC_COMPARISON_MOST; r++) {
    const LacRunFile *run = g_ptr_array_index(runs, r);
    gssize            m = find_metric(run, metric);
    self->curves[self->n] =
      (Curve){g_array_new(FALSE, FALSE, sizeof(double)), g_array_new(FALSE, FALSE, sizeof(double)),
              g_array_new(FALSE, FALSE, sizeof(double))};
    fill(&self->curves[self->n++], run, m);
    if (m < 0 || self->label != NULL)
      continue;
    self->log_y = run->metrics[m].log_axis;
    self->unit = g_intern_string(run->metrics[m].unit);
    self->label = g_strdup(lac_word(run->metrics[m].label));
  }
  describe(self);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void
lac_compare_curves_set_seconds(LacCompareCurves *self, gboolean against_seconds)
{
  g_return_if_fail(LAC_IS_COMPARE_CURVES(self));
  self->against_seconds = against_seconds;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}
