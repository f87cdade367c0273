/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thumbnails of runs. */
#include "app/runs/pictures.h"

#include "app/field/raster.h"
#include "app/toolkit/texture.h"
#include "io/runfile/run-file.h"
#include "report/text/run-metrics.h"

#include <glib/gstdio.h>

#include <string.h>

#define MOST_PICTURES 400 /* limit of thumbnails in memory; 75 KB each */
#define MOST_WAITING  256 /* more than the rows of a list; a row shown again asks again */

typedef struct {
  LacRunItem     *item;
  LacRunHeadline *headline;
  GdkTexture     *picture;
} Request;

/* Main thread: requests, the latest first. */
static GQueue   waiting = G_QUEUE_INIT;
static gboolean is_drawing;

static void draw_next(void);

static void
request_free(Request *request)
{
  g_object_unref(request->item);
  lac_run_headline_unref(request->headline);
  g_clear_object(&request->picture);
  g_free(request);
}

/* ---- worker thread ---- */

/* Selects one pane: a reconstruction if there is one. */
static void
choose_pane(LacFieldScene *scene)
{
  for (guint i = 0; i < scene->n_panes; i++)
    if (!scene->panes[i].difference &&
        lac_field_scene_get_channel(scene, i)->role == LAC_ROLE_RECONSTRUCTION) {
      scene->panes[0] = scene->panes[i];
      break;
    }
}

static GdkTexture *
draw_scene(LacFieldScene *scene, const int size[2])
{
  LacPaneLayout layout = {.n_panes = 1, .field_width = size[0]};
  double        aspect = lac_field_scene_get_aspect(scene);
  layout.field_height = aspect > 0 ? MAX(size[0] / aspect, size[1]) : size[1];
  layout.panes[0] = (LacBox){0, 0, size[0], size[1]};
  LacFieldView2d view = {.layout = &layout, .height = size[1], .scale = 1};
  guint8        *rgba = g_malloc0((gsize) size[0] * (gsize) size[1] * 4);
  lac_camera_fit(&view.camera);
  lac_field_raster_pane(scene, &view, 0, rgba);
  return lac_texture_new_opaque(rgba, (gsize) size[0], (gsize) size[1]);
}

/* Returns: FALSE if there is nothing to show. */
static gboolean
show_frame(LacFieldScene *scene, const LacRunFile *run, gsize i)
{
  g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, i, NULL);
  if (frame == NULL)
    return FALSE;
  lac_field_scene_set_frame(scene, frame);
  return scene->n_panes > 0;
}

void
lac_run_pictures_draw(const char  *folder,
                      const gsize *frames,
                      gsize        n,
                      const int    size[2],
                      GdkTexture **pictures)
{
  g_return_if_fail(folder != NULL && frames != NULL && pictures != NULL);
  memset(pictures, 0, n * sizeof(GdkTexture *));
  g_autoptr(LacRunFile) run = lac_run_file_open_fields(folder, NULL);
  g_auto(LacRunMetrics) declared = {0};
  LacFieldScene         scene;
  if (run == NULL || run->n_frames == 0)
    return;
  lac_run_metrics_init(&declared, run);
  lac_field_scene_init(&scene, declared.channels, declared.n_channels);
  scene.smooth = TRUE;
  choose_pane(&scene);
  for (gsize end = 0; end < 2 && n > 1; end++)
    show_frame(&scene, run, end == 0 ? 0 : run->n_frames - 1);
  for (gsize i = 0; i < n; i++)
    if (show_frame(&scene, run, MIN(frames[i], run->n_frames - 1)))
      pictures[i] = draw_scene(&scene, size);
  lac_field_scene_clear(&scene);
}

/* Returns: (transfer full) (nullable): NULL if the run has no frame that can be shown. */
static GdkTexture *
draw_run(const char *folder)
{
  const int   size[2] = {LAC_RUN_PICTURE_WIDTH, LAC_RUN_PICTURE_HEIGHT};
  const gsize last = LAC_LAST_FRAME;
  GdkTexture *picture;
  lac_run_pictures_draw(folder, &last, 1, size, &picture);
  return picture;
}

