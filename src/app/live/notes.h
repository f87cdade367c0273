/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tags and note of the run shown: an entry and a button that opens the note. Saved by the actions of the list of
 * runs. */
#pragma once

#include "app/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_LIVE_NOTES (lac_live_notes_get_type())
G_DECLARE_FINAL_TYPE(LacLiveNotes, lac_live_notes, LAC, LIVE_NOTES, GtkWidget)

void lac_live_notes_set_session(LacLiveNotes *notes, LacSession *session); /* (nullable) */

G_END_DECLS
