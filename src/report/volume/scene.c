/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data prepared once per frame for all its pictures. */
#include "report/volume/scene.h"

#include <math.h>
#include <string.h>

const float lac_volume_surface[3] = {0.70F, 0.86F, 0.98F};

void
lac_volume_scene_init(LacVolumeScene *scene, const LacChannel *channel, gsize plane)
{
  g_return_if_fail(channel->layers.n > 0);
  *scene = (LacVolumeScene){
    .channel = *channel, .map = lac_colour_map_find(channel->colour_map), .plane = plane};
}

void
lac_volume_scene_set_vision(LacVolumeScene *scene, LacVision vision)
{
  scene->vision = vision;
  scene->map = lac_vision_map(vision, lac_colour_map_find(scene->channel.colour_map));
}

static void
drop_frame(LacVolumeScene *scene)
{
  g_clear_pointer(&scene->frame, lac_frame_unref);
  g_clear_pointer(&scene->smoothed, g_free);
}

void
lac_volume_scene_clear(LacVolumeScene *scene)
{
  drop_frame(scene);
  g_free(scene->slice.data);
  g_free(scene->smooth.data);
  *scene = (LacVolumeScene){0};
}

static void
take_logarithm(LacPlane *plane, double floor)
{
  for (gsize i = 0; i < plane->nx * plane->ny; i++)
    plane->data[i] = (float) log10(MAX((double) plane->data[i], floor));
  lac_plane_measure(plane);
}

static void
fill_cut(LacVolumeScene *scene)
{
  LacPlane *planes[] = {&scene->slice, &scene->smooth};

  for (gsize i = 0; i < G_N_ELEMENTS(planes); i++)
    if (!planes[i]->data)
      *planes[i] = (LacPlane){
        .nx = LAC_CUT_CELLS,
        .ny = LAC_CUT_CELLS,
        .data = g_new(float, LAC_CUT_CELLS *LAC_CUT_CELLS),
      };
  lac_cut_fill(&scene->cut, &scene->cells, &scene->slice);
  lac_cut_fill(&scene->cut, &scene->volume, &scene->smooth);
  take_logarithm(&scene->slice, pow(10, scene->values[0]));
}

void
lac_volume_scene_follow(LacVolumeScene *scene, const LacVolumeView *volume_view)
{
  if (!scene->frame)
    return;
  scene->level =
    volume_view->share > 0 ? lac_volume_find_level(&scene->volume, volume_view->share) : 0;
  lac_cut_init(&scene->cut, &scene->volume, volume_view->cut, volume_view->offset,
               scene->frame->markers, scene->frame->n_markers);
  fill_cut(scene);
}

gboolean
lac_volume_scene_set_frame(LacVolumeScene *scene, LacFrame *frame, const LacVolumeView *volume_view)
{
  LacVolume cells;

  if (frame == scene->frame)
    return frame != NULL;
  if (!frame || scene->plane >= frame->n_planes ||
      !lac_volume_init(&cells, &scene->channel, &frame->planes[scene->plane])) {
    drop_frame(scene);
    return FALSE;
  }
  lac_frame_ref(frame);
  drop_frame(scene);
  scene->frame = frame;
  scene->cells = scene->volume = cells;
  scene->smoothed = g_new(float, lac_volume_get_length(&cells));
  lac_volume_smooth(&cells, scene->smoothed);
  scene->volume.values = scene->smoothed;
  lac_volume_find_scales(&scene->volume, scene->lines, scene->values);
  lac_volume_scene_follow(scene, volume_view);
  return TRUE;
}

LacVolumeCamera
lac_volume_scene_camera(const LacVolumeScene *scene, const LacVolumeView *volume_view)
{
  LacVolumeCamera camera;

  lac_volume_camera_init(&camera, &scene->volume, &volume_view->orbit, scene->frame->markers,
                         scene->frame->n_markers);
  return camera;
}

static void
put_sight(const LacVolumeScene *scene, const LacSight *sight, guint8 *rgba)
{
  const double  value = sight->integral > 0 ? log10(sight->integral) : scene->lines[0];
  const guint8 *behind = lac_colour_map_at(scene->map, value, scene->lines[0], scene->lines[1]);

  for (guint k = 0; k < 3; k++)
    rgba[k] = (guint8) lround(
      CLAMP((1 - sight->cover) * behind[k] + 255 * sight->light * (double) lac_volume_surface[k], 0,
            255));
  rgba[3] = 255;
}

void
lac_volume_scene_paint(const LacVolumeScene *scene,
                       const LacVolumeView  *volume_view,
                       gsize                 columns,
                       gsize                 rows,
                       guint8               *rgba)
{
  const LacVolumeCamera camera = lac_volume_scene_camera(scene, volume_view);
  const double          nearer = 0.5 * (double) MIN(columns, rows);

  for (gsize j = 0; j < rows; j++)
    for (gsize i = 0; i < columns; i++) {
      const double   x = ((double) i + 0.5 - 0.5 * (double) columns) / nearer;
      const double   y = (0.5 * (double) rows - (double) j - 0.5) / nearer;
      const LacSight sight = lac_volume_look(&scene->volume, &camera, x, y, scene->level);

      put_sight(scene, &sight, rgba + 4 * (j * columns + i));
    }
}
