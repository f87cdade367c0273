/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of nearly square cells. */
#include "sensor/cells.h"

#include <math.h>

void
lac_cells_init(LacCells *cells, const LacCandidates *candidates)
{
  const LacPlacementProblem *problem = candidates->problem;
  LacCell                   *whole = &cells->whole;
  const gsize                n_cells = MAX(candidates->n_sensors, 1);
  double                     size[2];

  for (int axis = 0; axis < 2; axis++) {
    whole->low[axis] = (double) INFINITY;
    whole->high[axis] = -(double) INFINITY;
    for (gsize i = 0; i < problem->n_points; i++)
      if (candidates->open[i]) {
        const double at = lac_placement_position(problem, i, axis);

        whole->low[axis] = MIN(whole->low[axis], at);
        whole->high[axis] = MAX(whole->high[axis], at);
      }
    size[axis] = whole->high[axis] - whole->low[axis];
  }
  cells->n_cells = n_cells;
  cells->n_rows = n_cells;
  if (size[0] > 0)
    cells->n_rows =
      (gsize) CLAMP(round(sqrt((double) n_cells * size[1] / size[0])), 1, (double) n_cells);
}

/* The first n_cells % n_rows rows have one more cell than the others. */
LacCell
lac_cells_get(const LacCells *cells, gsize k)
{
  const gsize    fewer = cells->n_cells / cells->n_rows, longer = cells->n_cells % cells->n_rows;
  const gsize    in_longer = longer * (fewer + 1);
  const gsize    row = k < in_longer ? k / (fewer + 1) : longer + (k - in_longer) / fewer;
  const gsize    column = k < in_longer ? k % (fewer + 1) : (k - in_longer) % fewer;
  const double   n_columns = (double) (fewer + (row < longer));
  const LacCell *whole = &cells->whole;
  const double   width = (whole->high[0] - whole->low[0]) / n_columns;
  const double   height = (whole->high[1] - whole->low[1]) / (double) cells->n_rows;
  LacCell        cell;

  cell.low[0] = whole->low[0] + width * (double) column;
  cell.low[1] = whole->low[1] + height * (double) row;
  cell.high[0] = cell.low[0] + width;
  cell.high[1] = cell.low[1] + height;
  return cell;
}

gsize
lac_cells_nearest(const LacCandidates *candidates, const LacCell *cell)
{
  const LacPlacementProblem *problem = candidates->problem;
  double                     least = (double) INFINITY;
  gsize                      nearest = problem->n_points;

  for (gsize i = 0; i < problem->n_points; i++) {
    double distance2 = 0;

    if (!candidates->open[i])
      continue;
    for (int axis = 0; axis < 2; axis++) {
      const double middle = (cell->low[axis] + cell->high[axis]) / 2;
      const double apart = lac_placement_position(problem, i, axis) - middle;

      distance2 += apart * apart;
    }
    if (distance2 < least) {
      least = distance2;
      nearest = i;
    }
  }
  return nearest;
}

gsize
lac_cells_find_inside(const LacCandidates *candidates, const LacCell *cell, gsize *inside)
{
  const LacPlacementProblem *problem = candidates->problem;
  gsize                      n = 0;

  for (gsize i = 0; i < problem->n_points; i++) {
    gboolean within = candidates->open[i];

    for (int axis = 0; axis < 2; axis++) {
      const double at = lac_placement_position(problem, i, axis);

      within &= at >= cell->low[axis] && at <= cell->high[axis];
    }
    if (within)
      inside[n++] = i;
  }
  return n;
}
