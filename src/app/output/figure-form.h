/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The form for a figure. Signal: changed, by the user only. */
#pragma once

#include "app/output/figure-maker.h"
#include "app/session/run-store.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_FIGURE_FORM (lac_figure_form_get_type())
G_DECLARE_FINAL_TYPE(LacFigureForm, lac_figure_form, LAC, FIGURE_FORM, GtkWidget)

/* Initialises the form. @folders: NULL-terminated: the figure's run and those shown beside it; @store: (nullable):
 * other runs to choose from. */
void lac_figure_form_begin(LacFigureForm       *form,
                           const char *const   *folders,
                           const LacFigureSpec *spec,
                           LacRunStore         *store);

/* Updates the form from a finished figure: available fields and steps, and sizes given by the target journal. */
void lac_figure_form_show(LacFigureForm *form, const LacFigureProof *proof);

/* @order: (out): cleared by the caller */
void lac_figure_form_fill(LacFigureForm *form, LacFigureOrder *order);

G_END_DECLS
