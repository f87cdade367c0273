/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CPU painter of the field viewer. */
#include "app/field/raster.h"

#include "app/field/tap.h"
#include "report/canvas/flow-lines.h"

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

/* Interpolates the noise like the shader. */
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
  memcpy(rgba, lac_colour_map_at_warp(pane->map, &pane->warp, (double) value), 4);
  if (!isfinite(value) && ((at[0] + at[1]) & 7) < 2)
    lac_colour_darken(rgba, 0.7F);
}

static void
mix(guint8 *rgba, const guint8 *other, double share)
{
  for (int c = 0; c < 3; c++)
    rgba[c] = (guint8) lround((double) rgba[c] * (1 - share) + (double) other[c] * share);
}

typedef struct {
  const LacFieldScene *scene;
  const LacPane       *pane;
  const LacSmear      *smear; /* (nullable) */
  guint                index;
  gsize                from, to;   /* columns inside the field */
  double              *u;          /* [columns] */
  double               pixel[2];   /* size of a pixel in (u, v) */
  const LacPlane      *planes[2];  /* plane shown, and the second of a pair or %NULL */
  LacTap              *columns[2]; /* column taps of each plane */
  LacTap               rows[2];
  float               *values[2]; /* values of the current row */
} Painter;

static gboolean
is_isoline(const Painter *painter, const double place[2])
{
  const LacFieldScene *scene = painter->scene;
  float                u = (float) place[0], v = (float) place[1];
  float                right = u + (float) painter->pixel[0], above = v + (float) painter->pixel[1];
  guint                here = count_below(
                   painter->pane, lac_field_scene_sample_as(scene, painter->index, (double) u, (double) v, TRUE));
  return here != count_below(painter->pane,
                             lac_field_scene_sample_as(scene, painter->index, (double) right,
                                                       (double) v, TRUE)) ||
         here !=
           count_below(painter->pane, lac_field_scene_sample_as(scene, painter->index, (double) u,
                                                                (double) above, TRUE));
}

/* Replaces the first plane's values by those shown; a fade uses both rows. */
static void
combine(const Painter *painter)
{
  const LacPane *pane = painter->pane;
  float         *values = painter->values[0], *others = painter->values[1];
  if (pane->difference)
    for (gsize i = painter->from; i < painter->to; i++)
      values[i] = lac_error_form_apply(painter->scene->errors, pane->factor, values[i] - others[i]);
  else if (pane->swipe)
    for (gsize i = painter->from; i < painter->to; i++)
      if ((float) painter->u[i] >= (float) painter->scene->swipe)
        values[i] = others[i];
}

static void
sample_row(Painter *painter, double v)
{
  for (guint k = 0; k < 2 && painter->planes[k] != NULL; k++) {
    const LacPlane *plane = painter->planes[k];
    LacTap row = painter->rows[k] = lac_tap_at((float) v, plane->ny, painter->scene->smooth);
    for (gsize i = painter->from; i < painter->to; i++)
      painter->values[k][i] = lac_tap_read(plane, painter->columns[k][i], row);
  }
  combine(painter);
}

/* Returns: TRUE if the row at @v has the same pixels as the last one sampled. */
static gboolean
is_same_row(const Painter *painter, double v)
{
  if (painter->scene->smooth || painter->scene->overlays.isolines || painter->smear != NULL)
    return FALSE;
  for (guint k = 0; k < 2 && painter->planes[k] != NULL; k++)
    if (lac_tap_at((float) v, painter->planes[k]->ny, FALSE).low != painter->rows[k].low)
      return FALSE;
  return TRUE;
}

/* Darkens a pixel by noise and isolines. */
static void
shade(const Painter *painter, const double place[2], float value, guint8 *rgba)
{
  if (painter->smear != NULL)
    lac_colour_darken(rgba, lac_flow_shade(smear_at(painter->smear, place[0], place[1])));
  if (painter->scene->overlays.isolines && isfinite(value) && is_isoline(painter, place))
    lac_colour_darken(rgba, 0.35F);
}

/* @below: number of pixel rows below this one. Returns: TRUE if all values are finite: then colours do not depend on
 * the row. */
