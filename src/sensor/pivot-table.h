/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Residual rows of all points after projecting out the chosen directions, in single precision with error bounds.
 * Chunks are updated only as far as the selection needs. Used only by sensor/pivot.c. */
#pragma once

#include "sensor/candidates.h"
#include "sensor/pivot-loops.h"

G_BEGIN_DECLS

typedef struct {
  const LacPlacementProblem *problem;
  const LacCandidates       *candidates;
  const LacPivotLoops       *loops;
  gsize                      n_chunks;
  float                     *rows; /* [n_chunks][n_components][n_modes][LAC_PIVOT_CHUNK] */
  float                     *left; /* [n_chunks][LAC_PIVOT_CHUNK]: squared residual norms */
  float  *margins; /* [n_chunks][LAC_PIVOT_CHUNK]: the exact value is within left +- margin */
  double *units;   /* [n_chunks]: unit of left and margins */
  gsize  *applied; /* [n_chunks]: directions projected out so far */
  double *highest,
    *lowest; /* [n_chunks]: bounds of the best score of an open point, as of the last update */
  double *directions; /* [n_modes][n_modes], the first n_directions orthonormal */
  float
    *narrow; /* [n_modes + LAC_PIVOT_BATCH][n_modes]: the same in single precision, zero-padded */
  gsize n_directions, n_packed; /* n_packed: directions projected out before the rows were packed */
} LacPivotTable;

void lac_pivot_table_init(LacPivotTable *table, const LacCandidates *candidates);
void lac_pivot_table_clear(LacPivotTable *table);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacPivotTable, lac_pivot_table_clear)

/* Returns the residual norm minus the cost; without costs the squared norm, which gives the same order and preserves
 * ties. */
double lac_pivot_score(const LacPlacementProblem *problem, gsize point, double left);

/* Computes the residual of component @c of @point in double precision. @rest: (out): [n_modes]. Returns: its squared
 * norm; 0 if only rounding is left. */
double lac_pivot_table_project(const LacPivotTable *table, gsize point, gsize c, double *rest);

/* Appends the residuals of @point, normalised, as directions. */
void lac_pivot_table_add(LacPivotTable *table, gsize point);

/* Updates the chunks that may contain the best open point. Returns: a lower bound of its score. */
double lac_pivot_table_look(LacPivotTable *table);

/* Repacks the residuals when their error bounds have become wide relative to the residuals. */
void lac_pivot_table_repack(LacPivotTable *table);

G_END_DECLS
