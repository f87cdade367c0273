/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits a long suite over parallel processes: "--shard 2/4" on the command line runs every fourth part of it. */
#pragma once

#include <glib.h>

/* Call after g_test_init(). Without --shard this process runs everything. */
void shard_init(int argc, char **argv);

guint shard_get(void); /* 1 without --shard */

/* Returns TRUE when the next part belongs to this process; each call counts one part. */
gboolean shard_has_next(void);

/* Copies a test's data for the life of the process: GLib frees only the data of tests that were run. */
gconstpointer shard_keep(gconstpointer data, gsize n_bytes);
