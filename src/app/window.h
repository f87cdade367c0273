/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The main window: header bar, pages, and the commands that act on the session they show. Signal: page-changed. */
#pragma once

#include "app/session.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_WINDOW (lac_window_get_type())
G_DECLARE_FINAL_TYPE(LacWindow, lac_window, LAC, WINDOW, AdwApplicationWindow)

LacWindow *lac_window_new(GtkApplication *application);

/* Starts an experiment as it is. */
void lac_window_start(LacWindow *window, const char *name);
/* Shows a run folder, or a file in it; of a data file, what is inside. */
void lac_window_open(LacWindow *window, const char *path);
/* A sentence at the bottom. */
void lac_window_show_message(LacWindow *window, const char *sentence);

/* A recording: what is done from now on, as commands and with the runs that are shown; and those commands again (recording-file.h).
 * @folder: is made; @path: that folder, or a file of commands; @computes: its runs are computed again and not shown as they were
 * recorded; @speed: 1: as it was; 0: at once */
void lac_window_record(LacWindow *window, const char *folder);
void lac_window_replay(LacWindow *window, const char *path, gboolean computes, double speed);

G_END_DECLS
