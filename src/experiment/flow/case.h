/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scene with its parameters filled in: an equation in a domain, what holds there, what is unknown, and the forecast model. */
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

/* What holds on a part of the boundary, at the beginning, or in the mean: values of fields there. */
typedef struct {
  const char *name;    /* "initial values", "walls": the name of its loss term */
  guint       fields;  /* bit i: field i is given */
  gboolean    is_hard; /* held by LacCase.hard: its loss term is not needed */
  /* One random point of that part, [n_axes], and the values of all fields there (those not given are left alone). */
  void (*sample)(const LacCase *subject, LacRng *rng, double *x, double *values);
} LacCondition;

/* How a truth comes from the scene's solver: truth/simulated.h. What trains is a family, or the earlier part of the same
 * trajectory. */
typedef struct {
  gsize n_family;
  /* Without a family: intervals that are thrown away, then snapshots that train. */
  gsize n_lead, n_of_the_same;
  /* (optional): how all members begin, as LacCase.initial; NULL: at 0. */
  void (*beginning)(const LacCase *subject, double *state);
  /* (optional): what is member @e's own: @state is the beginning, @parameters are the truth's. The truth, @e = @n_family, is
   * the last. */
  void (*member)(const LacCase *subject,
                 gsize          e,
                 gsize          n_family,
                 LacRng        *rng,
                 double        *state,
                 double        *parameters);
  double cost_ns; /* of a point and step */
} LacSimulation;

/* Numbers only. */
struct _LacCase {
  const LacPde *pde;
  gboolean      steady;                                           /* the equation has no t */
  double        lower[LAC_PDE_MAX_AXES], upper[LAC_PDE_MAX_AXES]; /* as the axes of the equation */
  gboolean      periodic[LAC_PDE_MAX_AXES];
  gsize         n_holes;
  LacHole       holes[LAC_CASE_MAX_HOLES];

  /* Reflected about the middle of this axis, field i is parity[i] = 1 or -1 times itself; all 0: there is no mirror. */
  guint mirror;
  int   parity[LAC_PDE_MAX_FIELDS];

  double   coefficients[LAC_PDE_MAX_COEFFICIENTS]; /* of the truth */
  gboolean unknown[LAC_PDE_MAX_COEFFICIENTS];      /* to be found, from guesses */
  gboolean positive[LAC_PDE_MAX_COEFFICIENTS];     /* sought as a logarithm */
  double   guesses[LAC_PDE_MAX_COEFFICIENTS];

  gsize        n_conditions;
  LacCondition conditions[LAC_CASE_MAX_CONDITIONS];

  /* (optional): what the network's outputs become so that hard conditions hold exactly. @x: [n_axes] columns with the
   * jet; @outputs: [n_fields] nodes with it, replaced in place. */
  void (*hard)(const LacCase *subject, LacNode x, LacNode *outputs);
  /* (optional): known right-hand sides of the residuals at plain @x, as LacPde.sources. */
  void (*sources)(const LacCase *subject, LacNode x, LacNode *sources);

  guint    n_fields; /* of the truth: the first ones of the equation; filled in by the laboratory */
  gsize    n_points; /* of the grid in space */
  gsize    n_times;  /* observed */
  guint    view_fields;  /* bit i: field i is shown */
  gboolean irrotational; /* the velocity has a potential: there is no vorticity to show */
  guint
    gauged; /* bit i: field i is known up to a constant alone (pressure): means are taken out before it is judged */
  double
    scored_from; /* share of the observed times that does not count in the results: a filter begins knowing little */

  /* the forecast model; solver NULL: there is none */
  const LacSolver  *solver;
  LacSolverSettings model; /* device, pool, type and members are filled in by the method */
  double            parameters[LAC_SOLVER_MAX_PARAMETERS]; /* of the truth */
  int               parameter_coefficient
    [LAC_SOLVER_MAX_PARAMETERS]; /* index of the coefficient that it is; -1: none */
  gsize steps_between;           /* solver steps from observation to observation */
  /* (optional): the solver's state, [n_fields][ny][nx], at the first observation, where the scene gives it. */
  void (*initial)(const LacCase *subject, double *state);
  guint
    sought; /* bit i: of that state, field i of the solver is looked for; the others are known */

  LacSimulation simulation;

  gconstpointer        params; /* of the scene, for the callbacks */
  const LacExactScene *exact;  /* (nullable): for them too: truth/exact.h */
  gconstpointer        data;   /* LacScene.data, there before the case is configured */
};

/* A coefficient that all methods are told. */
void lac_case_set_known(LacCase *subject, guint i, double value);

/* A positive coefficient of the equation, sought from @guess times its value where it is unknown. */
void lac_case_set_sought(LacCase *subject, guint i, double value, gboolean unknown, double guess);

/* A ring or square that its solver moves on the grid of the truth, observed at equal intervals. */
typedef struct {
  const char *solver;
  double      side;
  gint64      grid;                /* points a side */
  double      time_step, interval; /* a multiple of it */
  gint64      observations;
} LacPeriodicCase;

/* Fills what follows from @periodic, after the equation: axes, n_points, n_times, solver, model, steps_between. */
void lac_case_set_periodic(LacCase *subject, const LacPeriodicCase *periodic);

/* The solver's parameters that are to be found. Returns: how many. */
guint lac_case_list_unknowns(const LacCase *subject, guint *unknowns);

/* The number of the first axis of space. */
guint lac_case_first_axis(const LacCase *subject);

/* Whether space has one dimension: then a plane shows all times at once. */
gboolean lac_case_is_line(const LacCase *subject);

/* Where the cells of the scene's grid lie, and at what times it is observed. */
void lac_case_place_grid(const LacCase *subject, LacTruth *truth);

void lac_case_clear(LacCase *subject);

G_END_DECLS
