/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keyboard shortcuts, the help (docs/help.md) with a section for each page, and a tour of three steps for new users. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* ---- keyboard shortcuts ---- */

/* Returns: (transfer none): a toplevel, not yet shown; searchable, scrolls on a small screen. */
GtkWidget *lac_shortcuts_window_new(void);

/* ---- the help ---- */

/* @page: page of the window whose section is shown first. */
void lac_help_window_present(GtkWindow *parent, const char *page);

/* ---- the tour: choose, compute, compare; offered once, and always available in the menu ---- */

void lac_tour_present(GtkWindow *parent);

G_END_DECLS
