/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every command of the window with its keys and its words, once: accelerators, shortcuts window and palette read it. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct {
  const char *action; /* detailed name: "win.launch" */
  const char *accels; /* separated by spaces; "" for none */
  const char *title;  /* translatable */
  const char *group;  /* translatable */
} LacCommand;

const LacCommand *lac_commands(gsize *n);

void lac_commands_install(GtkApplication *application);

G_END_DECLS
