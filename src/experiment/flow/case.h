/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A configured scene: an equation in a domain with its conditions, unknowns and forecast model. */
#pragma once

#include "experiment/flow/hole.h"
#include "experiment/flow/truth.h"
#include "pde/pde.h"
#include "solver/solver.h"

G_BEGIN_DECLS

#define LAC_CASE_MAX_CONDITIONS 8
#define LAC_CASE_MAX_HOLES      8

typedef struct _LacCase       LacCase;
typedef struct _LacExactScene LacExactScene;

/* Numbers that a condition may give at one point: the fields, then their first derivatives along each axis. */
#define LAC_CONDITION_VALUES             (LAC_PDE_MAX_FIELDS * (1 + LAC_PDE_MAX_AXES))
#define LAC_CONDITION_SLOPE(axis, field) ((1 + (axis)) * LAC_PDE_MAX_FIELDS + (field))

/* A boundary, initial or mean-value condition: values or slopes of fields on a part of the domain. */
typedef struct {
  const char *name;    /* name of its loss term: "initial values", "walls" */
  guint       fields;  /* bit i: field i is given */
  gboolean    is_hard; /* satisfied exactly by LacCase.hard: needs no loss term */
  /* Draws a random point of that part of the domain, [n_axes], and sets what is given there among @values,
   * [LAC_CONDITION_VALUES]; a condition without slopes needs the fields' alone. */
  void (*sample)(const LacCase *subject, LacRng *rng, double *x, double *values);
  guint
    slopes[LAC_PDE_MAX_AXES]; /* bit i: the first derivative of field i along the axis is given */
} LacCondition;

/* Reference solution by the scene's solver: truth/simulated.h. The training snapshots are a family of solutions, or
 * the earlier part of the same trajectory. */
typedef struct {
  gsize n_family;
  /* Without a family: number of intervals discarded first, and number of training snapshots that follow. */
  gsize n_lead, n_of_the_same;
  /* (optional): initial condition of all members, as LacCase.initial; NULL: 0. */
  void (*beginning)(const LacCase *subject, double *state);
  /* (optional): modifies the values that are specific to member @e. On entry @state holds the initial condition and
   * @parameters the parameters of the truth. The truth itself is the last member, @e = @n_family. */
  void (*member)(const LacCase *subject,
                 gsize          e,
                 gsize          n_family,
                 LacRng        *rng,
                 double        *state,
                 double        *parameters);
  /* Without a spread in the initial condition: integrates on a grid and with time steps finer by this factor, a power
   * of two; 0 or 1: on the grid and with the step of the methods, which are then an identical twin. */
  gsize  refinement;
  double cost_ns; /* solver time per point and step */
} LacSimulation;

/* Configuration of a scene: plain data that owns nothing but the corners of its holes. */
struct _LacCase {
  const LacPde *pde;
  gboolean      steady; /* the equation does not depend on t */
  gboolean
         without_equation; /* of the equation only the axes and the names of the fields are used */
  double lower[LAC_PDE_MAX_AXES],
    upper[LAC_PDE_MAX_AXES]; /* domain, in the order of the equation's axes */
  gboolean periodic[LAC_PDE_MAX_AXES];
  gsize    n_holes;
  LacHole  holes[LAC_CASE_MAX_HOLES];

  /* Mirror symmetry: reflected about the centre of this axis, field i is multiplied by parity[i] = 1 or -1; all 0: no
   * symmetry. */
  guint mirror;
  int   parity[LAC_PDE_MAX_FIELDS];

  double   coefficients[LAC_PDE_MAX_COEFFICIENTS]; /* true values of the equation's coefficients */
  gboolean unknown
    [LAC_PDE_MAX_COEFFICIENTS]; /* TRUE for coefficients to be estimated, from their guesses */
  gboolean positive[LAC_PDE_MAX_COEFFICIENTS]; /* TRUE for coefficients estimated as logarithms */
  double   guesses[LAC_PDE_MAX_COEFFICIENTS];

  gsize        n_conditions;
  LacCondition conditions[LAC_CASE_MAX_CONDITIONS];

  /* (optional): transforms the network's outputs so that hard conditions hold exactly. @x: [n_axes] columns with the
   * jet; @outputs: [n_fields] nodes with the jet, replaced in place. */
  void (*hard)(const LacCase *subject, LacNode x, LacNode *outputs);
  /* (optional): known right-hand sides of the residuals at @x, which has no jet; see LacPde.sources. */
  void (*sources)(const LacCase *subject, LacNode x, LacNode *sources);

  guint
           n_fields; /* number of fields of the truth, the first ones of the equation; filled in by the laboratory */
  gsize    n_points;     /* number of points of the spatial grid */
  gsize    n_times;      /* number of observation times */
  guint    view_fields;  /* bit i: field i is displayed */
  gboolean irrotational; /* potential flow: there is no vorticity to display */
  guint
    gauged; /* bit i: field i (pressure) is only defined up to a constant: its mean is removed before scoring */
  double
    scored_from; /* fraction of the observation times, from the start, left out of the scores: spin-up of the filter */

  /* forecast model; solver NULL: none */
  const LacSolver  *solver;
  LacSolverSettings model; /* device, pool, type and members are filled in by the method */
  double parameters[LAC_SOLVER_MAX_PARAMETERS]; /* true values of the solver's parameters */
  int    parameter_coefficient
    [LAC_SOLVER_MAX_PARAMETERS]; /* index of the coefficient that the solver parameter corresponds to; -1: none */
  gsize steps_between; /* solver steps between observations */
  /* (optional): sets the solver's state at the first observation, [n_fields][ny][nx], if the scene provides it. */
  void (*initial)(const LacCase *subject, double *state);
  const double *start; /* (nullable): a state given by the laboratory, for initial(); [n_start] */
  gsize         n_start;
  guint
    sought; /* bit i: solver field i of that initial state is unknown to the methods; the others are known */

  LacSimulation simulation;

  gconstpointer params; /* parameters of the scene, for the callbacks */
  const LacExactScene
               *exact; /* (nullable): the closed-form scene, for the callbacks of truth/exact.h */
  gconstpointer data;  /* LacScene.data, set before the case is configured */
};

/* Sets a coefficient whose value all methods are given. */
void lac_case_set_known(LacCase *subject, guint i, double value);

/* Sets a positive coefficient of the equation. If @unknown, the methods start from @guess times @value. */
void lac_case_set_sought(LacCase *subject, guint i, double value, gboolean unknown, double guess);

/* A periodic interval or square. The solver integrates it on the grid of the truth, and it is observed at equal
 * intervals. */
typedef struct {
  const char *solver;
  double      side;
  gint64      grid;                /* points per side */
  double      time_step, interval; /* interval is a multiple of time_step */
  gint64      observations;
} LacPeriodicCase;

/* Fills the members that follow from @periodic once the equation is set: axes, n_points, n_times, solver, model,
 * steps_between. */
void lac_case_set_periodic(LacCase *subject, const LacPeriodicCase *periodic);

/* Lists the unknown parameters of the solver. Returns: their number. */
guint lac_case_list_unknowns(const LacCase *subject, guint *unknowns);

/* Returns the index of the first space axis. */
guint lac_case_first_axis(const LacCase *subject);

/* Returns TRUE in one space dimension: a plane then shows all times at once. */
gboolean lac_case_is_line(const LacCase *subject);

/* Sets the cell coordinates of the scene's grid and the observation times. */
void lac_case_place_grid(const LacCase *subject, LacTruth *truth);

void lac_case_clear(LacCase *subject);

G_END_DECLS
