/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Screenshots from the widget's own render nodes; thumbnails for data/thumbnails/make.sh. */
#include "app/field/screenshot.h"

#include "app/field/raster.h"

#include <glib/gstdio.h>

#include <string.h>

#define PANE_WIDTH  316
#define PANE_HEIGHT 220
#define GAP         6

/* An invalidated widget yields an empty node: the picture is taken after a frame has been painted. */
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
  /* Written under a temporary name: a process waiting for the file never reads a partial one. */
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

gboolean
lac_thumbnail_save(LacSession *session, const char *path)
{
  g_return_val_if_fail(LAC_IS_SESSION(session) && path != NULL, FALSE);
  if (lac_session_get_frame(session) == NULL)
    return FALSE;
  gsize             n_channels;
  const LacChannel *channels = lac_session_get_channels(session, &n_channels);
  LacFieldScene     scene;
  lac_field_scene_init(&scene, channels, n_channels);
  lac_field_scene_set_frame(&scene, lac_session_get_frame(session));
  scene.smooth = TRUE;

  int           width = (int) scene.n_panes * (PANE_WIDTH + GAP) - GAP;
  LacPaneLayout layout = {.n_panes = scene.n_panes, .field_width = PANE_WIDTH};
  double        aspect = lac_field_scene_get_aspect(&scene);
  layout.field_height = aspect > 0 ? MAX(PANE_WIDTH / aspect, PANE_HEIGHT) : PANE_HEIGHT;
  for (guint i = 0; i < scene.n_panes; i++)
    layout.panes[i] = (LacBox){i * (PANE_WIDTH + GAP), 0, PANE_WIDTH, PANE_HEIGHT};
  LacFieldView2d view = {.layout = &layout, .height = PANE_HEIGHT, .scale = 1};
  lac_camera_fit(&view.camera);

  g_autofree guint8 *image = g_malloc0((gsize) width * PANE_HEIGHT * 4);
  g_autofree guint8 *pane = g_malloc((gsize) PANE_WIDTH * PANE_HEIGHT * 4);
  for (guint i = 0; i < scene.n_panes; i++) {
    lac_field_raster_pane(&scene, &view, i, pane);
    for (gsize row = 0; row < PANE_HEIGHT; row++)
      memcpy(image + (row * (gsize) width + i * (PANE_WIDTH + GAP)) * 4,
             pane + row * PANE_WIDTH * 4, PANE_WIDTH * 4);
  }
  lac_field_scene_clear(&scene);
  g_autoptr(GBytes) bytes =
    g_bytes_new_take(g_steal_pointer(&image), (gsize) width * PANE_HEIGHT * 4);
  g_autoptr(GdkTexture) texture =
    gdk_memory_texture_new(width, PANE_HEIGHT, GDK_MEMORY_R8G8B8A8, bytes, (gsize) width * 4);
  return gdk_texture_save_to_png(texture, path);
}
