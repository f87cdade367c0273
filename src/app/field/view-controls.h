/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Controls of a field view: a menu of the modes, and the settings of each mode: the position of the swipe, the rate
 * of the flicker, the source. */
#pragma once

#include "app/field/view.h"

G_BEGIN_DECLS

#define LAC_TYPE_VIEW_CONTROLS (lac_view_controls_get_type())
G_DECLARE_FINAL_TYPE(LacViewControls, lac_view_controls, LAC, VIEW_CONTROLS, GtkWidget)

/* @action: "win.view": a stateful action whose value is the name of a mode. */
void lac_view_controls_attach(LacViewControls *controls, LacFieldView *view, const char *action);
/* Call after the mode, the quantity or the run has changed. */
void lac_view_controls_update(LacViewControls *controls);

/* @word: name of a mode in actions: "fields", "swipe" ... Returns: FALSE for an unknown name. */
gboolean lac_view_mode_find(const char *word, LacViewMode *mode);

G_END_DECLS
