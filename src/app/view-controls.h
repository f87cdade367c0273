/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a field view shows its fields: a menu of the modes, and beside it what the mode can be told: where a swipe divides, how fast
 * a flicker is, which source. */
#pragma once

#include "app/field-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_VIEW_CONTROLS (lac_view_controls_get_type())
G_DECLARE_FINAL_TYPE(LacViewControls, lac_view_controls, LAC, VIEW_CONTROLS, GtkWidget)

/* @action: "win.view": a stateful one that takes the word of a mode. */
void lac_view_controls_attach(LacViewControls *controls, LacFieldView *view, const char *action);
/* After another mode, quantity or run. */
void lac_view_controls_update(LacViewControls *controls);

/* @word: of a mode for actions: "fields", "swipe" ... Returns: FALSE where no mode is called so. */
gboolean lac_view_mode_find(const char *word, LacViewMode *mode);

G_END_DECLS
