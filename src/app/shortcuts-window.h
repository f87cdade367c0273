/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every key: those of the commands, and those that a view has while the focus is in it. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Returns: (transfer none): a toplevel, not yet shown; it is searched as the preferences are and scrolls on a small screen. */
GtkWidget *lac_shortcuts_window_new(void);

G_END_DECLS
