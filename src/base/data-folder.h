/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the files lie that come with the program. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * lac_data_folder:
 * @installed: the folder below share/ of the prefix the program lies in, wherever that was put
 * @built: the same below the build folder, for a program that was not installed
 *
 * Returns: (transfer full) (nullable): a path that need not exist; NULL where the program cannot be found.
 */
char *lac_data_folder(const char *installed, const char *built);

G_END_DECLS
