/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Temporary folder of a test. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): the path of a new empty temporary folder. */
char *test_folder_new(void);

/* Removes @folder (transfer full) with everything in it. */
void test_folder_remove(char *folder);

G_END_DECLS
