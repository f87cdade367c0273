/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plane as coloured cells with isolines, flow lines and markers. */
#include "report/canvas/isolines.h"
#include "report/canvas/particle.h"
#include "report/plot/plot-private.h"

#include <math.h>
#include <string.h>

#define MARKER_POINTS 17
#define ISOLINE       0.4  /* points */
#define WINDOW_SIZE   12.0 /* font size in a window, the reference for the widths of flow lines */

/* Returns half a cell; a plane of one column is one unit wide. */
static double
half_cell(double first, double last, gsize n)
{
  return n > 1 ? (last - first) / (double) (n - 1) / 2 : 0.5;
}

LacScale
lac_plane_scale_x(const LacPlane *plane)
{
  double half = half_cell(plane->x_min, plane->x_max, plane->nx);
  return lac_scale_make(plane->x_min - half, plane->x_max + half, FALSE);
}

LacScale
lac_plane_scale_y(const LacPlane *plane)
{
  double half = half_cell(plane->y_min, plane->y_max, plane->ny);
  return lac_scale_make(plane->y_min - half, plane->y_max + half, FALSE);
}

/* Draws a dark ring within a light one, visible on every colour. */
static void
draw_marker(LacDrawing *drawing, double x, double y, double radius)
{
  static const LacColour light = {1, 1, 1, 1}, dark = {0, 0, 0, 1};
  LacPoint               ring[MARKER_POINTS];
  for (gsize i = 0; i < MARKER_POINTS; i++) {
    double angle = 2 * G_PI * (double) i / (MARKER_POINTS - 1);
    ring[i] = (LacPoint){x + radius * cos(angle), y + radius * sin(angle)};
  }
  lac_draw_lines(drawing, ring, MARKER_POINTS, radius * 0.95, light);
  lac_draw_lines(drawing, ring, MARKER_POINTS, radius * 0.45, dark);
}

static void
paint_cells(const LacPlane *plane, const LacFieldStyle *style, guint8 *pixels)
{
  const LacWarp warp = lac_warp_new(style->transfer, style->low, style->high);

  for (gsize row = 0; row < plane->ny; row++) {
    const float *values = plane->data + (plane->ny - 1 - row) * plane->nx;
    for (gsize i = 0; i < plane->nx; i++)
      memcpy(pixels + (row * plane->nx + i) * 4,
             lac_colour_map_at_warp(style->map, &warp, (double) values[i]), 4);
  }
}

/* Modulates cells by the flow texture, which mostly has a higher resolution. @nx, @ny: (inout). Returns: (transfer
 * full): new pixels */
static guint8 *
smear_cells(const guint8 *cells, const LacVectorPlane *velocity, gsize *nx, gsize *ny)
{
  gsize             across, up;
  g_autofree float *texture = lac_flow_texture(velocity, &across, &up);
  const gsize       width = MAX(across, *nx), height = MAX(up, *ny);
  guint8           *pixels = g_malloc(width * height * 4);

  for (gsize row = 0; row < height; row++)
    for (gsize i = 0; i < width; i++) {
      const guint8 *cell = cells + 4 * (row * *ny / height * *nx + i * *nx / width);
      const gsize   above = (height - 1 - row) * up / height;
      const float   shade = lac_flow_shade(texture[above * across + i * across / width]);
      guint8       *pixel = pixels + 4 * (row * width + i);

      memcpy(pixel, cell, 4);
      lac_colour_darken(pixel, shade);
    }
  *nx = width;
  *ny = height;
  return pixels;
}

typedef struct {
  LacDrawing     *drawing;
  LacBox          box;
  const LacPlane *plane;
} Lines;

