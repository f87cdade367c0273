/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bar below Fields and Time: to the left watching (frames back, play, forward, the scrubber), to the right
 * computing (pause, step, checkpoint, stop) or, for a stored run, running again. */
#pragma once

#include "app/session/session.h"
#include "app/toolkit/bottom-bar.h"

G_BEGIN_DECLS

#define LAC_TYPE_TRANSPORT (lac_transport_get_type())
G_DECLARE_FINAL_TYPE(LacTransport, lac_transport, LAC, TRANSPORT, GObject)

LacTransport *lac_transport_new(void);
LacBottomBar *lac_transport_get_bar(LacTransport *transport); /* (transfer none) */

void lac_transport_set_session(LacTransport *transport, LacSession *session); /* (nullable) */
/* Sets the frame shown, one of the session's. */
void lac_transport_set_frame(LacTransport *transport, const LacFrame *frame);
/* @steps: [n]: steps at which settings were changed */
void lac_transport_set_changes(LacTransport *transport, const gint64 *steps, gsize n);
/* Shows the fields of a step: the nearest kept frame at once, then those of the step itself if that is fast. */
void lac_transport_show_step(LacTransport *transport, gint64 step);
/* Shows a kept frame by its index. */
void lac_transport_show_frame(LacTransport *transport, gsize frame);
/* Plays the kept frames, or stops. */
void lac_transport_play(LacTransport *transport);
/* Handles a key of the fields or the scrubber. Returns: TRUE if it is one of the transport's. */
gboolean lac_transport_press(LacTransport *transport, guint key, GdkModifierType state);
/* @is_narrow: buttons have icons in place of words */
void lac_transport_set_narrow(LacTransport *transport, gboolean is_narrow);

G_END_DECLS
