/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scene: an equation in a domain with its conditions, its truth and its defaults: one file each. The laboratory turns
 * every scene into an experiment and lets the methods loose on it. */
#pragma once

#include "experiment/experiment.h"
#include "experiment/flow/case.h"

G_BEGIN_DECLS

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
  const char   *methods;  /* those that start, first one first: "enkf,pod" */
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
   * agree with it: a test. @x: coordinates with a jet. No method is shown it. */
  void (*exact)(const LacCase *subject, LacNode x, LacNode *fields);
  gboolean
    keeps_truth; /* it is costly, and the same bits whenever it is made of the same parameters, seed and precision */
  /* (optional): what making the truth costs, seconds and bytes. */
  void (*estimate)(const LacCase *subject, double *seconds, double *bytes);
} LacScene;

const LacScene *const *lac_scenes(gsize *n_scenes);

/* A case without devices: what outline, check and estimate read. Cleared with lac_case_clear(). */
void lac_case_configure(LacCase *subject, const LacScene *scene, gconstpointer params);

G_END_DECLS
