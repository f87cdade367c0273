/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registry of solvers; the build generates the list from the names in meson.build. */
#include "solver/solver.h"

#define LAC_SOLVER(id) extern const LacSolver lac_solver_##id;
#include "solver/solver-list.h"
#undef LAC_SOLVER

static const LacSolver *const solvers[] = {
#define LAC_SOLVER(id) &lac_solver_##id,
#include "solver/solver-list.h"
#undef LAC_SOLVER
  NULL};

const LacSolver *const *
lac_solvers(gsize *n_solvers)
{
  *n_solvers = G_N_ELEMENTS(solvers) - 1;
  return solvers;
}

const LacSolver *
lac_solver_find(const char *name)
{
  for (gsize i = 0; solvers[i]; i++)
    if (g_str_equal(solvers[i]->name, name))
      return solvers[i];
  return NULL;
}
