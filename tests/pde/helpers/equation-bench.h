/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Residuals of equations at random points, for random or exact fields. */
#pragma once

#include "pde/pde.h"

#define BENCH_N_POINTS 32

/* [n_axes] coordinates per point, all in [low, low + 1] */
typedef struct {
  double low;
  guint  n_axes;
  double points[BENCH_N_POINTS * LAC_PDE_MAX_AXES];
} BenchPoints;

BenchPoints bench_points(guint n_axes, double low);

/* Builds coordinates with the jet of @pde, direction i along axis i. */
LacNode bench_seed(const LacPde *pde, LacNode leaf);

/* @fields: NULL: a small network with fixed, positive weights. */
typedef void (*BenchFields)(const LacPde *pde, LacNode x, LacNode *fields);

/* @values: [n_residuals][BENCH_N_POINTS] with the test coefficients of @pde, as numbers or nodes. */
void bench_residuals(const LacPde      *pde,
                     BenchFields        fields,
                     gboolean           are_nodes,
                     const BenchPoints *points,
                     double            *values);

/* @nodes: made by @build from the leaf; @values: [n_nodes][BENCH_N_POINTS] */
typedef void (*BenchBuild)(gconstpointer data, LacNode leaf, LacNode *nodes);
void bench_evaluate(const BenchPoints *points,
                    BenchBuild         build,
                    gconstpointer      data,
                    guint              n_nodes,
                    double            *values);
