/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preview of a printed figure beside its form; the figure can be saved, copied or dragged. */
#pragma once

#include "app/session/run-store.h"
#include "report/figure/figure.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_FIGURE_WINDOW (lac_figure_window_get_type())
G_DECLARE_FINAL_TYPE(LacFigureWindow, lac_figure_window, LAC, FIGURE_WINDOW, AdwWindow)

/**
 * lac_figure_window_present:
 * @parent: receives the saved path as the state of its action "exported"
 * @store: (nullable): runs that can be added
 * @folders: NULL-terminated: the figure's run and those beside it
 * @spec: initial settings
 *
 * Returns: (transfer none): owned by GTK
 */
LacFigureWindow *lac_figure_window_present(GtkWindow           *parent,
                                           LacRunStore         *store,
                                           const char *const   *folders,
                                           const LacFigureSpec *spec);

/* Replaces the figure. */
void lac_figure_window_show(LacFigureWindow     *window,
                            const char *const   *folders,
                            const LacFigureSpec *spec);
/* Returns: (transfer full): the settings of the figure, as text for lac_figure_spec_parse(). Signal: changed, when
 * they change. */
char *lac_figure_window_dup_order(LacFigureWindow *window);
void  lac_figure_window_save(LacFigureWindow *window, const char *path);

G_END_DECLS
