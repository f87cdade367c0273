/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows for the appearance of a figure's fields, one for each titled member of report/figure/members.h. */
#pragma once

#include "report/figure/figure.h"

#include <adwaita.h>

G_BEGIN_DECLS

typedef struct _LacFigureRows LacFigureRows;

/* Adds the rows to @group, which owns them. @changed: called when the user changes a row */
LacFigureRows      *
lac_figure_rows_new(AdwPreferencesGroup *group, void (*changed)(gpointer), gpointer user_data);
void lac_figure_rows_free(LacFigureRows *rows);

void lac_figure_rows_show(LacFigureRows *rows, const LacFigureSpec *spec);
/* Copies the rows to @spec. An invalid range is marked as an error and not copied. */
void lac_figure_rows_fill(LacFigureRows *rows, LacFigureSpec *spec);
/* Shows the flow rows if the run has a velocity. */
void lac_figure_rows_set_flow(LacFigureRows *rows, gboolean has_velocity);
/* Clears the limits, which belong to another field. */
void lac_figure_rows_forget_limits(LacFigureRows *rows);

G_END_DECLS
