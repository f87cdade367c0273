/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A solver set-up for tests, and the check that its reverse pass is the transpose of the forward pass. */
#pragma once

#include "solver/solver.h"

typedef struct {
  LacDevice         device;
  LacPool          *pool;
  LacSolverSettings settings;
} Place;

/* Sets up a square of side 2 pi in double for four members; the caller sets the constants. */
void place_init(Place *place, const char *backend, guint n_threads, gsize side);
void place_clear(Place *place);

/* Returns the number of values per state at @place. */
gsize place_get_length(const Place *place, const LacSolver *solver);

/* Checks <M x, y> = <x, M' y> for directions x of the state and of each parameter in turn, M x by differences.
 * @state: a flow of magnitude 1 for which @n_steps are a small part of a turnover time, as the differences require. */
void adjoint_check(const LacSolver *solver,
                   const Place     *place,
                   const double    *state,
                   const double    *parameters,
                   gsize            n_steps);
