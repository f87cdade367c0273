/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command palette: every command of the table, found by its words, run with Enter. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_COMMAND_PALETTE (lac_command_palette_get_type())
G_DECLARE_FINAL_TYPE(LacCommandPalette, lac_command_palette, LAC, COMMAND_PALETTE, AdwWindow)

/* @window: whose commands they are; the palette stands over it. */
GtkWidget *lac_command_palette_new(GtkWindow *window);

/* Shows what holds every word of @words in its title or group; case does not count. */
void lac_command_palette_search(LacCommandPalette *palette, const char *words);

/* Returns: the detailed names of the commands that are shown, in their order. */
GStrv lac_command_palette_dup_shown(LacCommandPalette *palette);

G_END_DECLS
