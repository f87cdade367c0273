/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows from which a figure is made. Signal: changed, by the person alone. */
#pragma once

#include "app/figure-maker.h"
#include "app/run-store.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_FIGURE_FORM (lac_figure_form_get_type())
G_DECLARE_FINAL_TYPE(LacFigureForm, lac_figure_form, LAC, FIGURE_FORM, GtkWidget)

/* What it begins with. @folders: NULL-terminated, the figure's run and those beside it; @store: (nullable): other runs to
 * choose from. */
void lac_figure_form_begin(LacFigureForm       *form,
                           const char *const   *folders,
                           const LacFigureSpec *spec,
                           LacRunStore         *store);

/* Shows what a figure came out as: fields and steps that there are, sizes where the journal's are taken. */
void lac_figure_form_show(LacFigureForm *form, const LacFigureProof *proof);

/* @order: (out): to be cleared */
void lac_figure_form_fill(LacFigureForm *form, LacFigureOrder *order);

G_END_DECLS
