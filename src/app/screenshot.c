/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Screenshots from the widget's own render nodes. */
#include "app/screenshot.h"

#include <glib/gstdio.h>

/* An invalidated widget gives an empty node: the picture is taken once a frame has been painted. */
typedef struct {
  GtkWidget *widget;
  char      *path;
  gulong     handler;
} Shot;

static void
shot_free(Shot *shot)
{
  g_object_unref(shot->widget);
  g_free(shot->path);
  g_free(shot);
}

static void
save(const Shot *shot)
{
  GtkNative              *native = gtk_widget_get_native(shot->widget);
  int                     width = gtk_widget_get_width(shot->widget);
  int                     height = gtk_widget_get_height(shot->widget);
  g_autoptr(GdkPaintable) paintable = gtk_widget_paintable_new(shot->widget);
  g_autoptr(GtkSnapshot)  snapshot = gtk_snapshot_new();
  gdk_paintable_snapshot(paintable, snapshot, width, height);
  GskRenderNode *node = gtk_snapshot_to_node(snapshot);
  if (node == NULL || native == NULL)
    return;
  g_autoptr(GdkTexture) texture =
    gsk_renderer_render_texture(gtk_native_get_renderer(native), node,
                                &GRAPHENE_RECT_INIT(0, 0, (float) width, (float) height));
  gsk_render_node_unref(node);
  /* Under another name first: who waits for the file never sees half of it. */
  g_autofree char *part = g_strconcat(shot->path, ".part", NULL);
  if (gdk_texture_save_to_png(texture, part))
    g_rename(part, shot->path);
}

static gboolean
on_idle(gpointer user_data)
{
  save(user_data);
  shot_free(user_data);
  return G_SOURCE_REMOVE;
}

static void
on_after_paint(GdkFrameClock *clock, Shot *shot)
{
  g_signal_handler_disconnect(clock, shot->handler);
  g_idle_add_full(G_PRIORITY_HIGH, on_idle, shot, NULL);
}

void
lac_screenshot_take(GtkWidget *widget, const char *path)
{
  g_return_if_fail(GTK_IS_WIDGET(widget) && path != NULL);
  GdkFrameClock *clock = gtk_widget_get_frame_clock(widget);
  if (clock == NULL)
    return;
  Shot *shot = g_new0(Shot, 1);
  shot->widget = g_object_ref(widget);
  shot->path = g_strdup(path);
  shot->handler = g_signal_connect(clock, "after-paint", G_CALLBACK(on_after_paint), shot);
  gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_PAINT);
}
