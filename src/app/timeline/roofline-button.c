/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The roofline chart on screen: the paper version, enlarged. */
#include "app/timeline/roofline-button.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/drawing-view.h"
#include "app/toolkit/style.h"
#include "report/plot/roofline-chart.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define SCALE 1.4 /* relative to the paper version */
#define WIDTH 560

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

static void
lac_roofline_picture_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacRooflinePicture *self = LAC_ROOFLINE_PICTURE(view);
  if (self->chart.n > 0)
    lac_roofline_draw(&self->chart, drawing, (LacPoint){0, 0}, width / SCALE, lac_style_palette());
}

static void
lac_roofline_picture_enlarge(LacDrawingView *view, GtkSnapshot *snapshot)
{
  gtk_snapshot_scale(snapshot, (float) SCALE, (float) SCALE);
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
  gtk_widget_set_size_request(GTK_WIDGET(self), WIDTH, (int) (LAC_ROOFLINE_HEIGHT * SCALE));
  lac_accessible_name(self, _("Operations and the roofline of this machine"));
}

/* ---- the button ---- */

struct _LacRooflineButton {
  GtkWidget            parent_instance;
  GtkMenuButton       *button;
  LacRooflinePicture  *picture;
  GtkLabel            *words;
  LacTimelineAnalysis *analysis;
};

G_DEFINE_FINAL_TYPE(LacRooflineButton, lac_roofline_button, GTK_TYPE_WIDGET)

static const char *
find_words(const LacAnalysis *found, const LacRooflineChart *chart)
{
  if (found == NULL)
    return _("Analysing the records…");
  if (chart->n > 0)
    return lac_roofline_explanation();
  if (isnan(chart->peak.flops) || isnan(chart->peak.bytes))
    return _(
      "No roofline: the peak performance of this machine was not measured. A profiled run on the "
      "processor measures it at its start; traces of other programs do not contain it.");
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
fill(LacRooflineButton *self)
{
  LacTimelineScope  *scope = lac_timeline_analysis_get_scope(self->analysis);
  const LacAnalysis *found = lac_timeline_analysis_get(self->analysis);
  LacRooflineChart  *chart = &self->picture->chart;
  gsize              n;
  *chart = (LacRooflineChart){0};
  if (!gtk_widget_get_mapped(GTK_WIDGET(self->words)))
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
  gtk_widget_queue_draw(GTK_WIDGET(self->picture));
}

static void
on_map(LacRooflineButton *self)
{
  lac_timeline_analysis_watch(self->analysis);
  fill(self);
}

static void
on_unmap(LacRooflineButton *self)
{
  lac_timeline_analysis_unwatch(self->analysis);
}

static void
lac_roofline_button_dispose(GObject *object)
{
  LacRooflineButton *self = LAC_ROOFLINE_BUTTON(object);
  if (self->button != NULL)
    gtk_widget_unparent(GTK_WIDGET(self->button));
  self->button = NULL;
  g_clear_object(&self->analysis);
  G_OBJECT_CLASS(lac_roofline_button_parent_class)->dispose(object);
}

static void
lac_roofline_button_class_init(LacRooflineButtonClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_roofline_button_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_roofline_button_init(LacRooflineButton *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6), *popover = gtk_popover_new();
  GtkWidget *words = gtk_label_new(NULL);
  self->picture = g_object_new(LAC_TYPE_ROOFLINE_PICTURE, NULL);
  self->words = GTK_LABEL(words);
  gtk_label_set_wrap(self->words, TRUE);
  gtk_label_set_xalign(self->words, 0);
  gtk_label_set_max_width_chars(self->words, 60);
  gtk_widget_add_css_class(words, "caption");
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->picture));
  gtk_box_append(GTK_BOX(box), words);
  gtk_popover_set_child(GTK_POPOVER(popover), box);
  lac_accessible_name(popover, _("Operations and the roofline of this machine"));
  self->button = GTK_MENU_BUTTON(gtk_menu_button_new());
  gtk_menu_button_set_label(self->button, _("Roofline"));
  gtk_menu_button_set_popover(self->button, popover);
  gtk_widget_add_css_class(GTK_WIDGET(self->button), "small");
  gtk_widget_set_valign(GTK_WIDGET(self->button), GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text(
    GTK_WIDGET(self->button),
    _("Performance of the operations relative to the peaks of this machine"));
  lac_accessible_name(self->button, _("Roofline"));
  gtk_widget_set_parent(GTK_WIDGET(self->button), GTK_WIDGET(self));
}

void
lac_roofline_button_set_analysis(LacRooflineButton *self, LacTimelineAnalysis *analysis)
{
  g_return_if_fail(LAC_IS_ROOFLINE_BUTTON(self) && self->analysis == NULL);
  self->analysis = g_object_ref(analysis);
  g_signal_connect_object(analysis, "changed", G_CALLBACK(fill), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->words, "map", G_CALLBACK(on_map), self,
                          G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object(self->words, "unmap", G_CALLBACK(on_unmap), self, G_CONNECT_SWAPPED);
}
