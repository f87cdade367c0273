/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the live page tells beside the metrics: of which step the picture is and how old, what the run took, what computes it and
 * how much of the device's memory it has. */
#pragma once

#include "app/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_LIVE_FACTS (lac_live_facts_get_type())
G_DECLARE_FINAL_TYPE(LacLiveFacts, lac_live_facts, LAC, LIVE_FACTS, GtkWidget)

void lac_live_facts_set_session(LacLiveFacts *facts, LacSession *session); /* (nullable) */
/* @frame: the one that is shown, of the session */
void lac_live_facts_set_frame(LacLiveFacts *facts, const LacFrame *frame);

G_END_DECLS
