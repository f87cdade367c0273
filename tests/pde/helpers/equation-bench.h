/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Residuals of equations at random points, for random fields or for exact ones. */
#pragma once

#include "pde/pde.h"

#define BENCH_N_POINTS 32

/* [n_axes] numbers a point, all in [low, low + 1] */
typedef struct {
  double low;
  guint  n_axes;
  double points[BENCH_N_POINTS * LAC_PDE_MAX_AXES];
} BenchPoints;

BenchPoints bench_points(guint n_axes, double low);

/* Coordinates with the jet of @pde, direction i along axis i. */
LacNode bench_seed(const LacPde *pde, LacNode leaf);

/* @fields: NULL: those of a small network with fixed weights, all of them positive. */
typedef void (*BenchFields)(const LacPde *pde, LacNode x, LacNode *fields);

/* @values: [n_residuals][BENCH_N_POINTS] with the test coefficients of @pde, as numbers or as nodes. */
void bench_residuals(const LacPde      *pde,
                     BenchFields        fields,
                     gboolean           are_nodes,
                     const BenchPoints *points,
                     double            *values);

/* @nodes: what @build makes of the leaf; @values: [n_nodes][BENCH_N_POINTS] */
typedef void (*BenchBuild)(gconstpointer data, LacNode leaf, LacNode *nodes);
void bench_evaluate(const BenchPoints *points,
                    BenchBuild         build,
                    gconstpointer      data,
                    guint              n_nodes,
                    double            *values);
