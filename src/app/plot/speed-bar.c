/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars of speed-ups. */
#include "app/plot/speed-bar.h"

#include "app/toolkit/style.h"

#include <math.h>

#define DECADES 1.0 /* from the centre to an end: a factor of ten */
#define OCTAVES 1.5 /* the same for a ratio: a factor of 2.8 */
#define HEIGHT  8

struct _LacSpeedBar {
  LacDrawingView parent_instance;
  double         speed_up; /* or a ratio */
  gboolean       is_ratio;
};

/* Better and worse; the sign is also the side of the bar. */
static const LacColour better = {0.15F, 0.64F, 0.41F, 1}, worse = {0.80F, 0.16F, 0.18F, 1};

G_DEFINE_FINAL_TYPE(LacSpeedBar, lac_speed_bar, LAC_TYPE_DRAWING_VIEW)

static void
lac_speed_bar_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  const LacSpeedBar *self = LAC_SPEED_BAR(view);
  const double       speed_up = self->speed_up, middle = floor(width / 2);
  const LacPalette  *palette = lac_style_palette();
  lac_draw_rectangle(drawing, 0, 0, width, height, palette->grid);
  if (isfinite(speed_up) && speed_up > 0) {
    double place = self->is_ratio ? log2(speed_up) / OCTAVES : log10(speed_up) / DECADES;
    double reach = CLAMP(place, -1, 1) * middle;
    lac_draw_rectangle(drawing, reach < 0 ? middle + reach : middle, 0, fabs(reach), height,
                       self->is_ratio ? (reach < 0 ? better : worse)
                                      : palette->series[reach < 0 ? 1 : 0]);
  }
  lac_draw_rectangle(drawing, middle, 0, 1, height, palette->foreground);
}

static void
lac_speed_bar_class_init(LacSpeedBarClass *class)
{
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_speed_bar_draw;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
lac_speed_bar_init(LacSpeedBar *self)
{
  gtk_widget_set_size_request(GTK_WIDGET(self), 52, HEIGHT);
  gtk_widget_set_valign(GTK_WIDGET(self), GTK_ALIGN_CENTER);
}

GtkWidget *
lac_speed_bar_new(double speed_up)
{
  LacSpeedBar *self = g_object_new(LAC_TYPE_SPEED_BAR, NULL);
  self->speed_up = speed_up;
  return GTK_WIDGET(self);
}

GtkWidget *
lac_speed_bar_new_ratio(void)
{
  LacSpeedBar *self = g_object_new(LAC_TYPE_SPEED_BAR, NULL);
  self->is_ratio = TRUE;
  self->speed_up = NAN;
  return GTK_WIDGET(self);
}

void
lac_speed_bar_set_ratio(LacSpeedBar *self, double ratio)
{
  g_return_if_fail(LAC_IS_SPEED_BAR(self) && self->is_ratio);
  self->speed_up = ratio;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}
