/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of a selected step: those of the nearest saved frame at once, then those of the exact step, recomputed
 * automatically if that is fast, else on request. */
#pragma once

#include "app/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_STEP_FRAME (lac_step_frame_get_type())
G_DECLARE_FINAL_TYPE(LacStepFrame, lac_step_frame, LAC, STEP_FRAME, GtkWidget)

/* @session: (nullable); @step: -1: none. The widget hides itself if there is nothing to show. */
void lac_step_frame_follow(LacStepFrame *self, LacSession *session, gint64 step);

/* Sets the step whose fields the session shows now, and cancels the computation of another step. Has no effect while
 * no fields are shown. */
void lac_step_frame_set_shown(LacStepFrame *self, gint64 step);
/* Hides the button that leads to the fields, for a page that shows them itself. */
void lac_step_frame_stay(LacStepFrame *self);

G_END_DECLS
