/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A button for a time range. Its popover maps the error reduction from the beginning to the end of the range and
 * lists the time per decade of error, broken down by operation. Hidden without a range or a true field. */
#pragma once

#include "app/timeline/scope.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_FALL_BUTTON (lac_fall_button_get_type())
G_DECLARE_FINAL_TYPE(LacFallButton, lac_fall_button, LAC, FALL_BUTTON, GtkWidget)

void lac_fall_button_set_scope(LacFallButton *button, LacTimelineScope *scope);

G_END_DECLS
