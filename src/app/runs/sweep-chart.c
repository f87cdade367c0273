/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line per method and combination of the other keys, along the first key with numeric values. */
#include "app/runs/sweep-chart.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/style.h"
#include "base/number.h"
#include "report/plot/scan.h"
#include "report/text/metric-group.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

struct _LacSweepChart {
  LacDrawingView  parent_instance;
  LacSweepSeries *series;
  LacSweepBands  *bands;
};

G_DEFINE_FINAL_TYPE(LacSweepChart, lac_sweep_chart, LAC_TYPE_DRAWING_VIEW)

typedef struct {
  char   *label;
  GArray *x, *y, *low, *high; /* double; the last two hold a band, or are empty */
} Line;

static void
line_clear(gpointer data)
{
  Line *line = data;
  g_free(line->label);
  g_array_unref(line->x);
  g_array_unref(line->y);
  g_array_unref(line->low);
  g_array_unref(line->high);
}

/* Returns -1 if no key is numeric; combinations are then numbered. */
static gssize
find_axis(const LacSweep *sweep)
{
  double value;
  for (gsize k = 0; k < lac_sweep_get_n_keys(sweep); k++) {
    gboolean numbers = TRUE;
    for (gsize i = 0; i < lac_sweep_get_n(sweep); i++)
      numbers &= lac_number_parse(lac_sweep_get_value(sweep, k, i), &value);
    if (numbers)
      return (gssize) k;
  }
  return -1;
}

/* Returns the line of a point: "Gappy POD, Placement = Random". */
static char *
dup_line_label(LacSweepSeries *series, const char *method, gsize i, gssize axis)
{
  const LacSweep *sweep = lac_sweep_series_get_sweep(series);
  GString        *label = g_string_new(method);
  for (gsize k = 0; axis >= 0 && k < lac_sweep_get_n_keys(sweep); k++) {
    if ((gssize) k == axis)
      continue;
    g_autofree char *key = lac_sweep_series_dup_key_label(series, k);
    g_autofree char *value = lac_sweep_series_dup_shown(series, k, i);
    g_string_append_printf(label, "%s%s = %s", label->len > 0 ? ", " : "", key, value);
  }
  return g_string_free(label, FALSE);
}

static Line *
find_line(GArray *lines, char *label)
{
  for (guint i = 0; i < lines->len; i++)
    if (g_str_equal(g_array_index(lines, Line, i).label, label)) {
      g_free(label);
      return &g_array_index(lines, Line, i);
    }
  Line line = {label, g_array_new(FALSE, FALSE, sizeof(double)),
               g_array_new(FALSE, FALSE, sizeof(double)), g_array_new(FALSE, FALSE, sizeof(double)),
               g_array_new(FALSE, FALSE, sizeof(double))};
  g_array_append_val(lines, line);
  return &g_array_index(lines, Line, lines->len - 1);
}

/* Returns TRUE for the key result's columns: those of the methods, if there are any. */
static gboolean
is_drawn(LacSweepSeries *series, gsize column)
{
  gsize            n;
  const LacMetric *columns = lac_sweep_series_get_columns(series, &n);
  g_autofree char *ending = g_strconcat(".", columns[0].key, NULL);
  if (column == 0)
    return !lac_sweep_series_is_repeated(series, 0);
  return g_str_has_suffix(columns[column].key, ending);
}

/* Inserts a point in order of x, whatever the order of the runs. @band: (nullable) */
static void
add_point(Line *line, double x, double y, const LacRandomBand *band)
{
  guint at = line->x->len;
  while (at > 0 && g_array_index(line->x, double, at - 1) > x)
    at--;
  g_array_insert_val(line->x, at, x);
  g_array_insert_val(line->y, at, y);
  if (band == NULL)
    return;
  g_array_insert_val(line->low, at, band->low);
  g_array_insert_val(line->high, at, band->high);
}

static double
get_place(LacSweepSeries *series, gsize i, gssize axis)
{
  double x = (double) i + 1;
  if (axis >= 0)
    lac_number_parse(lac_sweep_get_value(lac_sweep_series_get_sweep(series), (gsize) axis, i), &x);
  return x;
}

/* Finds the span of all runs, including future ones, so that the axis does not change. */
static void
find_span(LacSweepSeries *series, gssize axis, double *from, double *to)
{
  *from = *to = get_place(series, 0, axis);
  for (gsize i = 1; i < lac_sweep_get_n(lac_sweep_series_get_sweep(series)); i++) {
    *from = MIN(*from, get_place(series, i, axis));
    *to = MAX(*to, get_place(series, i, axis));
  }
}

/* Returns the display name of gappy POD if a run had it. */
static const char *
name_gappy_pod(LacSweepSeries *series)
{
  gsize            n;
  const LacMetric *columns = lac_sweep_series_get_columns(series, &n);
  for (gsize c = 0; c < n; c++)
    if (g_str_equal(lac_metric_group(&columns[c]), "pod"))
      return lac_sweep_series_get_method(series, c);
  return _("Gappy POD");
}

