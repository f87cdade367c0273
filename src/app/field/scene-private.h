/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the scene: panes, scales. */
#pragma once

#include "app/field/scene.h"

G_BEGIN_DECLS

const char *lac_field_scene_quantity_of(const LacChannel *channel);
/* Returns: the channel of the true field, or -1. */
gssize   lac_field_scene_find_truth(const LacFieldScene *scene, const char *quantity);
gboolean lac_field_scene_shows_deviation(const LacFieldScene *scene);

/* field-scale.c: call after the frame or the panes have changed. */
void lac_field_scene_update_scales(LacFieldScene *scene);

/* Chooses the colour map of each pane again. */
void lac_field_scene_choose_maps(LacFieldScene *scene);

G_END_DECLS
