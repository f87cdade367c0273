/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture takes its natural size in a box; an empty widget below it sets the size instead. */
#include "app/runs/thumbnail.h"

GtkWidget *
lac_thumbnail_new(int width, int height)
{
  GtkWidget *thumbnail = gtk_overlay_new();
  GtkWidget *frame = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *picture = gtk_picture_new();
  gtk_widget_set_size_request(frame, width, height);
  gtk_widget_set_valign(thumbnail, GTK_ALIGN_CENTER);
  gtk_picture_set_can_shrink(GTK_PICTURE(picture), TRUE);
  gtk_picture_set_content_fit(GTK_PICTURE(picture), GTK_CONTENT_FIT_COVER);
  gtk_widget_set_overflow(picture, GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class(picture, "run-picture");
  gtk_overlay_set_child(GTK_OVERLAY(thumbnail), frame);
  gtk_overlay_add_overlay(GTK_OVERLAY(thumbnail), picture);
  return thumbnail;
}

void
lac_thumbnail_set(GtkWidget *thumbnail, GdkTexture *picture)
{
  g_return_if_fail(GTK_IS_OVERLAY(thumbnail));
  gtk_picture_set_paintable(GTK_PICTURE(gtk_widget_get_last_child(thumbnail)),
                            GDK_PAINTABLE(picture));
}
