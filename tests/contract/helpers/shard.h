/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A long suite in several processes side by side: "--shard 2/4" on the command line runs every fourth part of it. */
#pragma once

#include <glib.h>

/* After g_test_init(). Without --shard everything is this process's. */
void shard_init(int argc, char **argv);

guint shard_get(void); /* 1 where there is one */

/* Whether the part that is asked about with the n-th call is this process's. */
gboolean shard_has_next(void);

/* A copy of what a test is about, which stays as long as the process: GLib gives back only what belongs to tests that were run. */
gconstpointer shard_keep(gconstpointer data, gsize n_bytes);