/* Returns the cache path, derived from the run and the state of its journal: a run that has advanced gets another
 * thumbnail. */
static char *
dup_place(const LacRunHeadline *headline)
{
  g_autofree char *key =
    g_strdup_printf("%s %" G_GINT64_FORMAT " %" G_GUINT64_FORMAT, headline->path,
                    headline->stamp.journal_ns, headline->stamp.journal_bytes);
  g_autofree char *digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, key, -1);
  g_autofree char *name = g_strdup_printf("%.24s.png", digest);
  return g_build_filename(g_get_user_cache_dir(), "lacuna", "pictures", name, NULL);
}

static void
keep(GdkTexture *picture, const char *place)
{
  g_autofree char *folder = g_path_get_dirname(place);
  g_autofree char *part = g_strconcat(place, ".part", NULL);
  g_mkdir_with_parents(folder, 0700);
  if (gdk_texture_save_to_png(picture, part))
    g_rename(part, place);
}

/* Forgets the thumbnail of a run that is no longer listed. */
static void
on_item_gone(gpointer recent, GObject *item)
{
  g_queue_remove(recent, item);
}

static gboolean
on_drawn(gpointer data)
{
  /* main thread: items with a thumbnail, the latest first; borrowed, each removed with its item */
  static GQueue recent = G_QUEUE_INIT;
  Request      *request = data;
  is_drawing = FALSE;
  draw_next();
  if (request->picture == NULL)
    return G_SOURCE_REMOVE;
  lac_run_item_set_picture(request->item, request->picture);
  g_queue_push_head(&recent, request->item);
  g_object_weak_ref(G_OBJECT(request->item), on_item_gone, &recent);
  if (g_queue_get_length(&recent) > MOST_PICTURES) {
    LacRunItem *oldest = g_queue_pop_tail(&recent);
    g_object_weak_unref(G_OBJECT(oldest), on_item_gone, &recent);
    lac_run_item_set_picture(oldest, NULL);
  }
  return G_SOURCE_REMOVE;
}

static void
draw(gpointer data, gpointer user_data)
{
  Request         *request = data;
  g_autofree char *place = dup_place(request->headline);
  request->picture = gdk_texture_new_from_filename(place, NULL);
  if (request->picture == NULL) {
    request->picture = draw_run(request->headline->path);
    if (request->picture != NULL && !g_str_equal(request->headline->outcome, "running"))
      keep(request->picture, place);
  }
  g_idle_add_full(G_PRIORITY_LOW, on_drawn, request, (GDestroyNotify) request_free);
}

/* ---- requests ---- */

/* Starts the latest request, if none is being drawn. */
static void
draw_next(void)
{
  static GThreadPool *pool = NULL;
  if (is_drawing || g_queue_is_empty(&waiting))
    return;
  if (pool == NULL)
    pool = g_thread_pool_new(draw, NULL, 1, FALSE, NULL);
  is_drawing = TRUE;
  g_thread_pool_push(pool, g_queue_pop_head(&waiting), NULL);
}

static int
compare_item(gconstpointer request, gconstpointer item)
{
  return ((const Request *) request)->item != item;
}

void
lac_run_pictures_request(LacRunItem *item)
{
  if (lac_run_item_get_picture(item) != NULL)
    return;
  GList *before = g_queue_find_custom(&waiting, item, compare_item);
  if (before != NULL) {
    g_queue_unlink(&waiting, before);
    g_queue_push_head_link(&waiting, before);
    return;
  }
  Request *request = g_new0(Request, 1);
  request->item = g_object_ref(item);
  request->headline = lac_run_headline_ref((LacRunHeadline *) lac_run_item_get(item));
  g_queue_push_head(&waiting, request);
  if (g_queue_get_length(&waiting) > MOST_WAITING)
    request_free(g_queue_pop_tail(&waiting));
  draw_next();
}
