/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The box of the points cut into as many cells of nearly equal size as there are sensors. */
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

/* As many cells as @candidates wants sensors, over its open points. */
void lac_cells_init(LacCells *cells, const LacCandidates *candidates);

LacCell lac_cells_get(const LacCells *cells, gsize k);

/* Returns: the open point nearest to the middle of @cell, of equal ones the first; n_points where there is none. */
gsize lac_cells_nearest(const LacCandidates *candidates, const LacCell *cell);

/* @inside: (out): [n_points]. Returns: how many open points lie in @cell, its borders included. */
gsize lac_cells_find_inside(const LacCandidates *candidates, const LacCell *cell, gsize *inside);

G_END_DECLS
