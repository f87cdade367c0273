/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A figure as it will be printed, beside what it is made of; to be saved, copied or dragged away. */
#pragma once

#include "app/run-store.h"
#include "report/figure/figure.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_FIGURE_WINDOW (lac_figure_window_get_type())
G_DECLARE_FINAL_TYPE(LacFigureWindow, lac_figure_window, LAC, FIGURE_WINDOW, AdwWindow)

/**
 * lac_figure_window_present:
 * @parent: its action "exported" takes the path of what is saved as its state
 * @store: (nullable): runs that may stand beside
 * @folders: NULL-terminated: the figure's run and those beside it
 * @spec: what it begins with
 *
 * Returns: (transfer none): it belongs to the toolkit
 */
LacFigureWindow *lac_figure_window_present(GtkWindow           *parent,
                                           LacRunStore         *store,
                                           const char *const   *folders,
                                           const LacFigureSpec *spec);

/* Another figure in its place. */
void lac_figure_window_show(LacFigureWindow     *window,
                            const char *const   *folders,
                            const LacFigureSpec *spec);
/* Returns: (transfer full): what the figure is made of, as lac_figure_spec_parse() reads it. Signal: changed, when it is another. */
char *lac_figure_window_dup_order(LacFigureWindow *window);
void  lac_figure_window_save(LacFigureWindow *window, const char *path);

G_END_DECLS
