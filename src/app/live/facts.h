/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts about the run shown, as names and values: main settings, what computes it, its memory, the age of the frame. */
#pragma once

#include "app/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_LIVE_FACTS (lac_live_facts_get_type())
G_DECLARE_FINAL_TYPE(LacLiveFacts, lac_live_facts, LAC, LIVE_FACTS, GtkWidget)

/* @session: (nullable); @draft: (nullable): the settings of a run without a file yet, copied */
void lac_live_facts_set_session(LacLiveFacts *facts, LacSession *session, const LacDraft *draft);
/* @frame: the frame shown, one of the session's */
void lac_live_facts_set_frame(LacLiveFacts *facts, const LacFrame *frame);

G_END_DECLS
