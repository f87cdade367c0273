/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Swatches of methods. */
#include "app/runs/swatch.h"

#include "app/toolkit/style.h"
#include "report/plot/plot.h"

#define WIDTH     16
#define HEIGHT    12
#define THICKNESS 3.0

struct _LacMethodSwatch {
  LacDrawingView parent_instance;
  guint          look;
};

G_DEFINE_FINAL_TYPE(LacMethodSwatch, lac_method_swatch, LAC_TYPE_DRAWING_VIEW)

static void
lac_method_swatch_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  const LacPoint line[] = {{0, height / 2}, {width, height / 2}};
  guint          look = LAC_METHOD_SWATCH(view)->look;
  if (look > 0)
    lac_draw_dashed(drawing, line, 2, THICKNESS, lac_look_colour(lac_style_palette(), look),
                    lac_look_dash(look));
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
