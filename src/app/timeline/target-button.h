/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings of a timeline: the target duration of an iteration, saved across recordings, and how much of the end of a
 * long run is shown. */
#pragma once

#include "app/timeline/scope.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_TARGET_BUTTON (lac_target_button_get_type())
G_DECLARE_FINAL_TYPE(LacTargetButton, lac_target_button, LAC, TARGET_BUTTON, GtkWidget)

void lac_target_button_set_scope(LacTargetButton *button, LacTimelineScope *scope);

G_END_DECLS
