/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Screenshots from the widget's own render nodes; thumbnails for data/thumbnails/make.sh. */
#include "app/field/screenshot.h"

#include "app/field/raster.h"

#include <glib/gstdio.h>

#include <string.h>

#define SIDE     220 /* of a picture of a thumbnail */
#define GAP      6
#define PICTURES 3 /* truth, reconstruction, error */

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

/* Returns the panes of a thumbnail: truth, first reconstruction and its error; of a frame without a truth only the
 * middle one. -1: none */
static void
choose_panes(const LacFieldScene *scene, int panes[PICTURES])
{
  const gboolean has_truth = scene->n_panes > 1;
  panes[0] = has_truth ? 0 : -1;
  panes[1] = has_truth ? 1 : 0;
  panes[2] = -1;
  for (guint i = scene->n_panes + scene->n_below; has_truth && i-- > 0;)
    if (scene->panes[i].difference)
      panes[2] = (int) i;
}

/* Draws the whole field of a pane into the middle of a square; @image: [SIDE][row] pixels */
static void
draw_pane(const LacFieldScene *scene, guint index, guint8 *image, gsize row)
{
  const double   aspect = lac_field_scene_get_aspect(scene);
  const int      width = aspect > 0 && aspect < 1 ? (int) (SIDE * aspect) : SIDE;
  const int      height = aspect > 1 ? (int) (SIDE / aspect) : SIDE;
  LacPaneLayout  layout = {.n_panes = 1, .field_width = width, .field_height = height};
  LacFieldView2d view = {.layout = &layout, .height = height, .scale = 1};
  layout.panes[index] = (LacBox){0, 0, width, height};
  layout.n_panes = index + 1;
  lac_camera_fit(&view.camera);
  g_autofree guint8 *pane = g_malloc((gsize) width * (gsize) height * 4);
  lac_field_raster_pane(scene, &view, index, pane);
  image += (((gsize) (SIDE - height) / 2) * row + (gsize) (SIDE - width) / 2) * 4;
  for (gsize y = 0; y < (gsize) height; y++)
    memcpy(image + y * row * 4, pane + y * (gsize) width * 4, (gsize) width * 4);
}

/* Leaves only the first reconstruction, so that its error has a scale of its own. Returns: (transfer full): [n] */
static LacChannel *
choose_channels(const LacChannel *channels, gsize n)
{
  LacChannel *chosen = g_memdup2(channels, n * sizeof *channels);
  gssize      first = -1;
  for (gsize i = 0; i < n; i++) {
    if (chosen[i].role != LAC_ROLE_RECONSTRUCTION && chosen[i].role != LAC_ROLE_BASELINE)
      continue;
    if (first < 0)
      first = (gssize) i;
    else
      chosen[i].role = LAC_ROLE_OTHER;
  }
  return chosen;
}

gboolean
lac_thumbnail_save(LacSession *session, const char *path)
{
  g_return_val_if_fail(LAC_IS_SESSION(session) && path != NULL, FALSE);
  const gsize row = PICTURES * (SIDE + GAP) - GAP;
  gsize       n_channels;
  int         panes[PICTURES];
  if (lac_session_get_frame(session) == NULL)
    return FALSE;
  const LacChannel      *all = lac_session_get_channels(session, &n_channels);
  g_autofree LacChannel *channels = choose_channels(all, n_channels);
  LacFieldScene          scene;
  lac_field_scene_init(&scene, channels, n_channels);
  lac_field_scene_set_frame(&scene, lac_session_get_frame(session));
  scene.smooth = TRUE;
  choose_panes(&scene, panes);

  guint8 *image = g_malloc0(row * SIDE * 4);
  for (gsize i = 0; i < PICTURES; i++)
    if (panes[i] >= 0)
      draw_pane(&scene, (guint) panes[i], image + i * (SIDE + GAP) * 4, row);
  lac_field_scene_clear(&scene);
  g_autoptr(GBytes)     bytes = g_bytes_new_take(image, row * SIDE * 4);
  g_autoptr(GdkTexture) texture =
    gdk_memory_texture_new((int) row, SIDE, GDK_MEMORY_R8G8B8A8, bytes, row * 4);
  return gdk_texture_save_to_png(texture, path);
}
