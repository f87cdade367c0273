/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A paintable whose height follows from its width. */
#include "app/setup/card-picture.h"

#include "app/toolkit/accessible.h"

#include <math.h>

#define LEAST_WIDTH 120 /* px */

struct _LacCardPicture {
  GtkWidget     parent_instance;
  GdkPaintable *paintable; /* (nullable) */
};

G_DEFINE_FINAL_TYPE(LacCardPicture, lac_card_picture, GTK_TYPE_WIDGET)

static double
get_aspect(LacCardPicture *self)
{
  double aspect =
    self->paintable != NULL ? gdk_paintable_get_intrinsic_aspect_ratio(self->paintable) : 0;
  return aspect > 0 ? aspect : 1;
}

static GtkSizeRequestMode
lac_card_picture_get_request_mode(GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
lac_card_picture_measure(GtkWidget     *widget,
                         GtkOrientation orientation,
                         int            for_size,
                         int           *minimum,
                         int           *natural,
                         int           *minimum_baseline,
                         int           *natural_baseline)
{
  LacCardPicture *self = LAC_CARD_PICTURE(widget);
  int width = self->paintable != NULL ? gdk_paintable_get_intrinsic_width(self->paintable) : 0;
  *minimum_baseline = *natural_baseline = -1;
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = LEAST_WIDTH;
    *natural = MAX(width, LEAST_WIDTH);
    return;
  }
  *minimum = *natural =
    (int) ceil((for_size >= 0 ? for_size : MAX(width, LEAST_WIDTH)) / get_aspect(self));
}

static void
lac_card_picture_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  LacCardPicture *self = LAC_CARD_PICTURE(widget);
  double          height = gtk_widget_get_height(widget);
  double          width = MIN(gtk_widget_get_width(widget), height * get_aspect(self));
  if (self->paintable == NULL)
    return;
  gtk_snapshot_save(snapshot);
  gtk_snapshot_translate(
    snapshot, &GRAPHENE_POINT_INIT((float) ((gtk_widget_get_width(widget) - width) / 2), 0));
  gdk_paintable_snapshot(self->paintable, snapshot, width, width / get_aspect(self));
  gtk_snapshot_restore(snapshot);
}

static void
lac_card_picture_dispose(GObject *object)
{
  g_clear_object(&LAC_CARD_PICTURE(object)->paintable);
  G_OBJECT_CLASS(lac_card_picture_parent_class)->dispose(object);
}

static void
lac_card_picture_class_init(LacCardPictureClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_card_picture_dispose;
  widget_class->get_request_mode = lac_card_picture_get_request_mode;
  widget_class->measure = lac_card_picture_measure;
  widget_class->snapshot = lac_card_picture_snapshot;
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
lac_card_picture_init(LacCardPicture *self)
{
}

void
lac_card_picture_set(LacCardPicture *self, GdkPaintable *paintable, const char *text)
{
  g_return_if_fail(LAC_IS_CARD_PICTURE(self));
  if (g_set_object(&self->paintable, paintable))
    gtk_widget_queue_resize(GTK_WIDGET(self));
  lac_accessible_name(self, text);
}
