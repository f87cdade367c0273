/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs, data files and set-ups that were lately opened or written, as the settings remember them: this program's alone. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define LAC_RECENT_MOST 12

/* @path: comes first from now on; one that is neither there nor named is left out. */
void lac_recent_files_add(const char *path);
void lac_recent_files_remove(const char *path);
void lac_recent_files_clear(void);
/* Returns: (transfer full): paths, the latest first. */
GStrv lac_recent_files_list(void);

/* Returns: (transfer full): by what they are, each doing win.open-recent, and a way to forget them; it follows the list. */
GMenuModel *lac_recent_files_menu_new(void);

G_END_DECLS
