/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scene of the field viewer. */
#include "app/field-scene.h"

#include "report/plot.h"

#include <math.h>
#include <string.h>

#define SHRINK_AFTER_NS \
  (2 * G_GINT64_CONSTANT(1000000000)) /* an error scale falls only after 2 s of small errors */

static gssize
find_role(const LacFieldScene *scene, LacRole role)
{
  for (gsize i = 0; i < scene->n_channels; i++)
    if (scene->channels[i].role == role)
      return (gssize) i;
  return -1;
}

static void
add_pane(LacFieldScene *scene, gsize plane, gssize other, const char *map)
{
  if (scene->n_panes == LAC_MAX_PANES)
    return;
  LacPane *pane = &scene->panes[scene->n_panes++];
  LacScale scale = pane->scale;
  *pane = (LacPane){
    .plane = plane,
    .other = other < 0 ? 0 : (gsize) other,
    .difference = other >= 0,
    .map = lac_colour_map_find(map),
    .scale = scale,
  };
}

/* Truth, reconstruction and their difference; without a truth whatever there is. */
static void
choose_panes(LacFieldScene *scene)
{
  gssize truth = find_role(scene, LAC_ROLE_TRUTH);
  gssize baseline = scene->baseline ? find_role(scene, LAC_ROLE_BASELINE) : -1;
  gssize shown = baseline >= 0 ? baseline : find_role(scene, LAC_ROLE_RECONSTRUCTION);
  scene->n_panes = 0;
  if (truth >= 0)
    add_pane(scene, (gsize) truth, -1, scene->channels[truth].colour_map);
  if (shown >= 0)
    add_pane(scene, (gsize) shown, -1, scene->channels[shown].colour_map);
  if (truth >= 0 && shown >= 0)
    add_pane(scene, (gsize) shown, truth, "balance");
  for (gsize i = 0; i < scene->n_channels && scene->n_panes == 0; i++)
    add_pane(scene, i, -1, scene->channels[i].colour_map);
}

void
lac_field_scene_init(LacFieldScene *scene, const LacChannel *channels, gsize n_channels)
{
  *scene = (LacFieldScene){.channels = channels, .n_channels = n_channels};
  choose_panes(scene);
}

void
lac_field_scene_clear(LacFieldScene *scene)
{
  g_clear_pointer(&scene->frame, lac_frame_unref);
  *scene = (LacFieldScene){0};
}

gboolean
lac_field_scene_has_baseline(const LacFieldScene *scene)
{
  return find_role(scene, LAC_ROLE_BASELINE) >= 0;
}

static double
largest_difference(const LacFieldScene *scene, const LacPane *pane)
{
  const LacPlane *a = &scene->frame->planes[pane->plane];
  const LacPlane *b = &scene->frame->planes[pane->other];
  if (a->nx != b->nx || a->ny != b->ny)
    return 0;
  double largest = 0;
  for (gsize i = 0; i < a->nx * a->ny; i++) {
    double difference = fabs((double) a->data[i] - (double) b->data[i]);
    if (isfinite(difference) && difference > largest)
      largest = difference;
  }
  return largest;
}

/* Rounded up to 1, 2 or 5 times a power of ten, so that the numbers at the bar are quiet. */
static double
round_up(double value)
{
  if (!(value > 0))
    return 1e-12;
  double decade = pow(10, floor(log10(value)));
  double steps[] = {1, 2, 5, 10};
  for (gsize i = 0; i < G_N_ELEMENTS(steps); i++)
    if (value <= steps[i] * decade * (1 + 1e-9))
      return steps[i] * decade;
  return 10 * decade;
}

static void
follow_error(LacFieldScene *scene, LacPane *pane)
{
  double wanted = round_up(largest_difference(scene, pane));
  gint64 now = scene->frame->made_ns;
  if (wanted >= pane->scale.high) {
    pane->scale = (LacScale){-wanted, wanted};
    scene->shrink_ns = 0;
  } else if (scene->shrink_ns == 0) {
    scene->shrink_ns = now;
  } else if (now - scene->shrink_ns > SHRINK_AFTER_NS) {
    pane->scale = (LacScale){-wanted, wanted};
    scene->shrink_ns = 0;
  }
}

static void
grow_locked(LacFieldScene *scene)
{
  gssize   truth = find_role(scene, LAC_ROLE_TRUTH);
  gsize    plane = truth >= 0 ? (gsize) truth : scene->panes[0].plane;
  gboolean diverging = g_str_equal(scene->panes[0].map->kind, "diverging");
  double   low, high;
  lac_scale_of(&scene->frame->planes[plane], diverging, &low, &high);
  gboolean first = scene->locked.low == scene->locked.high;
  scene->locked.low = first ? low : MIN(low, scene->locked.low);
  scene->locked.high = first ? high : MAX(high, scene->locked.high);
}

