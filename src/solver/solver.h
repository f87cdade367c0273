/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A time-stepping solver behind one face: what makes truths, carries ensembles and, where it can run backwards, is
 * differentiated through. One row of the registry; states are fields on a uniform grid.
 *
 * A state is [n_fields][ny][nx] in double, row = y; ny = 1 in one dimension. A solver may keep its own form of the state
 * inside a call, never between calls. */
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
  LacPool  *pool;      /* borrowed; members are dealt to its threads */
  LacType   type;      /* of the arithmetic inside; reverse() computes in double */
  LacPerf  *perf;      /* borrowed; NULL: nothing is recorded */
  LacLane  *lane;      /* of the calling thread */
  gsize     nx, ny;    /* grid points; ny = 1 in one dimension */
  double    length[2]; /* of the domain along x and y */
  double    time_step;
  gsize     n_members; /* most that advance() is called with */
  double    constants[LAC_SOLVER_MAX_CONSTANTS];
} LacSolverSettings;

/* Something that the equation of the example below keeps, to be watched: "energy", "mass"; a test holds it. */
typedef struct {
  const char *name;
  const char *unit;
  gboolean    is_ideal; /* kept only with all parameters at 0 */
  double (*value)(gconstpointer solver, const double *state);
} LacInvariant;

typedef struct _LacSolver LacSolver;

struct _LacSolver {
  const char *name;    /* "navier-stokes-2d" */
  const char *formula; /* as a person writes it */
  const char *source;  /* paper, section */
  guint       n_axes;  /* of space: 1 or 2 */
  guint       order;   /* of the time steps: a test measures it; 0: they are exact */
  guint       n_fields;
  const char *fields[LAC_SOLVER_MAX_FIELDS]; /* "u", "v" */
  guint       n_parameters; /* scalars of the equation, each member its own: what a run may seek */
  const char *parameters[LAC_SOLVER_MAX_PARAMETERS];
  guint       n_constants; /* fixed numbers of the set-up */
  const char *constants[LAC_SOLVER_MAX_CONSTANTS];
  const LacInvariant *invariants;
  gsize               n_invariants;

  /* What the contract test runs: a small grid with a length, a time step, constants, parameters, and a smooth @state of
   * size 1 (where not NULL) in [n_fields][ny][nx]. The invariants are kept here, and 40 steps are no more than a turnover. */
  void (*example)(LacSolverSettings *settings, double *parameters, double *state);

  gconstpointer equation; /* what tells rows apart that share their callbacks */

  /* Returns: %NULL with an error: a grid or number that it cannot take, no memory. */
  gpointer (*create)(const LacSolver *row, const LacSolverSettings *settings, GError **error);
  void (*destroy)(gpointer solver);

  /* Advances all members in place by @n_steps. @states: [n_members][n_fields][ny][nx]; @parameters:
   * [n_members][n_parameters]; @step: goes into the records. Does not allocate; the same bits for any number of threads.
   * Numbers that are no longer finite are left to the caller to find. */
  gboolean (*advance)(gpointer      solver,
                      double       *states,
                      gsize         n_members,
                      const double *parameters,
                      gsize         n_steps,
                      GError      **error);

  /* (optional): the transposed derivative of advance() for one state, in double. @state: before the steps.
   * @state_bar: in: derivative of a function of the state after; out: of the state before. @parameters_bar:
   * [n_parameters], added to. Recomputes the trajectory from checkpoints; does not allocate. */
  gboolean (*reverse)(gpointer      solver,
                      const double *state,
                      const double *parameters,
                      gsize         n_steps,
                      double       *state_bar,
                      double       *parameters_bar,
                      GError      **error);

  /* The largest stable and accurate time step at @state: what a settings check and a warning read; INFINITY: no limit. */
  double (*largest_step)(gconstpointer solver, const double *state, const double *parameters);

  gsize (*bytes)(gconstpointer solver);
  double (*flops)(gconstpointer solver); /* of one step of one member */
};

const LacSolver *const *lac_solvers(gsize *n_solvers);

/* Returns: (nullable): the solver of that name. */
const LacSolver *lac_solver_find(const char *name);

G_END_DECLS
