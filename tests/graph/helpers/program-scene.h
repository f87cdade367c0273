/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A network with an equation and data, as a graph that programs are made of. */
#pragma once

#include "base/rng.h"
#include "graph/program/program.h"

/* A network u(x) with an equation on one set of points and data on another. */
typedef struct {
  gsize    n_points, n_data, width;
  guint    depth;
  gboolean fused; /* layer, or linear then map */
  LacJet   jet;
  double   directions[9];
  gsize    n_columns; /* columns of the points */
} ProgramShape;

typedef struct {
  LacDevice device;
  LacGraph *graph;
  LacNode   points, data, wanted, weight, residual, value, misfit, equation, loss;
  gsize     n_parameters;
  double   *theta, *at, *at_data, *values, *weights;
} ProgramScene;

/* 203 points with two first derivatives, 37 with data, three layers of 9. */
ProgramShape shape_small(void);

/* r = u_0 + u u_0 - 0.1 laplacian u, weighted; misfit of the value on the second set with a plain jet */
void scene_init(ProgramScene *scene, const ProgramShape *shape, const char *backend);
void scene_clear(ProgramScene *scene);

/* Returns a program for loss, residual and value, with theta and all inputs set. */
LacProgram *scene_new_program(ProgramScene *scene, const LacProgramOptions *options);

/* Returns: the loss. */
double program_run(LacProgram *program);
/* Reads either type, as doubles. */
void program_read_gradient(LacProgram *program, double *gradient);

/* Returns: (transfer full): uniform numbers from @low to @high. */
double *draw_numbers(LacRng *rng, gsize n, double low, double high);
