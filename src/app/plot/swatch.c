/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Swatches of methods. */
#include "app/plot/swatch.h"

#include "app/toolkit/style.h"
#include "report/plot/plot.h"

#include <math.h>

#define WIDTH     16
#define HEIGHT    12
#define THICKNESS 3.0

struct _LacMethodSwatch {
  LacDrawingView parent_instance;
  guint          look;
  gboolean       is_hidden;
};

G_DEFINE_FINAL_TYPE(LacMethodSwatch, lac_method_swatch, LAC_TYPE_DRAWING_VIEW)

static void
lac_method_swatch_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacMethodSwatch  *self = LAC_METHOD_SWATCH(view);
  const LacPalette *palette = lac_style_palette();
  const LacColour   colour = self->look > 0 ? lac_look_colour(palette, self->look) : palette->faint;
  const double      y = floor(height / 2), half = THICKNESS / 2;
  const LacPoint    line[] = {{0, y}, {width, y}};
  const LacPoint    rim[] = {{0.5, y - half},
                             {width - 0.5, y - half},
                             {width - 0.5, y + half},
                             {0.5, y + half},
                             {0.5, y - half}};
  if (self->is_hidden)
    lac_draw_lines(drawing, rim, G_N_ELEMENTS(rim), 1, colour);
  else
    lac_draw_dashed(drawing, line, 2, THICKNESS, colour, lac_look_dash(self->look));
}

static void
lac_method_swatch_class_init(LacMethodSwatchClass *class)
{
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_method_swatch_draw;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
lac_method_swatch_init(LacMethodSwatch *self)
{
  self->look = 1;
  gtk_widget_set_size_request(GTK_WIDGET(self), WIDTH, HEIGHT);
  gtk_widget_set_valign(GTK_WIDGET(self), GTK_ALIGN_CENTER);
}

GtkWidget *
lac_method_swatch_new(void)
{
  return g_object_new(LAC_TYPE_METHOD_SWATCH, NULL);
}

void
lac_method_swatch_set_look(LacMethodSwatch *self, guint look)
{
  g_return_if_fail(LAC_IS_METHOD_SWATCH(self));
  self->look = look;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void
lac_method_swatch_set_hidden(LacMethodSwatch *self, gboolean is_hidden)
{
  g_return_if_fail(LAC_IS_METHOD_SWATCH(self));
  self->is_hidden = is_hidden;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}
