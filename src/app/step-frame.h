/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of a step that was chosen: of the nearest kept frame at once, then those of the very step, computed again: by
 * itself where that takes a moment, else when it is asked for. */
#pragma once

#include "app/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_STEP_FRAME (lac_step_frame_get_type())
G_DECLARE_FINAL_TYPE(LacStepFrame, lac_step_frame, LAC, STEP_FRAME, GtkWidget)

/* @session: (nullable); @step: -1: none. The widget hides itself where there is nothing to show. */
void lac_step_frame_follow(LacStepFrame *self, LacSession *session, gint64 step);

/* The step whose fields the session shows now. */
void lac_step_frame_set_shown(LacStepFrame *self, gint64 step);
/* It stands where its fields are to be seen: no way there is offered. */
void lac_step_frame_stay(LacStepFrame *self);

G_END_DECLS
