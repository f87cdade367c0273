/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of all window commands with their shortcuts and titles: used for the accelerators, the shortcuts window
 * and the palette. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

typedef struct {
  const char *action; /* detailed name: "win.launch" */
  const char *accels; /* separated by spaces; "" for none */
  const char *title;  /* translatable */
  const char *group;  /* translatable */
} LacCommand;

const LacCommand *lac_commands(gsize *n);

void lac_commands_install(GtkApplication *application);

/* ---- the palette: every command, found by its words, run with Enter ---- */

#define LAC_TYPE_COMMAND_PALETTE (lac_command_palette_get_type())
G_DECLARE_FINAL_TYPE(LacCommandPalette, lac_command_palette, LAC, COMMAND_PALETTE, AdwWindow)

/* @window: provides the commands and is the palette's parent. */
GtkWidget *lac_command_palette_new(GtkWindow *window);

/* Shows the commands whose title or group contains every word of @words, ignoring case. */
void lac_command_palette_search(LacCommandPalette *palette, const char *words);

/* Returns: the detailed names of the commands shown, in display order. */
GStrv lac_command_palette_dup_shown(LacCommandPalette *palette);

G_END_DECLS
