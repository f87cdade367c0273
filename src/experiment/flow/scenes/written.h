/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scene that a person writes as text, without C: its equation, domain, conditions and, where there is one, exact solution.
 * A network finds its field. */
#pragma once

#include "experiment/flow/scene.h"
#include "pde/written.h"

G_BEGIN_DECLS

/* Values at one value of an axis, or on the rims of holes. */
typedef struct {
  const char *name;
  gboolean    is_rim;
  gsize       first_hole, n_holes; /* of a rim */
  guint       axis;
  double      at;                         /* of the axis */
  const char *values[LAC_PDE_MAX_FIELDS]; /* in the axes and known coefficients; NULL: not given */
} LacConditionText;

/* All borrowed, and copied where it is kept. */
typedef struct {
  const char *title;
  LacPdeText
                   pde; /* its name is that of the experiment; t, which begins at 0, is its first axis, or the scene is steady */
  gboolean         steady;
  double           lower[LAC_PDE_MAX_AXES], upper[LAC_PDE_MAX_AXES];
  gboolean         periodic[LAC_PDE_MAX_AXES];
  gsize            n_holes;
  LacHole          holes[LAC_CASE_MAX_HOLES];
  gboolean         unknown[LAC_PDE_MAX_COEFFICIENTS], positive[LAC_PDE_MAX_COEFFICIENTS];
  double           guesses[LAC_PDE_MAX_COEFFICIENTS];
  gsize            n_conditions;
  LacConditionText conditions[LAC_CASE_MAX_CONDITIONS];
  guint            measured;    /* bit i: a sensor sees field i */
  gint64           grid, times; /* defaults of the rows */
} LacSceneText;

/* Returns: a scene that stays to the end of the program; %NULL with LAC_ERROR_USAGE, whose sentence says where. */
const LacScene *lac_scene_from_text(const LacSceneText *text, GError **error);

G_END_DECLS
