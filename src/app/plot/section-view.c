/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles as a drawing list of report/plot/plot.h. */
#include "app/plot/section-view.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/style.h"
#include "field/section.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#define MAX_SOURCES 16
#define POINTS      256

struct _LacSectionView {
  LacDrawingView parent_instance;
  LacFieldView  *field; /* borrowed */
  gboolean       hidden[MAX_SOURCES];
};

G_DEFINE_FINAL_TYPE(LacSectionView, lac_section_view, LAC_TYPE_DRAWING_VIEW)

/* Lists the channels of the quantity shown, the true field first if there is one. Returns: their number. */
static gsize
list_sources(LacSectionView *self, gsize *channels)
{
  if (self->field == NULL)
    return 0;
  const LacFieldScene *scene = lac_field_view_get_scene(self->field);
  gsize                n = 0;
  for (int pass = 0; pass < 2; pass++)
    for (gsize i = 0; i < scene->n_channels && n < MAX_SOURCES; i++) {
      const LacChannel *channel = &scene->channels[i];
      const char       *quantity = channel->quantity != NULL ? channel->quantity : channel->key;
      if (scene->n_quantities == 0 || channel->layers.n > 0 || channel->chart.n > 0 ||
          channel->role == LAC_ROLE_OTHER ||
          !g_str_equal(quantity, scene->quantities[scene->quantity]))
        continue;
      if ((channel->role == LAC_ROLE_TRUTH) == (pass == 0))
        channels[n++] = i;
    }
  return n;
}

typedef struct {
  gsize     n_sources, channels[MAX_SOURCES];
  double    distance[POINTS], values[MAX_SOURCES][POINTS], errors[MAX_SOURCES][POINTS];
  LacSeries series[2 * MAX_SOURCES];
  gsize     n_series;
} Curves;

static void
add_series(Curves *curves, const double *values, guint look, gboolean is_error)
{
  curves->series[curves->n_series++] =
    (LacSeries){.x = curves->distance, .y = values, .n = POINTS, .look = look, .dashed = is_error};
}

/* The true field is added last, so that it is drawn on top. */
static void
read_along(LacSectionView *self, const LacFieldScene *scene, const double line[4], Curves *curves)
{
  LacSection     section = {{line[0], line[1]}, {line[2], line[3]}, POINTS, FALSE};
  const gboolean has_truth = scene->channels[curves->channels[0]].role == LAC_ROLE_TRUTH;
  for (gsize s = 0; s < curves->n_sources; s++)
    lac_section_fill(&scene->frame->planes[curves->channels[s]], &section, curves->distance,
                     curves->values[s]);
  for (gsize s = has_truth; s < curves->n_sources; s++) {
    const char *label = scene->channels[curves->channels[s]].label;
    const guint look = lac_field_view_find_look(self->field, label);
    if (self->hidden[s])
      continue;
    add_series(curves, curves->values[s], look, FALSE);
    for (gsize i = 0; has_truth && i < POINTS; i++)
      curves->errors[s][i] = curves->values[s][i] - curves->values[0][i];
    if (has_truth)
      add_series(curves, curves->errors[s], look, TRUE);
  }
  if (has_truth && !self->hidden[0])
    add_series(curves, curves->values[0], LAC_LOOK_TRUTH, FALSE);
}

static void
draw_curves(LacSectionView *self,
            LacDrawing     *drawing,
            const double    line[4],
            double          width,
            double          height)
{
  const LacFieldScene *scene = lac_field_view_get_scene(self->field);
  g_autofree Curves   *curves = g_new0(Curves, 1);
  curves->n_sources = list_sources(self, curves->channels);
  if (scene->frame == NULL || curves->n_sources == 0)
    return;
  read_along(self, scene, line, curves);
  const LacChannel *channel = &scene->channels[curves->channels[0]];
  g_autofree char  *quantity = lac_field_scene_dup_quantity(scene, scene->quantity);
  g_autofree char  *y_label = lac_label_with_unit(quantity, channel->unit);
  g_autofree char  *x_label = lac_label_with_shown_unit(_("along the line"), channel->axis_unit_x);
  LacPlotStyle      style = {.x_label = x_label,
                             .y_label = y_label,
                             .font_size = LAC_DRAWING_FONT,
                             .x_unit = channel->axis_unit_x};
  lac_plot_curves(drawing, 0, 0, width, height, curves->series, curves->n_series, &style,
                  lac_style_palette());
}

static void
lac_section_view_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacSectionView *self = LAC_SECTION_VIEW(view);
  double          line[4];
  if (self->field != NULL && lac_field_view_get_line(self->field, line))
    draw_curves(self, drawing, line, width, height);
  else
    lac_drawing_show_message(
      drawing, width, height, lac_style_palette()->foreground,
      _("Drag across a field, or press P in it, to plot the fields along a line."));
}

static void
on_changed(LacSectionView *self)
{
  if (gtk_widget_get_mapped(GTK_WIDGET(self)))
    gtk_widget_queue_draw(GTK_WIDGET(self));
}

/* While this view is visible, a drag in the fields draws the line. */
static void
on_mapped(LacSectionView *self)
{
  if (self->field != NULL)
    lac_field_view_set_draws_line(self->field, gtk_widget_get_mapped(GTK_WIDGET(self)));
}

static void
lac_section_view_dispose(GObject *object)
{
  LacSectionView *self = LAC_SECTION_VIEW(object);
  if (self->field != NULL)
    g_object_remove_weak_pointer(G_OBJECT(self->field), (gpointer *) &self->field);
  self->field = NULL;
  G_OBJECT_CLASS(lac_section_view_parent_class)->dispose(object);
}

static void
lac_section_view_class_init(LacSectionViewClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_section_view_dispose;
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_section_view_draw;
}

static void
lac_section_view_init(LacSectionView *self)
{
  lac_accessible_name(self, _("Fields along a line"));
}

void
lac_section_view_attach(LacSectionView *self, LacFieldView *field)
{
  g_return_if_fail(LAC_IS_SECTION_VIEW(self) && LAC_IS_FIELD_VIEW(field) && self->field == NULL);
  self->field = field;
  g_object_add_weak_pointer(G_OBJECT(field), (gpointer *) &self->field);
  g_signal_connect_object(field, "picture-changed", G_CALLBACK(on_changed), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(field, "line-changed", G_CALLBACK(on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_after(self, "map", G_CALLBACK(on_mapped), NULL);
  g_signal_connect_after(self, "unmap", G_CALLBACK(on_mapped), NULL);
}

const char *
lac_section_view_get_source(LacSectionView *self, guint source)
{
  gsize channels[MAX_SOURCES];
  g_return_val_if_fail(LAC_IS_SECTION_VIEW(self), NULL);
  if (source >= list_sources(self, channels))
    return NULL;
  return g_dgettext(GETTEXT_PACKAGE,
                    lac_field_view_get_scene(self->field)->channels[channels[source]].label);
}

void
lac_section_view_set_shown(LacSectionView *self, guint source, gboolean shown)
{
  g_return_if_fail(LAC_IS_SECTION_VIEW(self) && source < MAX_SOURCES);
  self->hidden[source] = !shown;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}
