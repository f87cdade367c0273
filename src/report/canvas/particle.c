/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Particles: light with a dark edge, visible on every colour. */
#include "report/canvas/particle.h"

#include <math.h>
#include <string.h>

enum { DISC_POINTS = 16 };

#define NUCLEUS        "nucleus"
#define NUCLEUS_NAMED  1.6 /* fits two letters */
#define NUCLEUS_LETTER 2.0
#define ELECTRON       0.62 /* relative to a nucleus */

static const LacColour edge = {0, 0, 0, 0.8F};

static void
draw_shape(LacDrawing *drawing, const LacPoint *points, gsize n, LacColour colour)
{
  lac_draw_polygon(drawing, points, n, colour);
  lac_draw_lines(drawing, points, n, 0.8, edge);
}

static void
draw_disc(LacDrawing *drawing, LacPoint place, double radius)
{
  LacPoint disc[DISC_POINTS + 1];

  for (gsize i = 0; i <= DISC_POINTS; i++) {
    const double angle = 2 * G_PI * (double) i / DISC_POINTS;

    disc[i] = (LacPoint){place.x + radius * cos(angle), place.y + radius * sin(angle)};
  }
  draw_shape(drawing, disc, G_N_ELEMENTS(disc), (LacColour){1, 1, 1, 1});
}

/* Draws a nucleus, with its element if @kind names one. */
static void
draw_nucleus(LacDrawing *drawing, const char *kind, LacPoint place, double size)
{
  const double letter = NUCLEUS_LETTER * size;

  draw_disc(drawing, place, kind[strlen(NUCLEUS)] == '-' ? NUCLEUS_NAMED * size : size);
  if (kind[strlen(NUCLEUS)] == '-')
    lac_draw_text_bold(drawing, place.x, place.y + 0.36 * letter, LAC_ALIGN_CENTRE, letter,
                       (LacColour){0, 0, 0, 1}, kind + strlen(NUCLEUS) + 1);
}

/* @height: negative: points down, since y grows downwards. */
static void
draw_triangle(LacDrawing *drawing, LacPoint place, double height, LacColour colour)
{
  const double   width = fabs(height);
  const LacPoint corners[] = {
    {place.x, place.y - height},
    {place.x - 0.87 * width, place.y + 0.5 * height},
    {place.x + 0.87 * width, place.y + 0.5 * height},
    {place.x, place.y - height},
  };

  draw_shape(drawing, corners, G_N_ELEMENTS(corners), colour);
}

gboolean
lac_draw_particle(LacDrawing *drawing, const char *kind, LacPoint place, double size)
{
  if (kind && g_str_has_prefix(kind, NUCLEUS))
    draw_nucleus(drawing, kind, place, size);
  else if (g_strcmp0(kind, "electron-up") == 0)
    draw_triangle(drawing, place, ELECTRON * size, (LacColour){1, 0.85F, 0.5F, 1});
  else if (g_strcmp0(kind, "electron-down") == 0)
    draw_triangle(drawing, place, -ELECTRON * size, (LacColour){0.55F, 0.85F, 1, 1});
  else
    return FALSE;
  return TRUE;
}
