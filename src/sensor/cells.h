/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Partition of the points' bounding box into cells of nearly equal size, one per sensor. */
#pragma once

#include "sensor/candidates.h"

G_BEGIN_DECLS

typedef struct {
  double low[2], high[2];
} LacCell;

typedef struct {
  LacCell whole;
  gsize   n_rows, n_cells;
} LacCells;

/* Makes one cell per sensor of @candidates, over its open points. */
void lac_cells_init(LacCells *cells, const LacCandidates *candidates);

LacCell lac_cells_get(const LacCells *cells, gsize k);

/* Returns: the open point nearest to the centre of @cell, the first of equal ones; n_points if there is none. */
gsize lac_cells_nearest(const LacCandidates *candidates, const LacCell *cell);

/* Finds the open points in @cell, borders included. @inside: (out): their indices, room for [n_points]. Returns:
 * their number. */
gsize lac_cells_find_inside(const LacCandidates *candidates, const LacCell *cell, gsize *inside);

G_END_DECLS
