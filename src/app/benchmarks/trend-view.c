/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trend drawn by report/plot/trend.h. */
#include "app/benchmarks/trend-view.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/style.h"
#include "perf/analysis/change-points.h"
#include "report/bench/names.h"
#include "report/bench/table.h"
#include "report/plot/trend.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define FONT 12.0

struct _LacTrendView {
  LacDrawingView parent_instance;
  GPtrArray     *results; /* (nullable): LacBenchResult, borrowed */
  GArray        *values;  /* double */
  GPtrArray     *labels;  /* borrowed */
  gsize         *changes;
  LacTrend       trend;
  char          *name; /* of the quantity, for screen readers */
};

G_DEFINE_FINAL_TYPE(LacTrendView, lac_trend_view, LAC_TYPE_DRAWING_VIEW)

static LacBox
get_box(LacTrendView *self)
{
  return (LacBox){0, 0, gtk_widget_get_width(GTK_WIDGET(self)),
                  gtk_widget_get_height(GTK_WIDGET(self))};
}

static void
lac_trend_view_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacTrendView         *self = LAC_TREND_VIEW(view);
  const LacTrendColours colours = {lac_style_wrong(), lac_style_good()};

  if (self->trend.n == 0)
    lac_drawing_show_message(drawing, width, height, lac_style_palette()->faint,
                             _("Choose a row to see its trend"));
  else
    lac_trend_draw(drawing, &self->trend, (LacBox){0, 0, width, height}, FONT, lac_style_palette(),
                   &colours);
}

/* ---- the chosen result ---- */

static char *
dup_reading(LacTrendView *self)
{
  const LacBenchResult *result = self->results->pdata[self->trend.chosen];
  g_autofree char      *value =
    lac_trend_value_text(&self->trend, self->trend.values[self->trend.chosen]);
  g_autofree char *when = g_date_time_format(result->started, "%x %H:%M");

  return g_strdup_printf("%s: %s, %s", result->version, value, when);
}

static void
choose(LacTrendView *self, gsize i)
{
  if (i == self->trend.chosen)
    return;
  self->trend.chosen = i;
  g_autofree char *reading = i < self->trend.n ? dup_reading(self) : NULL;
  g_autofree char *words =
    reading != NULL ? g_strdup_printf("%s, %s", self->name, reading) : g_strdup(self->name);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self), reading);
  lac_accessible_name(self, words);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void
on_motion(LacTrendView *self, double x, double y)
{
  if (self->trend.n > 0)
    choose(self, lac_trend_find(&self->trend, get_box(self), FONT, x));
}

static void
lac_trend_view_click(LacDrawingView *view, double x, double y)
{
  on_motion(LAC_TREND_VIEW(view), x, y);
}

static gboolean
lac_trend_view_key(LacDrawingView *view, guint key, GdkModifierType state)
{
  LacTrendView *self = LAC_TREND_VIEW(view);
  const gsize   n = self->trend.n, i = self->trend.chosen;

  if (n == 0 ||
      (key != GDK_KEY_Left && key != GDK_KEY_Right && key != GDK_KEY_Home && key != GDK_KEY_End))
    return GDK_EVENT_PROPAGATE;
  if (key == GDK_KEY_Home)
    choose(self, 0);
  else if (key == GDK_KEY_End || i >= n)
    choose(self, n - 1);
  else
    choose(self, key == GDK_KEY_Left ? i - (i > 0) : MIN(i + 1, n - 1));
  return GDK_EVENT_STOP;
}

/* ---- the quantity ---- */

static void
clear(LacTrendView *self)
{
  g_clear_pointer(&self->results, g_ptr_array_unref);
  g_array_set_size(self->values, 0);
  g_ptr_array_set_size(self->labels, 0);
  g_clear_pointer(&self->changes, g_free);
  g_clear_pointer(&self->name, g_free);
  self->trend = (LacTrend){.chosen = G_MAXSIZE};
}

