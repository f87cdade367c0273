/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The main window: header bar, pages, and the commands on the session shown. Signal: page-changed. */
#pragma once

#include "app/session/session.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_WINDOW (lac_window_get_type())
G_DECLARE_FINAL_TYPE(LacWindow, lac_window, LAC, WINDOW, AdwApplicationWindow)

/* The gallery is there at once; the other pages, and the actions on all of them, follow while the main loop is idle
 * after the first frame. */
LacWindow *lac_window_new(GtkApplication *application);
/* Makes what is missing at once. The functions below do so, too. */
void lac_window_complete(LacWindow *window);

/* Starts an experiment with its defaults. */
void lac_window_start(LacWindow *window, const char *name);
/* Opens a run folder or a file in it; shows the contents of a data file. */
void lac_window_open(LacWindow *window, const char *path);
/* Shows a message as a toast. */
void lac_window_show_message(LacWindow *window, const char *sentence);

/* UI recording and replay (ui-script.h): the first records all further commands and the runs shown; the second
 * replays them. @folder: is created; @path: that folder, or a file of commands; @computes: TRUE: recompute its runs,
 * FALSE: show them as recorded; @speed: 1: original timing; 0: no delays */
void lac_window_record(LacWindow *window, const char *folder);
void lac_window_replay(LacWindow *window, const char *path, gboolean computes, double speed);

G_END_DECLS