static void
collect_bands(LacSweepChart *self, gssize axis, GArray *lines)
{
  g_autofree char *name =
    g_strdup_printf(_("%s with random placement: median and 10–90 %% range of %d draws"),
                    name_gappy_pod(self->series), LAC_RANDOM_DRAWS);
  for (gsize i = 0; self->bands != NULL && i < lac_sweep_bands_get_n(self->bands); i++) {
    const LacRandomBand *band = lac_sweep_bands_get(self->bands, i);
    if (band->n > 0)
      add_point(find_line(lines, dup_line_label(self->series, name, i, axis)),
                get_place(self->series, i, axis), band->median, band);
  }
}

static GArray *
collect(LacSweepChart *self, gssize axis)
{
  LacSweepSeries *series = self->series;
  GArray         *lines = g_array_new(FALSE, FALSE, sizeof(Line));
  gsize           n;
  g_array_set_clear_func(lines, line_clear);
  lac_sweep_series_get_columns(series, &n);
  for (gsize c = 0; c < n; c++)
    for (gsize i = 0; is_drawn(series, c) && i < lac_sweep_series_get_n_done(series); i++) {
      double      y = lac_sweep_series_get_value(series, i, c);
      const char *method = lac_sweep_series_get_method(series, c);
      if (method == NULL)
        method = lac_sweep_series_get_title(series);
      if (isfinite(y))
        add_point(find_line(lines, dup_line_label(series, method, i, axis)),
                  get_place(series, i, axis), y, NULL);
    }
  collect_bands(self, axis, lines);
  return lines;
}

/* Borrows from @line. */
static LacSeries
make_series(const Line *line)
{
  gboolean has_band = line->low->len > 0;
  return (LacSeries){
    .label = line->label,
    .x = (const double *) (gconstpointer) line->x->data,
    .y = (const double *) (gconstpointer) line->y->data,
    .n = line->x->len,
    .low = has_band ? (const double *) (gconstpointer) line->low->data : NULL,
    .high = has_band ? (const double *) (gconstpointer) line->high->data : NULL,
    .dashed = has_band,
  };
}

static void
lac_sweep_chart_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacSweepChart *self = LAC_SWEEP_CHART(view);
  if (self->series == NULL || lac_sweep_series_get_n_done(self->series) == 0) {
    lac_drawing_show_message(drawing, width, height, lac_style_palette()->faint,
                             _("The chart appears when the first run has finished"));
    return;
  }
  gsize            n;
  const LacMetric *columns = lac_sweep_series_get_columns(self->series, &n);
  if (n == 0)
    return;
  const LacSweep       *sweep = lac_sweep_series_get_sweep(self->series);
  gssize                axis = find_axis(sweep);
  g_autoptr(GArray)     lines = collect(self, axis);
  g_autofree LacSeries *series = g_new0(LacSeries, lines->len + 1);
  g_autofree char      *x_label =
    axis >= 0 ? lac_sweep_series_dup_key_label(self->series, (gsize) axis) : g_strdup(_("run"));
  for (guint i = 0; i < lines->len; i++) {
    series[i] = make_series(&g_array_index(lines, Line, i));
    series[i].unit = columns[0].unit;
  }
  g_autofree char *y_label =
    lac_label_with_shown_unit(g_dgettext(GETTEXT_PACKAGE, columns[0].label), columns[0].unit);
  LacScan scan = {
    .x_label = x_label,
    .y_label = y_label,
    .lines = series,
    .n_lines = lines->len,
  };
  find_span(self->series, axis, &scan.x_from, &scan.x_to);
  const LacPoint corner = {0, 0}, size = {width, height};
  lac_scan_draw(drawing, &corner, &size, &scan, LAC_DRAWING_FONT, lac_style_palette());
}

static void
lac_sweep_chart_dispose(GObject *object)
{
  lac_sweep_chart_set_series(LAC_SWEEP_CHART(object), NULL);
  g_clear_object(&LAC_SWEEP_CHART(object)->bands);
  G_OBJECT_CLASS(lac_sweep_chart_parent_class)->dispose(object);
}

static void
lac_sweep_chart_class_init(LacSweepChartClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_sweep_chart_dispose;
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_sweep_chart_draw;
}

static void
lac_sweep_chart_init(LacSweepChart *self)
{
  lac_accessible_name(self, _("Key result versus swept parameter"));
}

void
lac_sweep_chart_set_series(LacSweepChart *self, LacSweepSeries *series)
{
  g_return_if_fail(LAC_IS_SWEEP_CHART(self));
  if (self->series != NULL)
    g_signal_handlers_disconnect_by_data(self->series, self);
  g_set_object(&self->series, series);
  if (series != NULL)
    g_signal_connect_object(series, "changed", G_CALLBACK(gtk_widget_queue_draw), self,
                            G_CONNECT_SWAPPED);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void
lac_sweep_chart_set_bands(LacSweepChart *self, LacSweepBands *bands)
{
  g_return_if_fail(LAC_IS_SWEEP_CHART(self) && LAC_IS_SWEEP_BANDS(bands) && self->bands == NULL);
  self->bands = g_object_ref(bands);
  g_signal_connect_object(bands, "changed", G_CALLBACK(gtk_widget_queue_draw), self,
                          G_CONNECT_SWAPPED);
}