/* Sets the limit that the row of the baseline sets. */
static void
set_limit(LacTrendView *self, const LacBenchResults *all, const char *name, const LacBenchRow *row)
{
  const LacBenchRow *before =
    all->baseline != NULL ? lac_bench_file_find(all->baseline->file, name, row->metric) : NULL;
  guint at = 0;

  self->trend.baseline = NAN;
  if (before == NULL || before->samples->len == 0 ||
      !g_ptr_array_find(self->results, all->baseline, &at))
    return;
  self->trend.baseline = lac_bench_row_median(before);
  self->trend.baseline_at = at;
  self->trend.allowed = row->kind == LAC_BENCH_MEMORY    ? LAC_GATE_MEMORY
                        : row->kind == LAC_BENCH_QUALITY ? 1 + before->tolerance
                                                         : LAC_GATE_TIME;
}

static void
fill(LacTrendView *self, const LacBenchResults *all, const char *name, const char *metric)
{
  const LacBenchRow *row = NULL;

  self->results = lac_bench_results_dup_with(all, name, metric);
  for (guint i = 0; i < self->results->len; i++) {
    const LacBenchResult *result = self->results->pdata[i];
    row = lac_bench_file_find(result->file, name, metric);
    const double value = lac_bench_row_median(row);

    g_array_append_val(self->values, value);
    g_ptr_array_add(self->labels, result->version);
  }
  if (row == NULL)
    return;
  self->changes = g_new(gsize, self->values->len);
  self->trend.values = (const double *) (gpointer) self->values->data;
  self->trend.labels = (const char *const *) self->labels->pdata;
  self->trend.n = self->values->len;
  self->trend.n_changes = lac_change_points(self->trend.values, self->trend.n, self->changes);
  self->trend.changes = self->changes;
  self->trend.unit = row->unit;
  self->trend.more_is_better = lac_bench_kind_wants_more(row->kind);
  set_limit(self, all, name, row);
}

void
lac_trend_view_set(LacTrendView          *self,
                   const LacBenchResults *results,
                   const char            *name,
                   const char            *metric)
{
  g_return_if_fail(LAC_IS_TREND_VIEW(self));
  clear(self);
  if (results != NULL)
    fill(self, results, name, metric);
  self->name = results != NULL ? lac_bench_dup_metric(metric) : g_strdup(_("Trend"));
  lac_accessible_name(self, self->name);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self), NULL);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

guint
lac_trend_view_get_n(LacTrendView *self)
{
  g_return_val_if_fail(LAC_IS_TREND_VIEW(self), 0);
  return (guint) self->trend.n;
}

const gsize *
lac_trend_view_get_changes(LacTrendView *self, gsize *n)
{
  g_return_val_if_fail(LAC_IS_TREND_VIEW(self), NULL);
  *n = self->trend.n_changes;
  return self->changes;
}

/* ---- the object ---- */

static void
lac_trend_view_finalize(GObject *object)
{
  LacTrendView *self = LAC_TREND_VIEW(object);

  clear(self);
  g_array_unref(self->values);
  g_ptr_array_unref(self->labels);
  G_OBJECT_CLASS(lac_trend_view_parent_class)->finalize(object);
}

static void
lac_trend_view_class_init(LacTrendViewClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_trend_view_finalize;
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_trend_view_draw;
  LAC_DRAWING_VIEW_CLASS(class)->click = lac_trend_view_click;
  LAC_DRAWING_VIEW_CLASS(class)->key = lac_trend_view_key;
}

static void
lac_trend_view_init(LacTrendView *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new();

  lac_accessible_name(self, _("Trend over versions"));
  self->values = g_array_new(FALSE, FALSE, sizeof(double));
  self->labels = g_ptr_array_new();
  self->trend.chosen = G_MAXSIZE;
  g_signal_connect_swapped(motion, "motion", G_CALLBACK(on_motion), self);
  gtk_widget_add_controller(GTK_WIDGET(self), motion);
}
