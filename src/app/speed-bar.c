/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars of speed-ups. */
#include "app/speed-bar.h"

#include "app/style.h"

#include <math.h>

#define DECADES 1.0 /* from the middle to an end: ten times */
#define HEIGHT  8

struct _LacSpeedBar {
  GtkWidget parent_instance;
  double    speed_up;
};

G_DEFINE_FINAL_TYPE(LacSpeedBar, lac_speed_bar, GTK_TYPE_WIDGET)

static void
fill(GtkSnapshot *snapshot, float x, float width, float height, LacColour colour)
{
  GdkRGBA         rgba = {colour.red, colour.green, colour.blue, colour.alpha};
  graphene_rect_t box = GRAPHENE_RECT_INIT(x, 0, width, height);
  gtk_snapshot_append_color(snapshot, &rgba, &box);
}

static void
lac_speed_bar_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  LacSpeedBar      *self = LAC_SPEED_BAR(widget);
  const LacPalette *palette = lac_style_palette();
  float             width = (float) gtk_widget_get_width(widget);
  float             height = (float) gtk_widget_get_height(widget), middle = floorf(width / 2);
  fill(snapshot, 0, width, height, palette->grid);
  if (isfinite(self->speed_up) && self->speed_up > 0) {
    float reach = (float) CLAMP(log10(self->speed_up) / DECADES, -1, 1) * middle;
    fill(snapshot, reach < 0 ? middle + reach : middle, fabsf(reach), height,
         palette->series[reach < 0 ? 1 : 0]);
  }
  fill(snapshot, middle, 1, height, palette->foreground);
}

static void
lac_speed_bar_class_init(LacSpeedBarClass *class)
{
  GTK_WIDGET_CLASS(class)->snapshot = lac_speed_bar_snapshot;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
lac_speed_bar_init(LacSpeedBar *self)
{
  lac_style_follow(GTK_WIDGET(self));
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
