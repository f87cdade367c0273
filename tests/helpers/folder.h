/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder of a test's own. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Empty, among the temporary ones. */
char *test_folder_new(void);

/* Removes @folder (transfer full) with everything in it. */
void test_folder_remove(char *folder);

G_END_DECLS
