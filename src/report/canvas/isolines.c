/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marching squares: a square between four centres holds at most two segments, each from one side to another. Two
 * squares share a side, so that a line is followed from side to side. */
#include "report/canvas/isolines.h"

#include <math.h>

enum { NONE = -1 };

/* Side 2 c leads from the centre of cell c to the right, 2 c + 1 upwards. */
typedef struct {
  const LacPlane *plane;
  double          level;
  gint (*pieces)[2]; /* [2 cells]: segments that end on a side */
  GArray   *ends;    /* of gint: two sides per segment */
  GArray   *points;
  gboolean *is_walked; /* [pieces] */
} March;

static double
value_at(const March *march, gsize cell)
{
  return (double) march->plane->data[cell] - march->level;
}

static void
touch(March *march, gint side, gint piece)
{
  march->pieces[side][march->pieces[side][0] == NONE ? 0 : 1] = piece;
}

static void
add_piece(March *march, gint a, gint b)
{
  const gint piece = (gint) (march->ends->len / 2);

  g_array_append_val(march->ends, a);
  g_array_append_val(march->ends, b);
  touch(march, a, piece);
  touch(march, b, piece);
}

static void
add_square(March *march, gsize i, gsize j)
{
  const gsize nx = march->plane->nx, cell = j * nx + i;
  const gsize corners[4] = {cell, cell + 1, cell + nx + 1, cell + nx}; /* counter-clockwise */
  const gint  sides[4] = {(gint) (2 * cell), (gint) (2 * (cell + 1) + 1), (gint) (2 * (cell + nx)),
                          (gint) (2 * cell + 1)};
  gint        crossed[4];
  guint       n = 0;
  double      sum = 0;

  for (guint k = 0; k < 4; k++) {
    const double here = value_at(march, corners[k]), next = value_at(march, corners[(k + 1) % 4]);

    if (!isfinite(here))
      return;
    sum += here;
    if ((here >= 0) != (next >= 0))
      crossed[n++] = sides[k];
  }
  if (n == 2) {
    add_piece(march, crossed[0], crossed[1]);
  } else if (n == 4) { /* saddle: the central value decides which corners are connected */
    const gboolean with_middle = (value_at(march, corners[0]) >= 0) == (sum >= 0);

    add_piece(march, crossed[0], crossed[with_middle ? 1 : 3]);
    add_piece(march, crossed[2], crossed[with_middle ? 3 : 1]);
  }
}

static void
add_point(March *march, gint side)
{
  const gsize  nx = march->plane->nx, cell = (gsize) side / 2;
  const gsize  other = side % 2 ? cell + nx : cell + 1;
  const double here = value_at(march, cell), there = value_at(march, other);
  const double part = here / (here - there);
  LacPoint     point = {(double) (cell % nx), (double) (cell / nx)};

  *(side % 2 ? &point.y : &point.x) += part;
  g_array_append_val(march->points, point);
}

/* Follows a line from @side along @piece until it ends or closes. */
static void
walk(March *march, gint side, gint piece)
{
  g_array_set_size(march->points, 0);
  add_point(march, side);
  while (piece != NONE && !march->is_walked[piece]) {
    const gint *ends = &g_array_index(march->ends, gint, 2 * piece);

    march->is_walked[piece] = TRUE;
    side = ends[0] == side ? ends[1] : ends[0];
    add_point(march, side);
    piece = march->pieces[side][march->pieces[side][0] == piece ? 1 : 0];
  }
}

static void
walk_all(March *march, LacIsoline found, gpointer user_data)
{
  const gsize n = march->ends->len / 2;

  march->is_walked = g_new0(gboolean, n + 1);
  for (guint pass = 0; pass < 2; pass++) /* open lines from their ends first, then closed ones */
    for (gsize piece = 0; piece < n; piece++)
      for (gsize k = 0; k < 2; k++) {
        const gint side = g_array_index(march->ends, gint, 2 * piece + k);

        if (march->is_walked[piece] || (pass == 0 && march->pieces[side][1] != NONE))
          continue;
        walk(march, side, (gint) piece);
        found((const LacPoint *) (gconstpointer) march->points->data, march->points->len,
              user_data);
      }
  g_free(march->is_walked);
}

void
lac_isolines(const LacPlane *plane, double level, LacIsoline found, gpointer user_data)
{
  const gsize n_sides = 2 * plane->nx * plane->ny;
  March       march = {.plane = plane, .level = level};

  g_return_if_fail(n_sides < G_MAXINT);
  march.pieces = g_malloc(n_sides * sizeof *march.pieces);
  march.ends = g_array_new(FALSE, FALSE, sizeof(gint));
  march.points = g_array_new(FALSE, FALSE, sizeof(LacPoint));
  for (gsize i = 0; i < n_sides; i++)
    march.pieces[i][0] = march.pieces[i][1] = NONE;
  for (gsize j = 0; j + 1 < plane->ny; j++)
    for (gsize i = 0; i + 1 < plane->nx; i++)
      add_square(&march, i, j);
  walk_all(&march, found, user_data);
  g_free(march.pieces);
  g_array_unref(march.ends);
  g_array_unref(march.points);
}
