/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs, data files and set-ups recently opened or written by this program, stored in the settings. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define LAC_RECENT_MOST 12

/* Puts @path first. Ignores a path that does not exist or is not valid UTF-8. */
void lac_recent_files_add(const char *path);
void lac_recent_files_remove(const char *path);
void lac_recent_files_clear(void);
/* Returns: (transfer full): paths, most recent first. */
GStrv lac_recent_files_list(void);

/* Returns: (transfer full): a menu of recent files grouped by kind, each item activating win.open-recent, with an
 * item that clears the list; updated when the list changes. */
GMenuModel *lac_recent_files_menu_new(void);

G_END_DECLS
