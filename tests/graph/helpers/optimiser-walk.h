/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs an optimiser on a host function, on a device with separate memory. */
#pragma once

#include "graph/optimiser/optimiser.h"

#define WALK_MAX_N 200

/* An objective on the host behind device vectors. */
typedef struct {
  LacDevice device;
  gsize     n;
  double (*function)(const double *x, double *gradient, gsize n, gpointer data);
  gpointer data;
  guint    n_calls;
} WalkObjective;

typedef struct {
  WalkObjective objective;
  LacPool      *pool;
  gpointer      theta; /* device memory */
  LacOptimiser *optimiser;
} Walk;

/* Starts with the Rosenbrock function; another one may be set before the first step. */
void               walk_init(Walk                       *walk,
                             const LacOptimiserSettings *settings,
                             gsize                       n,
                             const double               *start,
                             guint                       n_threads);
void               walk_clear(Walk *walk);
LacOptimiserReport walk_step(Walk *walk);
void               walk_read(Walk *walk, double *theta);

double rosenbrock(const double *x, double *g, gsize n, gpointer data);
