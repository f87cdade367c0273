/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asking where to save: a title, a name to begin with, and a filter for each ending. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef void (*LacSaveFunc)(GtkWindow *parent, const char *path);

typedef struct {
  const char *title;   /* translated */
  const char *name;    /* "figure.pdf" */
  const char *endings; /* "pdf svg png" */
  LacSaveFunc save;    /* not called when nothing was chosen, nor once @parent is gone */
} LacSaveOffer;

/* One at a time for a window: another takes the place of one that has not been answered. */
void lac_save_dialog_show(GtkWindow *parent, const LacSaveOffer *offer);

/* The main window, which opened @window, is to have @path saved: its action @action calls @save, and whoever records hears of it.
 * Without a main window @save is called. */
void lac_save_dialog_ask(GtkWindow *window, const char *action, const char *path, LacSaveFunc save);

/* Tells that @path was saved from @window, which was opened by the main window, whose state “exported” it becomes. */
void lac_save_dialog_notify(GtkWindow *window, const char *path);

G_END_DECLS
