/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a field view shows at the moment, as the order of a figure. */
#pragma once

#include "app/field-scene.h"
#include "report/figure/figure.h"

G_BEGIN_DECLS

/* @spec: its members that say which field is shown and how are set; nothing where the view is empty */
void lac_view_figure_describe(const LacFieldScene *scene, LacFigureSpec *spec);

/* Of a film: limits that no person chose are those of all its frames. */
void lac_view_figure_free_limits(const LacFieldScene *scene, LacFigureSpec *spec);

G_END_DECLS
