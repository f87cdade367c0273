/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boxes of k-space: those of a scan position, and the band that encloses all of them. */
#include "experiment/imaging/optics/optics-private.h"

#include <math.h>

void
lac_optics_centre(const LacOptics *optics, gsize position, gsize i_along, double centre[2])
{
  const LacScanBox *v = &optics->scan[position];
  const gsize       n = optics->settings.n_along;
  const double      share = n > 1 ? (double) i_along / (double) (n - 1) : 0;

  centre[0] = v->y + share * (v->end_y - v->y);
  centre[1] = v->x + share * (v->end_x - v->x);
}

/* Returns the smallest band that encloses both. */
static LacBand
united(LacBand a, LacBand b)
{
  const gint64 y = MIN(a.y, b.y), x = MIN(a.x, b.x);

  return (LacBand){
    .y = y,
    .x = x,
    .height = (gsize) (MAX(a.y + (gint64) a.height, b.y + (gint64) b.height) - y),
    .width = (gsize) (MAX(a.x + (gint64) a.width, b.x + (gint64) b.width) - x),
  };
}

/* Returns the box of @reach around a centre, within the grid. */
static LacBand
box_around(gsize grid, gsize reach, const double centre[2])
{
  const gint64 low = -(gint64) (grid / 2), high = low + (gint64) grid - 1;
  gint64       from[2], to[2];

  for (guint axis = 0; axis < 2; axis++) {
    const gint64 nearest = (gint64) round(centre[axis]);

    from[axis] = CLAMP(nearest - (gint64) reach, low, high);
    to[axis] = CLAMP(nearest + (gint64) reach, low, high);
  }
  return (LacBand){from[0], from[1], (gsize) (to[0] - from[0] + 1), (gsize) (to[1] - from[1] + 1)};
}

static LacBand
position_box(const LacOptics *optics, gsize position, gsize reach)
{
  LacBand box = {0};

  for (gsize i = 0; i < optics->settings.n_along; i++) {
    double  centre[2];
    LacBand next;

    lac_optics_centre(optics, position, i, centre);
    next = box_around(optics->settings.grid, reach, centre);
    box = i ? united(box, next) : next;
  }
  return box;
}

LacBand
lac_optics_scan_box(const LacOptics *optics, gsize position)
{
  return position_box(optics, position, optics->reach);
}

LacBand
lac_optics_whole_band(const LacOptics *optics)
{
  const LacOpticsSettings *s = &optics->settings;
  const gint64             low = -(gint64) (s->grid / 2);
  LacBand                  band = position_box(optics, 0, optics->reach + s->margin);

  if (s->patch == s->grid)
    return (LacBand){low, low, s->grid, s->grid};
  for (gsize v = 1; v < s->n_positions; v++)
    band = united(band, position_box(optics, v, optics->reach + s->margin));
  return band;
}

gboolean
lac_band_lies_within(LacBand inner, LacBand outer)
{
  const LacBand both = united(inner, outer);

  return both.y == outer.y && both.x == outer.x && both.height == outer.height &&
         both.width == outer.width;
}