static gboolean
paint_row(Painter *painter, double v, int below, guint8 *rgba)
{
  const LacPane *pane = painter->pane;
  gboolean       finite = TRUE;
  sample_row(painter, v);
  for (gsize i = painter->from; i < painter->to; i++) {
    float value = painter->values[0][i];
    int   at[2] = {(int) i, below};
    paint(pane, value, at, rgba + 4 * i);
    finite = finite && isfinite(value);
    if (pane->fade) {
      guint8 other[4];
      paint(pane, painter->values[1][i], at, other);
      mix(rgba + 4 * i, other, painter->scene->swipe);
      finite = finite && isfinite(painter->values[1][i]);
    }
    shade(painter, (double[]){painter->u[i], v}, value, rgba + 4 * i);
  }
  return finite;
}

static void
lay_columns(Painter *painter, const LacFieldView2d *view, gsize n)
{
  const LacBox  *box = &view->layout->panes[painter->index];
  const LacPane *pane = painter->pane;
  gboolean       is_pair = pane->difference || pane->swipe || pane->fade;
  painter->planes[0] = &painter->scene->frame->planes[pane->plane];
  painter->planes[1] = is_pair ? &painter->scene->frame->planes[pane->other] : NULL;
  painter->u = g_new(double, n);
  for (guint k = 0; k < 2; k++) {
    painter->columns[k] = g_new0(LacTap, n);
    painter->values[k] = g_new(float, n);
  }
  painter->from = n;
  for (gsize i = 0; i < n; i++) {
    double point[2] = {box->x + ((double) i + 0.5) / view->scale, box->y}, place[2];
    lac_pane_layout_to_field(view->layout, &view->camera, painter->index, point, place);
    painter->u[i] = place[0];
    if (!(place[0] >= 0 && place[0] < 1))
      continue;
    painter->from = MIN(painter->from, i);
    painter->to = i + 1;
    for (guint k = 0; k < 2 && painter->planes[k] != NULL; k++)
      painter->columns[k][i] =
        lac_tap_at((float) place[0], painter->planes[k]->nx, painter->scene->smooth);
  }
}

static void
painter_clear(Painter *painter)
{
  g_free(painter->u);
  for (guint k = 0; k < 2; k++) {
    g_free(painter->columns[k]);
    g_free(painter->values[k]);
  }
}

static void
fill(LacColour colour, gsize n, guint8 *rgba)
{
  for (gsize i = 0; i < n; i++)
    put_colour(colour, rgba + 4 * i);
}

void
lac_field_raster_pane(const LacFieldScene  *scene,
                      const LacFieldView2d *view,
                      guint                 index,
                      guint8               *rgba)
{
  const LacBox *box = &view->layout->panes[index];
  gsize         columns = (gsize) MAX((int) box->width * view->scale, 0);
  int           rows = (int) box->height * view->scale;
  Painter       painter = {.scene = scene, .pane = &scene->panes[index], .index = index};
  double origin[2] = {box->x, box->y}, next[2] = {box->x + 1, box->y - 1}, corner[2], step[2];
  g_return_if_fail(scene->frame != NULL);
  lac_pane_layout_to_field(view->layout, &view->camera, index, origin, corner);
  lac_pane_layout_to_field(view->layout, &view->camera, index, next, step);
  for (int k = 0; k < 2; k++)
    painter.pixel[k] = (step[k] - corner[k]) / view->scale;
  if (view->smears != NULL && view->smears[index].data != NULL)
    painter.smear = &view->smears[index];
  lay_columns(&painter, view, columns);
  gboolean repeats = FALSE; /* TRUE if the row above can be copied */
  for (int row = 0; row < rows; row++, rgba += 4 * columns) {
    double point[2] = {box->x, box->y + (row + 0.5) / view->scale}, place[2];
    lac_pane_layout_to_field(view->layout, &view->camera, index, point, place);
    gboolean inside = place[1] >= 0 && place[1] < 1 && painter.from < painter.to;
    if (inside && repeats && is_same_row(&painter, place[1])) {
      memcpy(rgba, rgba - 4 * columns, 4 * columns);
      continue;
    }
    repeats = FALSE;
    if (!inside) {
      fill(view->backdrop, columns, rgba);
      continue;
    }
    fill(view->backdrop, painter.from, rgba);
    fill(view->backdrop, columns - painter.to, rgba + 4 * painter.to);
    repeats = paint_row(&painter, place[1], rows - 1 - row, rgba);
  }
  painter_clear(&painter);
}
