/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One curve for each method and combination of the other swept parameters. */
#include "app/runs/sweep-chart.h"

#include "app/runs/result.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/style.h"
#include "report/plot/scan.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define N_COLOURS 6

struct _LacSweepChart {
  LacDrawingView parent_instance;
  LacSweepRuns  *results; /* (nullable) */
  LacSweepBands *bands;   /* (nullable): of the sweep of this window */
  LacSweepLook   look;
  char          *metric;
  gssize         chosen;
};

G_DEFINE_FINAL_TYPE(LacSweepChart, lac_sweep_chart, LAC_TYPE_DRAWING_VIEW)

/* ---- curves ---- */

typedef struct {
  double x, y, low, high;
} Sample;

typedef struct {
  char    *label;
  guint    method;  /* position of its method */
  GArray  *samples; /* Sample */
  GArray  *columns[4];
  gboolean has_band, is_random;
} Line;

static void
line_clear(gpointer data)
{
  Line *line = data;
  g_free(line->label);
  g_array_unref(line->samples);
  for (guint i = 0; i < G_N_ELEMENTS(line->columns); i++)
    g_clear_pointer(&line->columns[i], g_array_unref);
}

/* Returns: (transfer full): name of the curve of a point: "Gappy POD, Placement random". */
static char *
dup_label(LacSweepChart *self, const char *method, guint point)
{
  const LacSweepRuns  *results = self->results;
  const LacSweepPoint *at = lac_sweep_runs_get_point(results, point);
  GString             *label = g_string_new(method);
  for (gssize k = 0; self->look.axis >= 0 && results->keys[k] != NULL; k++)
    if (k != self->look.axis)
      g_string_append_printf(label, "%s%s %s", label->len > 0 ? ", " : "", results->labels[k],
                             at->values[k]);
  return g_string_free(label, FALSE);
}

/* @label: (transfer full) */
static Line *
find_line(GArray *lines, char *label, guint method)
{
  for (guint i = 0; i < lines->len; i++)
    if (g_str_equal(g_array_index(lines, Line, i).label, label)) {
      g_free(label);
      return &g_array_index(lines, Line, i);
    }
  Line line = {
    .label = label, .method = method, .samples = g_array_new(FALSE, FALSE, sizeof(Sample))};
  g_array_append_val(lines, line);
  return &g_array_index(lines, Line, lines->len - 1);
}

static int
compare_samples(gconstpointer a, gconstpointer b)
{
  const Sample *left = a, *right = b;
  return left->x != right->x ? (left->x > right->x) - (left->x < right->x)
                             : (left->y > right->y) - (left->y < right->y);
}

/* Merges the sorted samples at one place into their median with the lowest and the highest. */
static void
merge(Line *line)
{
  g_autoptr(GArray) merged = g_array_new(FALSE, FALSE, sizeof(Sample));
  g_array_sort(line->samples, compare_samples);
  const Sample *all = (const Sample *) (gconstpointer) line->samples->data;
  for (guint first = 0, end; first < line->samples->len; first = end) {
    for (end = first + 1; end < line->samples->len && all[end].x == all[first].x;)
      end++;
    guint  n = end - first;
    Sample one = all[first];
    if (n > 1) {
      one.y = (all[first + (n - 1) / 2].y + all[first + n / 2].y) / 2;
      one.low = all[first].y;
      one.high = all[end - 1].y;
      line->has_band = TRUE;
    }
    g_array_append_val(merged, one);
  }
  g_array_set_size(line->samples, 0);
  g_array_append_vals(line->samples, merged->data, merged->len);
}

/* Copies the samples into the columns that a series borrows. */
static void
split(Line *line)
{
  for (guint i = 0; i < G_N_ELEMENTS(line->columns); i++)
    line->columns[i] = g_array_new(FALSE, FALSE, sizeof(double));
  for (guint i = 0; i < line->samples->len; i++) {
    const Sample *sample = &g_array_index(line->samples, Sample, i);
    g_array_append_val(line->columns[0], sample->x);
    g_array_append_val(line->columns[1], sample->y);
    g_array_append_val(line->columns[2], sample->low);
    g_array_append_val(line->columns[3], sample->high);
  }
}

/* Returns the factor between stored and drawn values. */
static double
get_factor(LacSweepChart *self)
{
  return self->metric != NULL && lac_result_is_fraction(self->metric, "") ? 100 : 1;
}

/* Returns the position of gappy POD, which reconstructs from the random placements; a colour of its own without it. */
static guint
find_gappy_pod(GPtrArray *methods)
{
  guint at = methods->len;
  g_ptr_array_find(methods, g_intern_static_string("pod"), &at);
  return at;
}

