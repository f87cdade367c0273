/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A button that steps a slider to its end; at the end it restarts from the first position. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_PLAY_BUTTON (lac_play_button_get_type())
G_DECLARE_FINAL_TYPE(LacPlayButton, lac_play_button, LAC, PLAY_BUTTON, GtkWidget)

void     lac_play_button_set_range(LacPlayButton *button, GtkRange *range); /* call once */
void     lac_play_button_toggle(LacPlayButton *button);
gboolean lac_play_button_is_playing(LacPlayButton *button);

/* Returns: the display time, in milliseconds, of each of @n_places positions: about ten seconds in total, but each
 * long enough to be visible and at most half a second. */
guint lac_play_interval(gsize n_places);

G_END_DECLS
