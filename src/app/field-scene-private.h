/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the scene share: its panes, its scales. */
#pragma once

#include "app/field-scene.h"

G_BEGIN_DECLS

const char *lac_field_scene_quantity_of(const LacChannel *channel);
/* Returns: its channel, or -1. */
gssize   lac_field_scene_find_truth(const LacFieldScene *scene, const char *quantity);
gboolean lac_field_scene_shows_deviation(const LacFieldScene *scene);

/* field-scale.c: after another frame or other panes. */
void lac_field_scene_update_scales(LacFieldScene *scene);

G_END_DECLS
