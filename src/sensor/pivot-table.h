/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is left of every point outside of the chosen directions, in single precision between bounds, chunk by chunk and only as
 * far as it must be known. For sensor/pivot.c alone. */
#pragma once

#include "sensor/candidates.h"
#include "sensor/pivot-loops.h"

G_BEGIN_DECLS

typedef struct {
  const LacPlacementProblem *problem;
  const LacCandidates       *candidates;
  const LacPivotLoops       *loops;
  gsize                      n_chunks;
  float                     *rows;    /* [n_chunks][n_components][n_modes][LAC_PIVOT_CHUNK] */
  float                     *left;    /* [n_chunks][LAC_PIVOT_CHUNK]: squared norms */
  float                     *margins; /* likewise: the truth is within left +- margin */
  double                    *units;   /* [n_chunks]: of left and margins */
  gsize                     *applied; /* [n_chunks]: directions taken out so far */
  double                    *highest,
    *lowest; /* [n_chunks]: bounds of the best score of an open point, when last looked at */
  double *directions;           /* [n_modes][n_modes], the first n_directions orthonormal */
  float  *narrow;               /* [n_modes + LAC_PIVOT_BATCH][n_modes]: the same, zero beyond */
  gsize n_directions, n_packed; /* n_packed: how many were taken out before the rows were packed */
} LacPivotTable;

void lac_pivot_table_init(LacPivotTable *table, const LacCandidates *candidates);
void lac_pivot_table_clear(LacPivotTable *table);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacPivotTable, lac_pivot_table_clear)

/* Norm of what is left, less the cost; without costs its square, which orders alike and keeps ties. */
double lac_pivot_score(const LacPlacementProblem *problem, gsize point, double left);

/* The part of component @c of @point outside of the directions, in double precision. @rest: (out): [n_modes].
 * Returns: its squared norm; 0 where nothing but rounding is left. */
double lac_pivot_table_project(const LacPivotTable *table, gsize point, gsize c, double *rest);

/* Adds what is left of @point as directions. */
void lac_pivot_table_add(LacPivotTable *table, gsize point);

/* Brings the chunks up to date that can hold the best open point. Returns: a lower bound of its score. */
double lac_pivot_table_look(LacPivotTable *table);

/* Packs what is left anew, for when the bounds have become wide compared with it. */
void lac_pivot_table_repack(LacPivotTable *table);

G_END_DECLS
