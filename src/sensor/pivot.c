/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pivoted selection, one pass over the points per direction: rows are never updated, only how much of each is left. The
 * directions are kept orthonormal in the small space of the modes. */
#include "sensor/pivot.h"

#include "sensor/information.h"

#include <math.h>
#include <string.h>

#define RECOMPUTE 1e-3 /* of the start: below it the running difference has lost digits */

typedef struct {
  gsize   n_modes, n_rows; /* rows: components x points */
  double *rows;            /* [n_rows][n_modes] */
  double *left;            /* [n_rows]: squared norm outside of the directions */
  double *start;           /* [n_rows] */
  double *directions;      /* [n_directions][n_modes], orthonormal */
  gsize   n_directions;
} Selection;

static double
inner(const double *a, const double *b, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* The part of a row outside of the directions, twice over for orthogonality. Returns: its squared norm. */
static double
project_out(const Selection *selection, gsize row, double *rest)
{
  const gsize n = selection->n_modes;

  memcpy(rest, selection->rows + row * n, n * sizeof *rest);
  for (int pass = 0; pass < 2; pass++)
    for (gsize d = 0; d < selection->n_directions; d++) {
      const double *direction = selection->directions + d * n;
      const double  along = inner(rest, direction, n);

      for (gsize i = 0; i < n; i++)
        rest[i] -= along * direction[i];
    }
  return inner(rest, rest, n);
}

/* Adds the rest of @row as a direction and takes it from all rows. */
static void
remove_row(Selection *selection, gsize row)
{
  const gsize n = selection->n_modes;
  double     *direction = selection->directions + selection->n_directions * n;
  double      norm;

  if (selection->n_directions == n)
    return;
  norm = sqrt(project_out(selection, row, direction));
  if (norm <= 1e-10 * sqrt(selection->start[row]))
    return;
  for (gsize i = 0; i < n; i++)
    direction[i] /= norm;
  selection->n_directions++;
  for (gsize j = 0; j < selection->n_rows; j++) {
    const double along = inner(selection->rows + j * n, direction, n);

    selection->left[j] -= along * along;
    if (selection->left[j] < RECOMPUTE * selection->start[j]) {
      double *rest = selection->directions + n * n; /* one spare row */

      selection->left[j] = project_out(selection, j, rest);
    }
  }
}

static void
begin(Selection *selection, const double *modes, gsize n_modes, gsize n_rows)
{
  selection->n_modes = n_modes;
  selection->n_rows = n_rows;
  selection->n_directions = 0;
  selection->rows = g_new(double, n_rows *n_modes);
  selection->left = g_new(double, n_rows);
  selection->start = g_new(double, n_rows);
  selection->directions = g_new0(double, (n_modes + 1) * n_modes);
  for (gsize j = 0; j < n_rows; j++) {
    for (gsize r = 0; r < n_modes; r++)
      selection->rows[j * n_modes + r] = modes[r * n_rows + j];
    selection->start[j] = selection->left[j] =
      inner(selection->rows + j * n_modes, selection->rows + j * n_modes, n_modes);
  }
}

static void
end(Selection *selection)
{
  g_free(selection->rows);
  g_free(selection->left);
  g_free(selection->start);
  g_free(selection->directions);
}

static gsize
find_best(const Selection *selection, const LacCandidates *candidates)
{
  const LacPlacementProblem *problem = candidates->problem;
  double                     most = -INFINITY;
  gsize                      best = problem->n_points;

  for (gsize i = 0; i < problem->n_points; i++) {
    double left = 0;

    if (!candidates->open[i])
      continue;
    for (gsize c = 0; c < problem->n_components; c++)
      left += selection->left[c * problem->n_points + i];
    if (problem->cost)
      left = sqrt(MAX(left, 0)) - problem->cost[i];
    if (left > most) {
      most = left;
      best = i;
    }
  }
  return best;
}

gboolean
lac_pivot_choose(const LacPlacementProblem *problem, gsize *places, gsize n_sensors, GError **error)
{
  g_auto(LacCandidates) candidates = {0};
  Selection             selection;
  gboolean              good = TRUE;

  if (!lac_candidates_init(&candidates, problem, places, n_sensors, error))
    return FALSE;
  begin(&selection, problem->modes, problem->n_modes, problem->n_components * problem->n_points);
  while (good && candidates.n_taken < n_sensors && selection.n_directions < problem->n_modes) {
    const gsize before = selection.n_directions, best = find_best(&selection, &candidates);

    good = lac_candidates_take(&candidates, best, error);
    for (gsize c = 0; good && c < problem->n_components; c++)
      remove_row(&selection, c * problem->n_points + best);
    if (selection.n_directions == before)
      break;
  }
  end(&selection);
  return good && lac_greedy_choose(&candidates, NULL, LAC_CRITERION_LOG_DET, error);
}
