/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scales of the field viewer in a person's hands: limits that nothing else moves, how they are bent, colours; and what lies beyond them,
 * counted. There is one scale of the values of a quantity and one of all errors: of signed ones symmetric about 0, of the other forms from
 * 0 on, or over LAC_ERROR_DECADES below the largest. */
#pragma once

#include "app/field-scene.h"
#include "field/distribution.h"

G_BEGIN_DECLS

#define LAC_ERROR_DECADES 4

typedef struct {
  LacScale            scale;
  LacTransfer         transfer;
  const LacColourMap *map;
  gboolean            locked;    /* by a person */
  gboolean            symmetric; /* about 0 */
} LacScaleView;

/* What was chosen for the quantity that is shown, or for errors in the form they are shown in. */
const LacScaleChoice *lac_field_scene_get_choice(const LacFieldScene *scene, gboolean of_errors);

/* Returns: FALSE where no pane has such a scale. */
gboolean
lac_field_scene_get_scale(const LacFieldScene *scene, gboolean of_errors, LacScaleView *view);

/* @limits: (nullable): NULL gives the scale back to itself; of signed errors the larger one counts for both signs */
void lac_field_scene_set_limits(LacFieldScene *scene, gboolean of_errors, const LacScale *limits);
void lac_field_scene_set_transfer(LacFieldScene *scene, gboolean of_errors, LacTransfer transfer);
void lac_field_scene_set_map(LacFieldScene      *scene,
                             gboolean            of_errors,
                             const LacColourMap *map); /* (nullable): the field's own */

/* Between which values all but @share of what is shown lie at either end; 0: all of it. Returns: FALSE where nothing is finite. */
gboolean lac_field_scene_find_limits(const LacFieldScene *scene,
                                     gboolean             of_errors,
                                     double               share,
                                     LacScale            *limits);

/* Of one pane. Returns: (transfer full) */
LacDistribution *
lac_field_scene_count(const LacFieldScene *scene, guint pane, const LacWarp *warp, gsize n_bins);

/* Cells of all panes of values, or of errors. */
typedef struct {
  guint64 n, n_below, n_above, n_not_finite;
} LacClipped;
LacClipped lac_field_scene_count_clipped(const LacFieldScene *scene, gboolean of_errors);

G_END_DECLS
