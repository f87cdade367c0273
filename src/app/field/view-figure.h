/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The present contents of a field view as a figure specification. */
#pragma once

#include "app/field/scene.h"
#include "report/figure/figure.h"

G_BEGIN_DECLS

/* @spec: its members for the field and its appearance are set; unchanged if the view is empty */
void lac_view_figure_describe(const LacFieldScene *scene, LacFigureSpec *spec);

/* Clears the limits that the user has not fixed, because a film computes its limits from all of its frames. */
void lac_view_figure_free_limits(const LacFieldScene *scene, LacFigureSpec *spec);

G_END_DECLS
