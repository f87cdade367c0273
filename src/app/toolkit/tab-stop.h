/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list as a single stop in the Tab order: arrow keys move between its rows, Tab leaves it. Main thread. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_TAB_STOP (lac_tab_stop_get_type())
G_DECLARE_FINAL_TYPE(LacTabStop, lac_tab_stop, LAC, TAB_STOP, AdwBin)

/* Returns: (transfer floating): a container for @child */
GtkWidget *lac_tab_stop_new(GtkWidget *child);

G_END_DECLS