static void
draw_isoline(const LacPoint *points, gsize n, gpointer user_data)
{
  static const LacColour shade = {0, 0, 0, 0.65F};
  const Lines           *lines = user_data;
  const LacBox          *box = &lines->box;
  g_autofree LacPoint   *placed = g_new(LacPoint, n);

  for (gsize i = 0; i < n; i++)
    placed[i] = (LacPoint){
      box->x + (points[i].x + 0.5) / (double) lines->plane->nx * box->width,
      box->y + (1 - (points[i].y + 0.5) / (double) lines->plane->ny) * box->height,
    };
  lac_draw_lines(lines->drawing, placed, n, ISOLINE, shade);
}

static void
draw_isolines(LacDrawing *drawing, LacBox box, const LacPlane *plane, const LacFieldStyle *style)
{
  const LacWarp warp = lac_warp_new(style->transfer, style->low, style->high);
  Lines         lines = {drawing, box, plane};
  double        levels[LAC_MAX_LEVELS];
  gsize         n = lac_scale_levels(&warp, levels);

  for (gsize i = 0; i < n; i++)
    lac_isolines(plane, levels[i], draw_isoline, &lines);
}

static void
draw_flow(LacDrawing *drawing, LacBox box, const LacFieldStyle *style)
{
  const LacFlowGround ground = {box, box, style->font_size / WINDOW_SIZE};

  if (style->flow.streamlines) {
    g_autoptr(LacStreamlines) lines = lac_streamlines_new(&style->velocity, LAC_FLOW_APART);
    lac_flow_draw_streamlines(drawing, lines, &ground);
  }
  if (style->flow.arrows)
    lac_flow_draw_arrows(drawing, &style->velocity, &ground);
}

void
lac_plot_cells(LacDrawing *drawing, LacBox box, const LacPlane *plane, const LacFieldStyle *style)
{
  g_return_if_fail(plane->nx > 0 && plane->ny > 0);
  gsize              nx = plane->nx, ny = plane->ny;
  g_autofree guint8 *pixels = g_malloc(nx * ny * 4);
  const gboolean     flows = style->velocity.u != NULL;
  paint_cells(plane, style, pixels);
  if (flows && style->flow.texture) {
    g_autofree guint8 *cells = g_steal_pointer(&pixels);
    pixels = smear_cells(cells, &style->velocity, &nx, &ny);
  }
  lac_draw_image(drawing, box.x, box.y, box.width, box.height, (guint) nx, (guint) ny, pixels);

  LacScale across = lac_plane_scale_x(plane), up = lac_plane_scale_y(plane);
  double   radius = style->font_size * 0.3;
  lac_draw_clip(drawing, box.x, box.y, box.width, box.height);
  if (style->isolines)
    draw_isolines(drawing, box, plane, style);
  if (flows)
    draw_flow(drawing, box, style);
  for (gsize i = 0; i < style->n_markers; i++)
    if (isfinite(style->markers[i].x)) {
      LacPoint at = {box.x + lac_scale_place(&across, style->markers[i].x) * box.width,
                     box.y + (1 - lac_scale_place(&up, style->markers[i].y)) * box.height};
      if (!lac_draw_particle(drawing, style->markers[i].kind, at, radius))
        draw_marker(drawing, at.x, at.y, radius);
    }
  lac_draw_unclip(drawing);
}

void
lac_scale_of(const LacPlane *truth, gboolean diverging, double *low, double *high)
{
  g_return_if_fail(truth != NULL && low != NULL && high != NULL);
  double least = INFINITY, most = -INFINITY;
  for (gsize i = 0; i < truth->nx * truth->ny; i++) {
    double value = (double) truth->data[i];
    if (isfinite(value)) {
      least = MIN(least, value);
      most = MAX(most, value);
    }
  }
  if (least > most)
    least = most = 0;
  if (diverging) {
    most = MAX(fabs(least), fabs(most));
    least = -most;
  }
  if (!(most > least)) { /* a constant field has a scale that contains its value */
    double half = MAX(fabs(least) * 1e-3, 1e-12);
    least -= half;
    most += half;
  }
  *low = least;
  *high = most;
}
