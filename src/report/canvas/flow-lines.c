/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrows, streamlines, line integral convolution. */
#include "report/canvas/flow-lines.h"

#include "field/section.h"

#include <math.h>

#define TEXTURE     320  /* cells along the longer side */
#define REACH       18   /* cells in both directions */
#define CONTRAST    2.4F /* compensates the reduced variance of a mean over so many cells */
#define ARROW_APART 34.0 /* approximate spacing in units */
#define ARROW       1.3  /* length of the fastest arrow, relative to the spacing */
#define HEAD        0.32 /* relative to the arrow's length */
#define EDGE        2.6  /* units; width of the dark edge below a line */
#define LINE        1.1

/* Draws white lines with a dark edge, visible on every colour. */
static void
draw_pale(LacDrawing *drawing, const GArray *points, double unit)
{
  const LacPoint *p = (const LacPoint *) (gconstpointer) points->data;

  lac_draw_lines(drawing, p, points->len, EDGE * unit, (LacColour){0, 0, 0, 0.45F});
  lac_draw_lines(drawing, p, points->len, LINE * unit, (LacColour){1, 1, 1, 0.95F});
}

static void
add_gap(GArray *points)
{
  const LacPoint gap = {(double) NAN, (double) NAN};

  g_array_append_val(points, gap);
}

static LacPoint
place_on(const LacFlowGround *ground, const double at[2])
{
  return (LacPoint){ground->field.x + at[0] * ground->field.width,
                    ground->field.y + (1 - at[1]) * ground->field.height};
}

void
lac_flow_draw_streamlines(LacDrawing           *drawing,
                          const LacStreamlines *lines,
                          const LacFlowGround  *ground)
{
  g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(LacPoint));
  const double     *places = (const double *) (gconstpointer) lines->points->data;

  for (guint line = 0, i = 0; line < lines->ends->len; line++) {
    for (; i < g_array_index(lines->ends, guint, line); i++) {
      const LacPoint point = place_on(ground, &places[2 * i]);
      g_array_append_val(points, point);
    }
    add_gap(points);
  }
  draw_pale(drawing, points, ground->unit);
}

static double
fastest(const LacVectorPlane *vectors)
{
  double most = 0;

  for (gsize i = 0; i < vectors->u->nx * vectors->u->ny; i++) {
    double speed = hypot((double) vectors->u->data[i], (double) vectors->v->data[i]);
    if (isfinite(speed))
      most = MAX(most, speed);
  }
  return most;
}

/* Appends an arrow centred on @at. */
static void
add_arrow(GArray *points, LacPoint at, double dx, double dy)
{
  const double back[2] = {-HEAD * dx, -HEAD * dy}, across[2] = {-0.5 * back[1], 0.5 * back[0]};
  LacPoint     tip = {at.x + dx / 2, at.y + dy / 2};
  LacPoint     path[5] = {{at.x - dx / 2, at.y - dy / 2},
                          tip,
                          {tip.x + back[0] + across[0], tip.y + back[1] + across[1]},
                          tip,
                          {tip.x + back[0] - across[0], tip.y + back[1] - across[1]}};

  g_array_append_vals(points, path, G_N_ELEMENTS(path));
  add_gap(points);
}

/* Returns the number of arrows along @length: a power of two, so that arrows remain in place while the user zooms. */
static guint
count_lattice(double length, double unit)
{
  return 1U << (guint) CLAMP(round(log2(MAX(length / (ARROW_APART * unit), 1))), 0, 12);
}

static gboolean
is_in(const LacBox *box, LacPoint point)
{
  return point.x >= box->x && point.x <= box->x + box->width && point.y >= box->y &&
         point.y <= box->y + box->height;
}

void
lac_flow_draw_arrows(LacDrawing           *drawing,
                     const LacVectorPlane *vectors,
                     const LacFlowGround  *ground)
{
  const LacBox     *field = &ground->field;
  const double      most = fastest(vectors);
  const guint       nx = count_lattice(field->width, ground->unit);
  const guint       ny = count_lattice(field->height, ground->unit);
  const double      length = ARROW * MIN(field->width / nx, field->height / ny);
  g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(LacPoint));

  for (guint j = 0; j < ny && most > 0; j++)
    for (guint i = 0; i < nx; i++) {
      const double   place[2] = {(i + 0.5) / nx, (j + 0.5) / ny};
      const LacPoint point = place_on(ground, place);
      double         speed[2];

      if (is_in(&ground->seen, point) && lac_vector_at(vectors, place, speed))
        add_arrow(points, point, speed[0] / most * length, -speed[1] / most * length);
    }
  draw_pale(drawing, points, ground->unit);
}

float *
lac_flow_texture(const LacVectorPlane *vectors, gsize *nx, gsize *ny)
{
  double corner[2], end[2];
  lac_plane_locate(vectors->u, (double[]){0, 0}, corner);
  lac_plane_locate(vectors->u, (double[]){1, 1}, end);
  const double width = MAX(end[0] - corner[0], 1e-30), height = MAX(end[1] - corner[1], 1e-30);
  const double longer = MAX(width, height);

  *nx = (gsize) MAX(ceil(TEXTURE * width / longer), 8);
  *ny = (gsize) MAX(ceil(TEXTURE * height / longer), 8);
  float *texture = g_new(float, *nx **ny);
  lac_smear(vectors, *nx, *ny, REACH, texture);
  for (gsize k = 0; k < *nx * *ny; k++)
    texture[k] = CLAMP(0.5F + CONTRAST * (texture[k] - 0.5F), 0, 1);
  return texture;
}

float
lac_flow_shade(float texture)
{
  return 0.4F + 1.2F * texture;
}