static void
collect_bands(LacSweepChart *self, GArray *lines, GPtrArray *methods)
{
  guint  pod = find_gappy_pod(methods);
  gsize  n = self->bands != NULL ? lac_sweep_bands_get_n(self->bands) : 0;
  double factor = get_factor(self);
  for (guint i = 0; i < self->results->points->len; i++) {
    gssize               run = lac_sweep_runs_get_point(self->results, i)->run;
    const LacRandomBand *band =
      run >= 0 && (gsize) run < n ? lac_sweep_bands_get(self->bands, (gsize) run) : NULL;
    if (band == NULL || band->n == 0)
      continue;
    Line  *line = find_line(lines, dup_label(self, _("Random placement"), i), pod);
    Sample sample = {lac_sweep_runs_get_place(self->results, i, self->look.axis),
                     factor * band->median, factor * band->low, factor * band->high};
    line->is_random = line->has_band = TRUE;
    g_array_append_val(line->samples, sample);
  }
}

/* Returns: (transfer full): interned groups in the order of their colours, as of lac_metric_looks(): the methods in the
 * order of columns, then the run itself. */
static GPtrArray *
list_groups(const LacSweepRuns *results)
{
  GPtrArray *groups = g_ptr_array_new();
  for (int own = 0; own <= 1; own++)
    for (guint c = 0; c < results->columns->len; c++) {
      const char *group = lac_sweep_runs_get_column(results, c)->group;
      if ((*group == '\0') == own && !g_ptr_array_find(groups, group, NULL))
        g_ptr_array_add(groups, (gpointer) group);
    }
  return groups;
}

/* Returns: (transfer full): the curves, split into columns. */
static GArray *
collect(LacSweepChart *self)
{
  const LacSweepRuns  *results = self->results;
  g_autoptr(GPtrArray) methods = list_groups(results);
  GArray              *lines = g_array_new(FALSE, FALSE, sizeof(Line));
  double               factor = get_factor(self);
  g_array_set_clear_func(lines, line_clear);
  for (guint c = 0; c < results->columns->len; c++) {
    const LacSweepColumn *column = lac_sweep_runs_get_column(results, c);
    guint                 method = 0;
    g_ptr_array_find(methods, column->group, &method);
    if (column->is_hidden || g_strcmp0(column->own_key, self->metric) != 0)
      continue;
    const char *name = *column->method != '\0' ? column->method : results->title;
    for (guint i = 0; i < results->points->len; i++) {
      double y = factor * lac_sweep_runs_get_point(results, i)->results[c];
      Sample sample = {lac_sweep_runs_get_place(results, i, self->look.axis), y, y, y};
      if (isfinite(y))
        g_array_append_val(find_line(lines, dup_label(self, name, i), method)->samples, sample);
    }
  }
  for (guint i = 0; i < lines->len; i++)
    merge(&g_array_index(lines, Line, i));
  if (self->look.bands == LAC_SWEEP_BANDS_RANDOM)
    collect_bands(self, lines, methods);
  for (guint i = 0; i < lines->len; i++)
    split(&g_array_index(lines, Line, i));
  return lines;
}

/* ---- drawing ---- */

/* Borrows from the lines: each method has one colour, the curves of a method differ in dashes. */
static LacSeries *
make_series(LacSweepChart *self, const GArray *lines, const char *unit)
{
  LacSeries        *series = g_new0(LacSeries, lines->len + 1);
  g_autofree guint *members = g_new0(guint, lines->len + self->results->columns->len + 1);
  for (guint i = 0; i < lines->len; i++) {
    const Line *line = &g_array_index(lines, Line, i);
    gboolean    has_band =
      line->is_random || (line->has_band && self->look.bands == LAC_SWEEP_BANDS_REPEATS);
    guint member = line->is_random ? 0 : members[line->method]++;
    series[i] = (LacSeries){
      .label = line->label,
      .x = (const double *) (gconstpointer) line->columns[0]->data,
      .y = (const double *) (gconstpointer) line->columns[1]->data,
      .low = has_band ? (const double *) (gconstpointer) line->columns[2]->data : NULL,
      .high = has_band ? (const double *) (gconstpointer) line->columns[3]->data : NULL,
      .n = line->columns[0]->len,
      .look = 1 + line->method % N_COLOURS + N_COLOURS * (member % 3),
      .dashed = line->is_random,
      .unit = unit,
    };
  }
  return series;
}

