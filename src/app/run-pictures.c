/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of runs. */
#include "app/run-pictures.h"

#include "app/field-raster.h"
#include "app/texture.h"
#include "io/run-file.h"
#include "report/run-metrics.h"

#include <glib/gstdio.h>

#define MOST_PICTURES 400 /* that items keep in memory; 75 KB each */

typedef struct {
  LacRunItem     *item;
  LacRunHeadline *headline;
  GdkTexture     *picture;
  guint           number; /* of the request */
} Request;

static void
request_free(Request *request)
{
  g_object_unref(request->item);
  lac_run_headline_unref(request->headline);
  g_clear_object(&request->picture);
  g_free(request);
}

/* ---- on the thread ---- */

/* One pane: what was reconstructed, else what there is. */
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
draw_scene(LacFieldScene *scene)
{
  LacPaneLayout layout = {.n_panes = 1, .field_width = LAC_RUN_PICTURE_WIDTH};
  double        aspect = lac_field_scene_get_aspect(scene);
  layout.field_height = aspect > 0 ? MAX(LAC_RUN_PICTURE_WIDTH / aspect, LAC_RUN_PICTURE_HEIGHT)
                                   : LAC_RUN_PICTURE_HEIGHT;
  layout.panes[0] = (LacBox){0, 0, LAC_RUN_PICTURE_WIDTH, LAC_RUN_PICTURE_HEIGHT};
  LacFieldView2d view = {.layout = &layout, .height = LAC_RUN_PICTURE_HEIGHT, .scale = 1};
  guint8        *rgba = g_malloc0(LAC_RUN_PICTURE_WIDTH * LAC_RUN_PICTURE_HEIGHT * 4);
  lac_camera_fit(&view.camera);
  lac_field_raster_pane(scene, &view, 0, rgba);
  return lac_texture_new_opaque(rgba, LAC_RUN_PICTURE_WIDTH, LAC_RUN_PICTURE_HEIGHT);
}

/* Returns: (transfer full) (nullable): NULL where the run kept no frame that can be shown. */
static GdkTexture *
draw_run(const char *folder)
{
  g_autoptr(LacRunFile) run = lac_run_file_open_fields(folder, NULL);
  if (run == NULL || run->n_frames == 0)
    return NULL;
  g_autoptr(LacFrame)   frame = lac_run_file_load_frame(run, run->n_frames - 1, NULL);
  g_auto(LacRunMetrics) declared = {0};
  LacFieldScene         scene;
  GdkTexture           *picture = NULL;
  if (frame == NULL)
    return NULL;
  lac_run_metrics_init(&declared, run);
  lac_field_scene_init(&scene, declared.channels, declared.n_channels);
  lac_field_scene_set_frame(&scene, frame);
  scene.smooth = TRUE;
  choose_pane(&scene);
  if (scene.n_panes > 0)
    picture = draw_scene(&scene);
  lac_field_scene_clear(&scene);
  return picture;
}

/* Named by the run and what its journal was, so that a run that went on gets another one. */
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

/* A run that is no longer listed takes its picture along. */
static void
on_item_gone(gpointer recent, GObject *item)
{
  g_queue_remove(recent, item);
}

static gboolean
on_drawn(gpointer data)
{
  /* main thread: items with a picture, the latest first; borrowed, each leaves when it goes */
  static GQueue recent = G_QUEUE_INIT;
  Request      *request = data;
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

/* ---- asking ---- */

static int
compare_requests(gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Request *left = a, *right = b;
  return (left->number < right->number) - (left->number > right->number);
}

void
lac_run_pictures_ask(LacRunItem *item)
{
  static GThreadPool *pool = NULL;
  static guint        number = 0;
  if (lac_run_item_get_picture(item) != NULL)
    return;
  if (pool == NULL) {
    pool = g_thread_pool_new(draw, NULL, 1, FALSE, NULL);
    g_thread_pool_set_sort_function(pool, compare_requests, NULL);
  }
  Request *request = g_new0(Request, 1);
  request->item = g_object_ref(item);
  request->headline = lac_run_headline_ref((LacRunHeadline *) lac_run_item_get(item));
  request->number = ++number;
  g_thread_pool_push(pool, request, NULL);
}
