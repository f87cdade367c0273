/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thumbnails; data/thumbnails/make.sh asks for them. */
#include "app/thumbnail.h"

#include "app/field-raster.h"

#include <gtk/gtk.h>

#include <string.h>

#define PANE_WIDTH  316
#define PANE_HEIGHT 220
#define GAP         6

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
