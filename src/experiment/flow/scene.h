/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenes: an equation in a domain with its conditions, true field and defaults; one file each. The laboratory turns
 * every scene into an experiment that runs the methods on it. */
#pragma once

#include "experiment/experiment.h"
#include "experiment/flow/case.h"

G_BEGIN_DECLS

typedef struct {
  const char *key, *text;
} LacDefault;

typedef struct {
  const char *name;    /* name of the experiment: "taylor-green" */
  const char *title;   /* translatable */
  const char *summary; /* translatable, one sentence */
  const char *source;  /* paper and equation */
  const char *
    caution; /* (nullable), translatable: limits of this scene, shown in the set-up and the report */

  LacParamTable params; /* the scene's own parameters */
  const char
    *fields; /* fields of the truth, "u,v,p": all fields of the equation, or the first of them */
  const char *measured; /* fields measured by the sensors: "u,v" */
  const char *methods;  /* default methods, in order: "enkf,pod" */
  const char *offered;  /* all applicable methods */
  const LacDefault
             *defaults;  /* (nullable): defaults of the shared rows; terminated by a NULL key */
  const char *precision; /* precision selected by "auto" */
  gboolean    is_default;
  gboolean
    is_open; /* the truth is unknown: user measurements are required and are the only reference */
  gconstpointer data; /* private data of a scene made at run time */

  /* Checks conditions between parameters; row ranges are already checked. */
  gboolean (*check)(gconstpointer params, GError **error);
  /* Sets all members of @subject that do not stay 0. */
  void (*configure)(gconstpointer params, LacCase *subject);
  /* Makes the truth, or takes it from a file in context->inputs. Returns: %NULL with an error, also when cancelled. */
  LacTruth *(*truth)(gconstpointer     params,
                     const LacCase    *subject,
                     const LacContext *context,
                     GError          **error);
  /* (optional): computes the truth in closed form, see LacPde.exact. Its residuals vanish or equal the sources, and
   * it agrees with the conditions and the truth (tested). @x: coordinates with a jet. Not accessible to methods. */
  void (*exact)(const LacCase *subject, LacNode x, LacNode *fields);
  /* (optional): checks data that would be the truth, whichever of @field and @points its row takes; truth() checks the
   * same. Returns: %FALSE with %LAC_ERROR_BAD_FILE naming what contradicts the scene. */
  gboolean (*agrees)(gconstpointer          params,
                     const LacCase         *subject,
                     const LacGridField    *field,
                     const LacMeasurements *points,
                     GError               **error);
  gboolean
    keeps_truth; /* the truth is costly to compute, and bitwise reproducible from parameters, seed and precision: cache it */
  /* (optional): estimates the cost of making the truth, seconds and bytes. */
  void (*estimate)(const LacCase *subject, double *seconds, double *bytes);
} LacScene;

const LacScene *const *lac_scenes(gsize *n_scenes);

/* Configures a case without devices, for outline, check and estimate. Clear with lac_case_clear(). */
void lac_case_configure(LacCase *subject, const LacScene *scene, gconstpointer params);

G_END_DECLS
