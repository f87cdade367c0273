/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spin buttons with the decimal separator of the window's language: GtkSpinButton uses the separator of the C
 * library, and that remains a point for the sake of files. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Shows the value of @spin with the separator of the language, and accepts both separators. */
void lac_number_spin_localise(GtkSpinButton *spin);

G_END_DECLS
