/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pivoted selection. Single precision excludes nearly all points; the few remaining ones are compared in double
 * precision, each by the residual of its own rows, so that the choice depends neither on threads nor on the order of
 * updates. */
#include "sensor/pivot.h"

#include "sensor/information.h"
#include "sensor/pivot-table.h"

#include <math.h>

#define WIDE 0.01 /* margin relative to the residual: above it the bounds admit too many points */

typedef struct {
  gsize  point;
  double score, left;
} Best;

static gboolean
is_possible(const LacPivotTable *table, gsize chunk, double least)
{
  return table->applied[chunk] == table->n_directions && table->highest[chunk] >= least;
}

/* Returns an upper bound of the score of a point. */
static double
find_most(const LacPivotTable *table, gsize chunk, gsize point)
{
  const double most = (double) table->left[point] + (double) table->margins[point];

  return table->units[chunk] * MAX(most, 0);
}

static gboolean
is_wide(const LacPivotTable *table, double least)
{
  const LacPlacementProblem *problem = table->problem;
  double                     highest = -(double) INFINITY;
  gboolean                   wide = FALSE;

  for (gsize chunk = 0; chunk < table->n_chunks; chunk++) {
    const gsize begin = chunk * LAC_PIVOT_CHUNK;

    if (!is_possible(table, chunk, least))
      continue;
    for (gsize i = begin; i < MIN(begin + LAC_PIVOT_CHUNK, problem->n_points); i++) {
      const double score = lac_pivot_score(problem, i, find_most(table, chunk, i));

      if (!table->candidates->open[i] || !(score > highest))
        continue;
      highest = score;
      wide = (double) table->margins[i] > WIDE * (double) table->left[i];
    }
  }
  return wide;
}

/* Returns the best of the open points whose bound reaches @least; ties go to the smallest index. */
static Best
find_best(const LacPivotTable *table, double least, double *rest)
{
  const LacPlacementProblem *problem = table->problem;
  Best                       best = {problem->n_points, -(double) INFINITY, 0};

  for (gsize chunk = 0; chunk < table->n_chunks; chunk++) {
    const gsize begin = chunk * LAC_PIVOT_CHUNK;

    if (!is_possible(table, chunk, least))
      continue;
    for (gsize i = begin; i < MIN(begin + LAC_PIVOT_CHUNK, problem->n_points); i++) {
      const double most = find_most(table, chunk, i);
      double       left = 0, score;

      if (!table->candidates->open[i] || lac_pivot_score(problem, i, most) < least)
        continue;
      for (gsize c = 0; most > 0 && c < problem->n_components; c++)
        left += lac_pivot_table_project(table, i, c, rest);
      score = lac_pivot_score(problem, i, left);
      if (lac_candidates_is_better(score, best.score))
        best = (Best){i, score, left};
    }
  }
  return best;
}

/* Returns: FALSE with an error; TRUE also when no residual is left. */
static gboolean
choose_pivots(LacCandidates *candidates, GError **error)
{
  const gsize           r = candidates->problem->n_modes;
  g_auto(LacPivotTable) table = {0};
  g_autofree double    *rest = g_new(double, MAX(r, 1));

  lac_pivot_table_init(&table, candidates);
  while (candidates->n_taken < candidates->n_sensors && table.n_directions < r) {
    double least = lac_pivot_table_look(&table);
    Best   best;

    if (table.n_packed < table.n_directions && is_wide(&table, least)) {
      lac_pivot_table_repack(&table);
      least = lac_pivot_table_look(&table);
    }
    best = find_best(&table, least, rest);
    if (!(best.left > 0))
      return TRUE;
    if (!lac_candidates_take(candidates, best.point, error))
      return FALSE;
    lac_pivot_table_add(&table, best.point);
  }
  return TRUE;
}

gboolean
lac_pivot_choose(const LacPlacementProblem *problem, gsize *places, gsize n_sensors, GError **error)
{
  g_auto(LacCandidates) candidates = {0};

  return lac_candidates_init(&candidates, problem, places, n_sensors, error) &&
         choose_pivots(&candidates, error) &&
         lac_greedy_choose(&candidates, NULL, LAC_CRITERION_LOG_DET, error);
}