static void
update_scales(LacFieldScene *scene)
{
  if (scene->frame == NULL || scene->n_panes == 0)
    return;
  grow_locked(scene);
  for (guint i = 0; i < scene->n_panes; i++) {
    LacPane *pane = &scene->panes[i];
    if (pane->difference)
      follow_error(scene, pane);
    else
      pane->scale = scene->locked;
  }
}

void
lac_field_scene_set_baseline(LacFieldScene *scene, gboolean baseline)
{
  if (scene->baseline == baseline)
    return;
  scene->baseline = baseline;
  choose_panes(scene);
  for (guint i = 0; i < scene->n_panes; i++)
    if (scene->panes[i].difference)
      scene->panes[i].scale = (LacScale){0, 0};
  update_scales(scene);
}

void
lac_field_scene_set_frame(LacFieldScene *scene, LacFrame *frame)
{
  g_return_if_fail(frame == NULL || frame->n_planes >= scene->n_channels);
  LacFrame *before = scene->frame;
  scene->frame = frame == NULL ? NULL : lac_frame_ref(frame);
  if (before != NULL)
    lac_frame_unref(before);
  update_scales(scene);
}

double
lac_field_scene_get_aspect(const LacFieldScene *scene)
{
  if (scene->frame == NULL || scene->n_panes == 0)
    return 1;
  const LacChannel *channel = &scene->channels[scene->panes[0].plane];
  const LacPlane   *plane = &scene->frame->planes[scene->panes[0].plane];
  if (g_strcmp0(channel->axis_unit_x, channel->axis_unit_y) != 0 ||
      g_strcmp0(channel->axis_x, "t") == 0 || g_strcmp0(channel->axis_y, "t") == 0)
    return 0;
  double width = plane->x_max - plane->x_min, height = plane->y_max - plane->y_min;
  return width > 0 && height > 0 ? width / height : (double) plane->nx / (double) plane->ny;
}

const LacChannel *
lac_field_scene_get_channel(const LacFieldScene *scene, guint pane)
{
  return &scene->channels[scene->panes[pane].plane];
}

static float
cell(const LacPlane *plane, gint64 column, gint64 row)
{
  column = CLAMP(column, 0, (gint64) plane->nx - 1);
  row = CLAMP(row, 0, (gint64) plane->ny - 1);
  return plane->data[(gsize) row * plane->nx + (gsize) column];
}

/* The shader's fetch, term by term. */
static float
fetch(const LacPlane *plane, float u, float v, gboolean smooth)
{
  float x = u * (float) plane->nx, y = v * (float) plane->ny;
  if (!smooth)
    return cell(plane, (gint64) floorf(x), (gint64) floorf(y));
  float  left = floorf(x - 0.5F), below = floorf(y - 0.5F);
  float  fx = x - 0.5F - left, fy = y - 0.5F - below;
  gint64 i = (gint64) left, j = (gint64) below;
  float  lower = cell(plane, i, j) * (1 - fx) + cell(plane, i + 1, j) * fx;
  float  upper = cell(plane, i, j + 1) * (1 - fx) + cell(plane, i + 1, j + 1) * fx;
  return lower * (1 - fy) + upper * fy;
}

float
lac_field_scene_sample(const LacFieldScene *scene, guint index, double u, double v)
{
  g_return_val_if_fail(index < scene->n_panes, NAN);
  if (scene->frame == NULL || !(u >= 0 && u < 1 && v >= 0 && v < 1))
    return NAN;
  const LacPane *pane = &scene->panes[index];
  float value = fetch(&scene->frame->planes[pane->plane], (float) u, (float) v, scene->smooth);
  if (!pane->difference)
    return value;
  return value - fetch(&scene->frame->planes[pane->other], (float) u, (float) v, scene->smooth);
}

/* The planes' limits are centres of cells; the picture reaches half a cell further. */
void
lac_field_scene_locate(const LacFieldScene *scene, double u, double v, double *x, double *y)
{
  const LacPlane *plane = &scene->frame->planes[scene->panes[0].plane];
  double          dx = plane->nx > 1 ? (plane->x_max - plane->x_min) / (double) (plane->nx - 1) : 0;
  double          dy = plane->ny > 1 ? (plane->y_max - plane->y_min) / (double) (plane->ny - 1) : 0;
  *x = plane->x_min - dx / 2 + u * dx * (double) plane->nx;
  *y = plane->y_min - dy / 2 + v * dy * (double) plane->ny;
}

void
lac_field_scene_place(const LacFieldScene *scene, const LacMarker *marker, double place[2])
{
  double x0, y0, x1, y1;
  lac_field_scene_locate(scene, 0, 0, &x0, &y0);
  lac_field_scene_locate(scene, 1, 1, &x1, &y1);
  place[0] = x1 > x0 ? (marker->x - x0) / (x1 - x0) : 0.5;
  place[1] = y1 > y0 ? (marker->y - y0) / (y1 - y0) : 0.5;
}
