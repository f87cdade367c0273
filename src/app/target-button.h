/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long an iteration may take, remembered from recording to recording, and how many of the last are looked at, of a run that is
 * long. */
#pragma once

#include "app/timeline-scope.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_TARGET_BUTTON (lac_target_button_get_type())
G_DECLARE_FINAL_TYPE(LacTargetButton, lac_target_button, LAC, TARGET_BUTTON, GtkWidget)

void lac_target_button_set_scope(LacTargetButton *button, LacTimelineScope *scope);

G_END_DECLS
