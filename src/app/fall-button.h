/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A button for a range of time: its popover shows where the errors fell from the range's beginning to its end, at what price, and whose
 * time that was. It hides itself where there is no range, or no truth. */
#pragma once

#include "app/timeline-scope.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_FALL_BUTTON (lac_fall_button_get_type())
G_DECLARE_FINAL_TYPE(LacFallButton, lac_fall_button, LAC, FALL_BUTTON, GtkWidget)

void lac_fall_button_set_scope(LacFallButton *button, LacTimelineScope *scope);

G_END_DECLS
