/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A button that moves a slider along, place after place, to its end; pressed there, from its beginning. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_PLAY_BUTTON (lac_play_button_get_type())
G_DECLARE_FINAL_TYPE(LacPlayButton, lac_play_button, LAC, PLAY_BUTTON, GtkWidget)

void     lac_play_button_set_range(LacPlayButton *button, GtkRange *range); /* once */
void     lac_play_button_toggle(LacPlayButton *button);
gboolean lac_play_button_is_playing(LacPlayButton *button);

/* How long each of so many places is shown, in milliseconds: all of them within ten seconds, none so short that it is not seen and
 * none longer than half a second. */
guint lac_play_interval(gsize n_places);

G_END_DECLS
