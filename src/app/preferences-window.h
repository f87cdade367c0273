/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The preferences as a window of rows. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Opens over @parent; says in a sentence when nothing can be remembered. */
void lac_preferences_window_present(GtkWindow *parent);

G_END_DECLS
