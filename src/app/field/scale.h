/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User-set scales of the field viewer: fixed limits, transfer function, colour map, and counts of clipped values.
 * Values share one scale per quantity, errors one in total. Signed errors are symmetric about 0; the other forms
 * start at 0 or span LAC_ERROR_DECADES below the largest error. */
#pragma once

#include "app/field/scene.h"
#include "field/distribution.h"

G_BEGIN_DECLS

#define LAC_ERROR_DECADES 4

typedef struct {
  LacScale            scale;
  LacTransfer         transfer;
  const LacColourMap *map;
  gboolean            locked;    /* fixed by the user */
  gboolean            symmetric; /* about 0 */
} LacScaleView;

/* Returns: the user's settings for the quantity shown, or for errors in the form shown. */
const LacScaleChoice *lac_field_scene_get_choice(const LacFieldScene *scene, gboolean of_errors);

/* Returns: FALSE if no pane shows values (or errors, if @of_errors), or there is no frame. */
gboolean
lac_field_scene_get_scale(const LacFieldScene *scene, gboolean of_errors, LacScaleView *view);

/* Forgets earlier frames: automatic scales start again from the present one. */
void lac_field_scene_restart_scales(LacFieldScene *scene);

/* @limits: (nullable): NULL makes the scale automatic again; for signed errors the larger magnitude applies to both
 * signs */
void lac_field_scene_set_limits(LacFieldScene *scene, gboolean of_errors, const LacScale *limits);
void lac_field_scene_set_transfer(LacFieldScene *scene, gboolean of_errors, LacTransfer transfer);
void lac_field_scene_set_map(LacFieldScene      *scene,
                             gboolean            of_errors,
                             const LacColourMap *map); /* (nullable): the field's default */

/* Finds limits such that a fraction @share of the values shown lies below and as many lie above; 0: all lie within.
 * With several panes, the widest limits. Returns: FALSE if no value is finite. */
gboolean lac_field_scene_find_limits(const LacFieldScene *scene,
                                     gboolean             of_errors,
                                     double               share,
                                     LacScale            *limits);

/* Returns: (transfer full): the histogram of the values of one pane. */
LacDistribution *
lac_field_scene_count(const LacFieldScene *scene, guint pane, const LacWarp *warp, gsize n_bins);

/* Numbers of cells, summed over all panes of values or over all panes of errors. */
typedef struct {
  guint64 n, n_below, n_above, n_not_finite;
} LacClipped;
LacClipped lac_field_scene_count_clipped(const LacFieldScene *scene, gboolean of_errors);

G_END_DECLS
