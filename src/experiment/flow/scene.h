/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scene: an equation in a domain with its conditions, its truth and its defaults: one file each. The laboratory turns
 * every scene into an experiment and lets the engines loose on it. */
#pragma once

#include "base/rng.h"
#include "experiment/experiment.h"
#include "experiment/flow/truth.h"
#include "pde/pde.h"
#include "solver/solver.h"

G_BEGIN_DECLS

#define LAC_CASE_MAX_CONDITIONS 8
#define LAC_CASE_MAX_HOLES      8

/* A disc or polygon cut out of the domain. */
typedef struct {
  double  centre[2], radius; /* a disc; radius 0: the polygon */
  gsize   n_corners;
  double *corners; /* [n_corners][2], owned by the case */
} LacHole;

typedef struct _LacCase LacCase;

/* What holds on a part of the boundary, at the beginning, or in the mean: values of fields there. */
typedef struct {
  const char *name;    /* "initial values", "walls": the name of its loss term */
  guint       fields;  /* bit i: field i is given */
  gboolean    is_hard; /* held by LacCase.hard: its loss term is not needed */
  /* One random point of that part, [n_axes], and the values of all fields there (those not given are left alone). */
  void (*sample)(const LacCase *subject, LacRng *rng, double *x, double *values);
} LacCondition;

/* A scene with its parameters filled in: numbers only. */
struct _LacCase {
  const LacPde *pde;
  gboolean      steady;                                           /* the equation has no t */
  double        lower[LAC_PDE_MAX_AXES], upper[LAC_PDE_MAX_AXES]; /* as the axes of the equation */
  gboolean      periodic[LAC_PDE_MAX_AXES];
  gsize         n_holes;
  LacHole       holes[LAC_CASE_MAX_HOLES];

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
    judged_from; /* share of the observed times that does not count in the results: a filter begins knowing little */

  /* the forecast model; solver NULL: there is none */
  const LacSolver  *solver;
  LacSolverSettings model; /* device, pool, type and members are filled in by the engine */
  double            parameters[LAC_SOLVER_MAX_PARAMETERS]; /* of the truth */
  int               parameter_coefficient
    [LAC_SOLVER_MAX_PARAMETERS]; /* index of the coefficient that it is; -1: none */
  gsize steps_between;           /* solver steps from observation to observation */
  /* (optional): the solver's state, [n_fields][ny][nx], at the first observation, where the scene gives it. */
  void (*initial)(const LacCase *subject, double *state);
  guint
    sought; /* bit i: of that state, field i of the solver is looked for; the others are known */

  gconstpointer params; /* of the scene, for the callbacks */
  gconstpointer data;   /* LacScene.data, there before the case is configured */
};

typedef struct {
  const char *key, *text;
} LacDefault;

typedef struct {
  const char *name;    /* "taylor-green": the experiment's name */
  const char *title;   /* translatable */
  const char *summary; /* translatable, one sentence */
  const char *source;  /* paper and equation */
  const char *
    caution; /* (nullable), translatable: what this scene cannot tell, shown in the set-up and the report */

  LacParamTable params;   /* the scene's own rows */
  const char   *fields;   /* of the truth, "u,v,p": those of the equation, or the first of them */
  const char   *measured; /* what a sensor sees: "u,v" */
  const char   *engines;  /* those that start, first one first: "enkf,pod" */
  const char   *offered;  /* all that can work here */
  const LacDefault
             *defaults;  /* (nullable): of the shared rows in this scene; ends with a NULL key */
  const char *precision; /* what "auto" means */
  gboolean    is_default;
  gboolean is_open; /* nobody knows its truth: own measurements are needed, and they alone judge */
  gconstpointer data; /* of a scene that was made at run time */

  /* Conditions between parameters; row ranges are already checked. */
  gboolean (*check)(gconstpointer params, GError **error);
  /* Fills everything that is not 0. */
  void (*configure)(gconstpointer params, LacCase *subject);
  /* The truth, or what the named file says of it. Returns: %NULL with an error, also when cancelled. */
  LacTruth *(*truth)(gconstpointer     params,
                     const LacCase    *subject,
                     const LacContext *context,
                     GError          **error);
  /* (optional): the truth in closed form, as LacPde.exact: its residuals vanish or equal the sources, conditions and truth
   * agree with it: a test. @x: coordinates with a jet. No engine is shown it. */
  void (*exact)(const LacCase *subject, LacNode x, LacNode *fields);
  gboolean
    keeps_truth; /* it is costly, and the same bits whenever it is made of the same parameters, seed and precision */
  /* (optional): what making the truth costs, seconds and bytes. */
  void (*estimate)(gconstpointer params, double *seconds, double *bytes);
} LacScene;

const LacScene *const *lac_scenes(gsize *n_scenes);

/* hole.c: whether the place is cut out; and a random place on the rim. */
gboolean lac_hole_contains(const LacHole *hole, double x, double y);
double   lac_hole_get_rim(const LacHole *hole); /* its length */
void     lac_hole_sample_rim(const LacHole *hole, LacRng *rng, double *place);

G_END_DECLS
