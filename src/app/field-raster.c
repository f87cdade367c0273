/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processor's painter of the field viewer. */
#include "app/field-raster.h"

#include <math.h>
#include <string.h>

static void
put_colour(LacColour colour, guint8 *rgba)
{
  rgba[0] = (guint8) lroundf(colour.red * 255);
  rgba[1] = (guint8) lroundf(colour.green * 255);
  rgba[2] = (guint8) lroundf(colour.blue * 255);
  rgba[3] = 255;
}

/* The shader's smear, interpolated. */
static float
smear_at(const LacSmear *smear, double u, double v)
{
  float x = (float) u * (float) smear->nx - 0.5F, y = (float) v * (float) smear->ny - 0.5F;
  float left = floorf(x), below = floorf(y), fx = x - left, fy = y - below;
  gsize i = (gsize) MAX(left, 0), j = (gsize) MAX(below, 0);
  gsize k = MIN((gsize) (left + 1), smear->nx - 1), l = MIN((gsize) (below + 1), smear->ny - 1);
  const float *lower = smear->data + j * smear->nx, *upper = smear->data + l * smear->nx;
  return (1 - fy) * ((1 - fx) * lower[i] + fx * lower[k]) +
         fy * ((1 - fx) * upper[i] + fx * upper[k]);
}

static guint
count_below(const LacPane *pane, float value)
{
  guint n = 0;
  for (guint i = 0; i < pane->n_levels; i++)
    n += value >= (float) pane->levels[i];
  return n;
}

static void
paint(const LacPane *pane, float value, const int at[2], guint8 *rgba)
{
  if (isfinite(value)) {
    memcpy(rgba, lac_colour_map_at_place(pane->map, lac_warp_at(&pane->warp, (double) value)), 4);
    return;
  }
  memcpy(rgba, lac_colour_not_finite, 4);
  if (((at[0] + at[1]) & 7) < 2)
    for (int c = 0; c < 3; c++)
      rgba[c] = (guint8) lroundf((float) rgba[c] * 0.7F);
}

static void
mix(guint8 *rgba, const guint8 *other, double share)
{
  for (int c = 0; c < 3; c++)
    rgba[c] = (guint8) lround((double) rgba[c] * (1 - share) + (double) other[c] * share);
}

static void
scale(guint8 *rgba, float factor)
{
  for (int c = 0; c < 3; c++)
    rgba[c] = (guint8) lroundf(CLAMP((float) rgba[c] * factor, 0, 255));
}

typedef struct {
  const LacFieldScene *scene;
  guint                index;
  double               pixel[2]; /* in (u, v) */
} Painter;

static gboolean
is_isoline(const Painter *painter, const double place[2])
{
  const LacFieldScene *scene = painter->scene;
  const LacPane       *pane = &scene->panes[painter->index];
  float                u = (float) place[0], v = (float) place[1];
  float                right = u + (float) painter->pixel[0], above = v + (float) painter->pixel[1];
  guint                here = count_below(
                   pane, lac_field_scene_sample_as(scene, painter->index, (double) u, (double) v, TRUE));
  return here != count_below(pane, lac_field_scene_sample_as(scene, painter->index, (double) right,
                                                             (double) v, TRUE)) ||
         here != count_below(pane, lac_field_scene_sample_as(scene, painter->index, (double) u,
                                                             (double) above, TRUE));
}

/* @at: device pixels from the lower left corner of the pane */
static void
paint_place(const Painter  *painter,
            const LacSmear *smear,
            const double    place[2],
            const int       at[2],
            guint8         *rgba)
{
  const LacFieldScene *scene = painter->scene;
  const LacPane       *pane = &scene->panes[painter->index];
  float                value = lac_field_scene_sample(scene, painter->index, place[0], place[1]);
  paint(pane, value, at, rgba);
  if (pane->fade) {
    guint8 other[4];
    paint(pane, lac_field_scene_sample_channel(scene, pane->other, place[0], place[1]), at, other);
    mix(rgba, other, scene->swipe);
  }
  if (smear != NULL && smear->data != NULL)
    scale(rgba, 0.4F + 1.2F * smear_at(smear, place[0], place[1]));
  if (scene->overlays.isolines && isfinite(value) && is_isoline(painter, place))
    scale(rgba, 0.35F);
}

void
lac_field_raster_pane(const LacFieldScene  *scene,
                      const LacFieldView2d *view,
                      guint                 index,
                      guint8               *rgba)
{
  const LacBox *box = &view->layout->panes[index];
  int           columns = (int) box->width * view->scale, rows = (int) box->height * view->scale;
  Painter       painter = {scene, index, {0, 0}};
  double origin[2] = {box->x, box->y}, next[2] = {box->x + 1, box->y - 1}, corner[2], step[2];
  lac_pane_layout_to_field(view->layout, &view->camera, index, origin, corner);
  lac_pane_layout_to_field(view->layout, &view->camera, index, next, step);
  for (int k = 0; k < 2; k++)
    painter.pixel[k] = (step[k] - corner[k]) / view->scale;
  for (int row = 0; row < rows; row++) {
    for (int column = 0; column < columns; column++, rgba += 4) {
      double point[2] = {box->x + (column + 0.5) / view->scale, box->y + (row + 0.5) / view->scale};
      double place[2];
      lac_pane_layout_to_field(view->layout, &view->camera, index, point, place);
      if (place[0] >= 0 && place[0] < 1 && place[1] >= 0 && place[1] < 1)
        paint_place(&painter, view->smears != NULL ? &view->smears[index] : NULL, place,
                    (int[]){column, rows - 1 - row}, rgba);
      else
        put_colour(view->backdrop, rgba);
    }
  }
}
