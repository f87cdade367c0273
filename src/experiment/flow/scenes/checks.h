/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What several scenes ask of their parameters. Each check returns %FALSE with LAC_ERROR_OUT_OF_RANGE. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Of a spectral solver: an even number of points a side. */
gboolean lac_scene_check_grid(gint64 grid, GError **error);

/* From observation to observation the solver takes whole steps. */
gboolean lac_scene_check_interval(double interval, double time_step, GError **error);

/* Of one trajectory the first part trains and never more than the rest is observed. */
gsize    lac_scene_count_training(gint64 snapshots);
gboolean lac_scene_check_observations(gint64 observations, gint64 snapshots, GError **error);

G_END_DECLS
