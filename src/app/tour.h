/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Three steps for somebody new: choose, compute, compare. Offered once, and in the menu for good. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void lac_tour_present(GtkWindow *parent);

/* Whether it is still to be offered: never taken and never put away. FALSE where nothing can be remembered. */
gboolean lac_tour_is_new(void);
void     lac_tour_put_away(void);

G_END_DECLS
