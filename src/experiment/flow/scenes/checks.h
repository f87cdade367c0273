/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameter checks shared by several scenes. The checks return %FALSE with LAC_ERROR_OUT_OF_RANGE. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Checks that the number of grid points per side is even, as a spectral solver requires. */
gboolean lac_scene_check_grid(gint64 grid, GError **error);

/* Checks that the interval between observations is a multiple of the time step. */
gboolean lac_scene_check_interval(double interval, double time_step, GError **error);

/* Returns the number of training snapshots of one trajectory; lac_scene_check_observations() checks that no more than
 * the remaining snapshots are observed. */
gsize    lac_scene_count_training(gint64 snapshots);
gboolean lac_scene_check_observations(gint64 observations, gint64 snapshots, GError **error);

G_END_DECLS
