/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The roofline chart on screen: the paper version, enlarged to the height of the tab, beside its explanation. */
#include "app/timeline/roofline-view.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/drawing-view.h"
#include "app/toolkit/style.h"
#include "report/plot/roofline-chart.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define MOST_SCALE  1.4 /* relative to the paper version */
#define LEAST_WIDTH 300
#define WORDS       36 /* characters */

/* ---- the chart ---- */

#define LAC_TYPE_ROOFLINE_PICTURE (lac_roofline_picture_get_type())
G_DECLARE_FINAL_TYPE(LacRooflinePicture,
                     lac_roofline_picture,
                     LAC,
                     ROOFLINE_PICTURE,
                     LacDrawingView)

struct _LacRooflinePicture {
  LacDrawingView   parent_instance;
  LacRooflineChart chart; /* name indices are those of the recording */
};

G_DEFINE_FINAL_TYPE(LacRooflinePicture, lac_roofline_picture, LAC_TYPE_DRAWING_VIEW)

static double
get_scale(LacDrawingView *view)
{
  return CLAMP(gtk_widget_get_height(GTK_WIDGET(view)) / LAC_ROOFLINE_HEIGHT, 1, MOST_SCALE);
}

static void
lac_roofline_picture_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacRooflinePicture *self = LAC_ROOFLINE_PICTURE(view);
  if (self->chart.n > 0)
    lac_roofline_draw(&self->chart, drawing, (LacPoint){0, 0}, width / get_scale(view),
                      lac_style_palette());
}

static void
lac_roofline_picture_enlarge(LacDrawingView *view, GtkSnapshot *snapshot)
{
  const float scale = (float) get_scale(view);
  gtk_snapshot_scale(snapshot, scale, scale);
}

static void
lac_roofline_picture_class_init(LacRooflinePictureClass *class)
{
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_roofline_picture_draw;
  LAC_DRAWING_VIEW_CLASS(class)->paint_under = lac_roofline_picture_enlarge;
}

static void
lac_roofline_picture_init(LacRooflinePicture *self)
{
  gtk_widget_set_size_request(GTK_WIDGET(self), LEAST_WIDTH, (int) LAC_ROOFLINE_HEIGHT);
  gtk_widget_set_hexpand(GTK_WIDGET(self), TRUE);
  lac_accessible_name(self, _("Operations and the roofline of this machine"));
}

/* ---- the tab ---- */

struct _LacRooflineView {
  GtkWidget            parent_instance;
  LacRooflinePicture  *picture;
  GtkLabel            *words;
  LacTimelineAnalysis *analysis;
};

G_DEFINE_FINAL_TYPE(LacRooflineView, lac_roofline_view, GTK_TYPE_WIDGET)

static const char *
find_words(const LacAnalysis *found, const LacRooflineChart *chart)
{
  if (found == NULL)
    return _("Analysing the records…");
  if (chart->n > 0)
    return lac_roofline_explanation(&chart->peak);
  if (isnan(chart->peak.flops) || isnan(chart->peak.bytes))
    return _(
      "No roofline: the peak performance of this machine is not recorded. A profiled run records "
      "it at its start; traces of other programs do not contain it.");
  return _("No points: no operation here records both its floating-point operations and the bytes "
           "it moves.");
}

/* Returns a description of the chart for screen readers. */
static char *
dup_points(const LacRooflineChart *chart)
{
  GString *points = g_string_new(NULL);
  for (gsize i = 0; i < chart->n; i++) {
    const LacRooflinePoint *point = &chart->points[i];
    g_autofree char        *rate = lac_number_text(point->rate * 1e-9);
    g_autofree char        *intensity = lac_number_text(point->intensity);
    g_string_append_printf(points, _("%s: %s GFLOP/s at %s FLOP/B. "), point->name, rate,
                           intensity);
  }
  return g_string_free(points, FALSE);
}

static void
fill(LacRooflineView *self)
{
  LacTimelineScope  *scope = lac_timeline_analysis_get_scope(self->analysis);
  const LacAnalysis *found = lac_timeline_analysis_get(self->analysis);
  LacRooflineChart  *chart = &self->picture->chart;
  gsize              n;
  *chart = (LacRooflineChart){0};
  if (!gtk_widget_get_mapped(GTK_WIDGET(self)))
    return;
  if (found != NULL) {
    const LacAggregate *rows = lac_aggregates_get(found->aggregates, &n);
    *chart = lac_roofline_chart_of(
      lac_recording_get_capture(lac_timeline_scope_get_recording(scope)), rows, n);
  }
  g_autofree char *points = dup_points(chart);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->picture), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 points, -1);
  gtk_label_set_text(self->words, find_words(found, chart));
  gtk_widget_set_visible(GTK_WIDGET(self->picture), chart->n > 0);
  gtk_widget_set_hexpand(GTK_WIDGET(self->words), chart->n == 0);
  gtk_widget_queue_draw(GTK_WIDGET(self->picture));
}

static void
on_map(LacRooflineView *self)
{
  lac_timeline_analysis_watch(self->analysis);
  fill(self);
}

static void
on_unmap(LacRooflineView *self)
{
  lac_timeline_analysis_unwatch(self->analysis);
}

static void
lac_roofline_view_dispose(GObject *object)
{
  LacRooflineView *self = LAC_ROOFLINE_VIEW(object);
  GtkWidget       *child;
  g_clear_object(&self->analysis);
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self))) != NULL)
    gtk_widget_unparent(child);
  G_OBJECT_CLASS(lac_roofline_view_parent_class)->dispose(object);
}

static void
lac_roofline_view_class_init(LacRooflineViewClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_roofline_view_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_roofline_view_init(LacRooflineView *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *scroller = gtk_scrolled_window_new(), *words = gtk_label_new(NULL);
  self->picture = g_object_new(LAC_TYPE_ROOFLINE_PICTURE, NULL);
  self->words = GTK_LABEL(words);
  gtk_label_set_wrap(self->words, TRUE);
  gtk_label_set_xalign(self->words, 0);
  gtk_label_set_yalign(self->words, 0);
  gtk_label_set_max_width_chars(self->words, WORDS);
  gtk_widget_add_css_class(words, "caption");
  gtk_widget_set_margin_start(box, 12);
  gtk_widget_set_margin_end(box, 12);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->picture));
  gtk_box_append(GTK_BOX(box), words);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), box);
  gtk_widget_set_parent(scroller, GTK_WIDGET(self));
}

void
lac_roofline_view_set_analysis(LacRooflineView *self, LacTimelineAnalysis *analysis)
{
  g_return_if_fail(LAC_IS_ROOFLINE_VIEW(self) && self->analysis == NULL);
  self->analysis = g_object_ref(analysis);
  g_signal_connect_object(analysis, "changed", G_CALLBACK(fill), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self, "map", G_CALLBACK(on_map), self,
                          G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object(self, "unmap", G_CALLBACK(on_unmap), self, G_CONNECT_SWAPPED);
}
