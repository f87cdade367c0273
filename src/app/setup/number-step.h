/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of a number by the buttons beside its entry. */
#pragma once

#include "base/param.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Returns: (transfer full): the next value upwards or downwards, in the form of the window's language: by one for an
 * integer; by one unit of the leading digit for a real value, so that 10 falls to 9 and 1 to 0.9. @direction: 1, -1 */
char *lac_number_step_dup(const LacDraft *draft, const LacParam *param, int direction);

/* Called when a button or an arrow key asks for a step. */
typedef void (*LacNumberStepped)(gpointer data, int direction);

/* Returns: (transfer floating): @entry with a button at its right for either direction; the arrow keys in the entry do
 * the same. @label: of the number, translated */
GtkWidget *lac_number_step_box_new(GtkWidget       *entry,
                                   const char      *label,
                                   LacNumberStepped stepped,
                                   gpointer         data);

G_END_DECLS
