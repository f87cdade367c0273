/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User-defined scenes: text with an equation, domain, conditions and optionally an exact solution. The field is found
 * by a network. */
#pragma once

#include "experiment/flow/scene.h"
#include "pde/written.h"

G_BEGIN_DECLS

/* Values on a plane of constant coordinate, or on the boundaries of holes. */
typedef struct {
  const char *name;
  gboolean    is_rim;
  gsize       first_hole, n_holes; /* range of holes whose rims are the boundary */
  guint       axis;
  double      at; /* constant coordinate of the plane */
  const char *values
    [LAC_CONDITION_VALUES]; /* functions of the axes and known coefficients, in the order of LacCondition; NULL: not given */
} LacConditionText;

/* Text of a scene, borrowed during lac_scene_from_text(), which copies the parts it retains. */
typedef struct {
  const char *title;
  LacPdeText
    pde; /* equation, named like the experiment; unless steady, its first axis is t, starting at 0 */
  gboolean         steady;
  double           lower[LAC_PDE_MAX_AXES], upper[LAC_PDE_MAX_AXES];
  gboolean         periodic[LAC_PDE_MAX_AXES];
  gsize            n_holes;
  LacHole          holes[LAC_CASE_MAX_HOLES];
  gboolean         unknown[LAC_PDE_MAX_COEFFICIENTS], positive[LAC_PDE_MAX_COEFFICIENTS];
  double           guesses[LAC_PDE_MAX_COEFFICIENTS];
  gsize            n_conditions;
  LacConditionText conditions[LAC_CASE_MAX_CONDITIONS];
  guint            measured;    /* bit i: sensors measure field i */
  gint64           grid, times; /* defaults of the parameters */
} LacSceneText;

/* Returns: a scene that remains valid until the program ends; %NULL with LAC_ERROR_USAGE naming the position. */
const LacScene *lac_scene_from_text(const LacSceneText *text, GError **error);

G_END_DECLS
