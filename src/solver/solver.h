/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Common interface of the time-stepping solvers: used for reference solutions, ensemble forecasts and, where
 * reversible, adjoint gradients. Each solver is one row of the registry; states are fields on a uniform grid.
 *
 * A state is [n_fields][ny][nx] in double, row = y; ny = 1 in one dimension. A solver may use its own representation
 * of the state within a call, never between calls. */
#pragma once

#include "backend/registry.h"
#include "base/pool.h"
#include "perf/recorder/perf.h"

#include <glib.h>

G_BEGIN_DECLS

#define LAC_SOLVER_MAX_FIELDS     4
#define LAC_SOLVER_MAX_PARAMETERS 4
#define LAC_SOLVER_MAX_CONSTANTS  12

typedef struct {
  LacDevice device;
  LacPool  *pool;      /* borrowed; members are distributed over its threads */
  LacType   type;      /* internal precision; reverse() computes in double */
  LacPerf  *perf;      /* borrowed; NULL: nothing is recorded */
  LacLane  *lane;      /* lane of the calling thread */
  gsize     nx, ny;    /* grid points; ny = 1 in one dimension */
  double    length[2]; /* lengths of the domain along x and y */
  double    time_step;
  gsize     n_members;   /* maximum number of members passed to advance() */
  gboolean  is_reversed; /* reverse() is called too: it needs memory */
  double    constants[LAC_SOLVER_MAX_CONSTANTS];
} LacSolverSettings;

/* An invariant, as "energy" or "mass", also monitored in runs. A test checks its conservation in LacSolver.example. */
typedef struct {
  const char *name;
  const char *unit;
  gboolean    is_ideal; /* conserved only with all parameters at 0 */
  double (*value)(gconstpointer solver, const double *state);
} LacInvariant;

typedef struct _LacSolver LacSolver;

struct _LacSolver {
  const char *name;    /* "navier-stokes-2d" */
  const char *formula; /* human-readable: "u_t = -advection u u_x + viscosity u_xx" */
  const char *source;  /* paper or book */
  guint       n_axes;  /* space dimensions: 1 or 2 */
  guint       order;   /* of the time stepping, verified by a test; 0: exact */
  guint       n_fields;
  const char *fields[LAC_SOLVER_MAX_FIELDS]; /* "u", "v" */
  guint
                      n_parameters; /* scalars of the equation, separate for each member: unknowns of an inverse problem */
  const char         *parameters[LAC_SOLVER_MAX_PARAMETERS];
  guint               n_constants; /* constants of the set-up */
  const char         *constants[LAC_SOLVER_MAX_CONSTANTS];
  const LacInvariant *invariants;
  gsize               n_invariants;

  /* Set-up of the contract test: a small grid with a length, a time step, constants, parameters, and a smooth @state
   * of magnitude 1 (if not NULL) in [n_fields][ny][nx]. The invariants are conserved here, and 40 steps are at most
   * one turnover time. */
  void (*example)(LacSolverSettings *settings, double *parameters, double *state);

  gboolean on_host;    /* steps on the processor with every device: too little work for one */
  gboolean has_single; /* FALSE: advance() computes in double whatever the settings' type */

  gconstpointer equation; /* distinguishes rows that share their callbacks */

  /* Returns: %NULL with an error: unsupported grid or constant, or out of memory. */
  gpointer (*create)(const LacSolver *row, const LacSolverSettings *settings, GError **error);
  void (*destroy)(gpointer solver);

  /* Advances all members in place by @n_steps. @states: [n_members][n_fields][ny][nx]; @parameters:
   * [n_members][n_parameters]. Does not allocate; bitwise equal for any number of threads. The caller checks for
   * non-finite values. */
  gboolean (*advance)(gpointer      solver,
                      double       *states,
                      gsize         n_members,
                      const double *parameters,
                      gsize         n_steps,
                      GError      **error);

  /* (optional): the transposed derivative (adjoint) of advance() for one state, in double. @state: before the steps.
   * @state_bar: in: gradient with respect to the final state; out: with respect to the initial state.
   * @parameters_bar: [n_parameters], accumulated. Recomputes the trajectory from checkpoints; does not allocate. Only with settings->is_reversed. */
  gboolean (*reverse)(gpointer      solver,
                      const double *state,
                      const double *parameters,
                      gsize         n_steps,
                      double       *state_bar,
                      double       *parameters_bar,
                      GError      **error);

  /* Returns the largest stable and accurate time step at @state, for settings checks and warnings; INFINITY: no
   * limit. */
  double (*largest_step)(gconstpointer solver, const double *state, const double *parameters);

  gsize (*bytes)(gconstpointer solver);
  double (*flops)(gconstpointer solver); /* floating-point operations per step and member */
};

const LacSolver *const *lac_solvers(gsize *n_solvers);

/* Returns: (nullable): the solver named @name. */
const LacSolver *lac_solver_find(const char *name);

G_END_DECLS
