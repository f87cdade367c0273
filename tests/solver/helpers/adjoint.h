/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A solver to test with, and the check that its way back is the transpose of its way forwards. */
#pragma once

#include "solver/solver.h"

typedef struct {
  LacDevice         device;
  LacPool          *pool;
  LacSolverSettings settings;
} Place;

/* A square of side 2 pi in double for four members; constants are left to the caller. */
void place_init(Place *place, const char *backend, guint n_threads, gsize side);
void place_clear(Place *place);

/* The numbers of a state at @place. */
gsize place_get_length(const Place *place, const LacSolver *solver);

/* <M x, y> = <x, M' y> for directions x of the state and of each parameter in turn, M x by differences. @state: a flow of
 * size 1, over which @n_steps are a small part of a turnover: the differences rest on that. */
void adjoint_check(const LacSolver *solver,
                   const Place     *place,
                   const double    *state,
                   const double    *parameters,
                   gsize            n_steps);
