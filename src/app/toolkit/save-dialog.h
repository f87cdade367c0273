/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Save dialog with a title, a suggested name, and a filter for each file extension. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef void (*LacSaveFunc)(GtkWindow *parent, const char *path);

typedef struct {
  const char *title;   /* translated */
  const char *name;    /* "figure.pdf" */
  const char *endings; /* "pdf svg png" */
  LacSaveFunc save;    /* not called on cancel, nor once @parent is destroyed */
} LacSaveOffer;

/* Shows the dialog. A window has at most one: a new one replaces the open one. */
void lac_save_dialog_show(GtkWindow *parent, const LacSaveOffer *offer);

/* Saves to @path through the main window, which opened @window: activates the main window's action @action, which
 * calls @save, so that a UI recording includes it. Without a main window calls @save directly. */
void lac_save_dialog_ask(GtkWindow *window, const char *action, const char *path, LacSaveFunc save);

/* Notifies the main window, which opened @window, that @path has been saved: sets the state of its action
 * "exported". */
void lac_save_dialog_notify(GtkWindow *window, const char *path);

G_END_DECLS