static int
compare_doubles(gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* Returns: (transfer full): the places of all runs, also of those to come, ascending and without repetition. */
static GArray *
find_places(LacSweepChart *self)
{
  GArray *places = g_array_new(FALSE, FALSE, sizeof(double));
  for (guint i = 0; i < self->results->points->len; i++) {
    double place = lac_sweep_runs_get_place(self->results, i, self->look.axis);
    g_array_append_val(places, place);
  }
  g_array_sort(places, compare_doubles);
  for (guint i = places->len; i-- > 1;)
    if (g_array_index(places, double, i) == g_array_index(places, double, i - 1))
      g_array_remove_index(places, i);
  return places;
}

/* Calls @use with the chart as a scan, which borrows from this call. Returns: FALSE if there is nothing to draw. */
static gboolean
with_scan(LacSweepChart *self, void (*use)(const LacScan *scan, gpointer data), gpointer data)
{
  const LacSweepRuns   *results = self->results;
  const LacSweepColumn *column = NULL;
  for (guint c = 0; results != NULL && c < results->columns->len && column == NULL; c++)
    if (g_strcmp0(lac_sweep_runs_get_column(results, c)->own_key, self->metric) == 0)
      column = lac_sweep_runs_get_column(results, c);
  if (column == NULL || results->points->len == 0)
    return FALSE;
  gboolean              is_percent = get_factor(self) != 1;
  g_autoptr(GArray)     lines = collect(self), places = find_places(self);
  g_autofree LacSeries *series = make_series(self, lines, is_percent ? "" : column->unit);
  g_autofree char      *y_label =
    is_percent ? g_strdup(column->label) : lac_label_with_shown_unit(column->label, column->unit);
  double  stripe = self->chosen >= 0
                     ? lac_sweep_runs_get_place(results, (guint) self->chosen, self->look.axis)
                     : 0;
  LacScan scan = {
    .x_label = self->look.axis >= 0 ? results->labels[self->look.axis] : _("run"),
    .y_label = is_percent ? NULL : y_label,
    .lines = series,
    .n_lines = lines->len,
    .x_from = g_array_index(places, double, 0),
    .x_to = g_array_index(places, double, places->len - 1),
    .names_at_ends = TRUE,
    .percent_y = is_percent,
    .linear = self->look.linear,
    .x_ticks = (const double *) (gconstpointer) places->data,
    .n_x_ticks = places->len,
    .stripe = self->chosen >= 0 ? &stripe : NULL,
  };
  use(&scan, data);
  return TRUE;
}

typedef struct {
  LacDrawing *drawing;
  LacPoint    size;
} Canvas;

static void
draw_scan(const LacScan *scan, gpointer data)
{
  const Canvas  *canvas = data;
  const LacPoint corner = {0, 0};
  lac_scan_draw(canvas->drawing, &corner, &canvas->size, scan, LAC_DRAWING_FONT,
                lac_style_palette());
}

static void
lac_sweep_chart_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacSweepChart *self = LAC_SWEEP_CHART(view);
  Canvas         canvas = {drawing, {width, height}};
  if (!with_scan(self, draw_scan, &canvas))
    lac_drawing_show_message(drawing, width, height, lac_style_palette()->faint,
                             _("The chart appears when the first run has finished"));
}

typedef struct {
  const char *path, *title;
  GError     *error;
} Export;

static void
write_scan(const LacScan *scan, gpointer data)
{
  Export *export = data;
  LacScan titled = *scan;
  titled.title = export->title;
  titled.stripe = NULL;
  lac_scan_write(&titled, export->path, &export->error);
}

gboolean
lac_sweep_chart_write(LacSweepChart *self, const char *path, GError **error)
{
  g_return_val_if_fail(LAC_IS_SWEEP_CHART(self) && path != NULL, FALSE);
  const char *label =
    self->results != NULL ? lac_sweep_runs_get_label(self->results, self->metric) : NULL;
  g_autofree char *title =
    label != NULL ? g_strdup_printf("%s: %s", self->results->title, label) : NULL;
  Export export = {path, title, NULL};
  if (!with_scan(self, write_scan, &export))
    g_set_error(&export.error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                _("No run of this sweep has finished."));
  if (export.error != NULL)
    g_propagate_error(error, export.error);
  return export.error == NULL;
}

/* ---- the object ---- */

static void
lac_sweep_chart_dispose(GObject *object)
{
  LacSweepChart *self = LAC_SWEEP_CHART(object);
  g_clear_pointer(&self->results, lac_sweep_runs_unref);
  g_clear_object(&self->bands);
  g_clear_pointer(&self->metric, g_free);
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
  self->look.axis = self->chosen = -1;
  lac_accessible_name(self,
                      _("Results against the swept parameter; the table below has the values"));
}

void
lac_sweep_chart_set_results(LacSweepChart *self, LacSweepRuns *results)
{
  g_return_if_fail(LAC_IS_SWEEP_CHART(self));
  LacSweepRuns *before = self->results;
  self->results = results != NULL ? lac_sweep_runs_ref(results) : NULL;
  g_clear_pointer(&before, lac_sweep_runs_unref);
  self->chosen = -1;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void
lac_sweep_chart_set_look(LacSweepChart *self, const LacSweepLook *look)
{
  g_return_if_fail(LAC_IS_SWEEP_CHART(self) && look != NULL);
  char *metric = g_strdup(look->metric);
  g_free(self->metric);
  self->metric = metric;
  self->look = *look;
  self->look.metric = self->metric;
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

void
lac_sweep_chart_choose(LacSweepChart *self, gssize point)
{
  g_return_if_fail(LAC_IS_SWEEP_CHART(self));
  self->chosen = self->results != NULL && point < (gssize) self->results->points->len ? point : -1;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

gboolean
lac_sweep_chart_has_repeats(LacSweepChart *self)
{
  g_return_val_if_fail(LAC_IS_SWEEP_CHART(self), FALSE);
  if (self->results == NULL)
    return FALSE;
  g_autoptr(GArray) lines = collect(self);
  for (guint i = 0; i < lines->len; i++)
    if (g_array_index(lines, Line, i).has_band && !g_array_index(lines, Line, i).is_random)
      return TRUE;
  return FALSE;
}
