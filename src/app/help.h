/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What explains the window to a person: every key; the help of docs/help.md, a part for each page; a tour of three steps for somebody new. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* ---- keyboard shortcuts ---- */

/* Returns: (transfer none): a toplevel, not yet shown; it is searched as the preferences are and scrolls on a small screen. */
GtkWidget *lac_shortcuts_window_new(void);

/* ---- the help ---- */

/* @page: of the window, whose part is shown first. */
void lac_help_window_present(GtkWindow *parent, const char *page);

/* ---- the tour: choose, compute, compare; offered once, and in the menu for good ---- */

void lac_tour_present(GtkWindow *parent);

/* Whether it is still to be offered: never taken and never put away. FALSE where nothing can be remembered. */
gboolean lac_tour_is_new(void);
void     lac_tour_put_away(void);

G_END_DECLS
