/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of how a figure's fields look, one for each member of report/figure/members.h that has a title. */
#pragma once

#include "report/figure/figure.h"

#include <adwaita.h>

G_BEGIN_DECLS

typedef struct _LacFigureRows LacFigureRows;

/* Adds them to @group, which owns them. @changed: called with @user_data swapped when a person changes one */
LacFigureRows      *
lac_figure_rows_new(AdwPreferencesGroup *group, void (*changed)(gpointer), gpointer user_data);
void lac_figure_rows_free(LacFigureRows *rows);

void lac_figure_rows_show(LacFigureRows *rows, const LacFigureSpec *spec);
/* What is no range is shown as an error, and leaves @spec as it is. */
void lac_figure_rows_fill(LacFigureRows *rows, LacFigureSpec *spec);
/* Rows of the flow are there where the run has a velocity. */
void lac_figure_rows_set_flow(LacFigureRows *rows, gboolean has_velocity);
/* Limits were those of another field. */
void lac_figure_rows_forget_limits(LacFigureRows *rows);

G_END_DECLS
