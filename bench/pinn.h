/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The measured training step: a network for the plane Navier-Stokes equations. */
#pragma once

#include "graph/optimiser/optimiser.h"
#include "graph/program/program.h"

typedef struct {
  gsize        n_layers, width, n_points;
  LacType      type;
  guint        n_threads;
  gsize        tile_points; /* 0: chosen automatically */
  const char  *backend;     /* NULL: the processor */
  LacPrecision precision;   /* of matrix products on a device */
  guint        without;     /* LacWithout */
  LacPerf     *perf;        /* NULL: no recording */
} BenchPinnShape;

typedef struct {
  LacDevice     device;
  LacPool      *pool;
  LacGraph     *graph;
  LacNode       points, targets, loss;
  LacProgram   *program;
  LacOptimiser *optimiser;
  LacObjective  objective;
  double        flops; /* of the matrix products of one step */
} BenchPinn;

/* Inputs (x, y, t), outputs (u, v, p), streams value, d/dx, d/dy, d/dt and the Laplacian; the loss is mean(fx^2) +
 * mean(fy^2) + mean(div^2) + mean((u, v) - data)^2. Exits with a message on failure. */
void bench_pinn_init(BenchPinn *pinn, const BenchPinnShape *shape);
void bench_pinn_clear(BenchPinn *pinn);

/* Performs one Adam step. Returns: the loss before it. */
double bench_pinn_step(BenchPinn *pinn);
