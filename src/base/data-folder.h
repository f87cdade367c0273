/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths of the data files installed with the program. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * lac_data_folder:
 * @installed: the folder below share/ of the installation prefix; the prefix is found from the program's location
 * @built: the corresponding folder below the build folder, for a program that is not installed
 *
 * Returns: (transfer full) (nullable): a path that need not exist; NULL when the program's location is unknown.
 */
char *lac_data_folder(const char *installed, const char *built);

G_END_DECLS
