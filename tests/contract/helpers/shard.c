/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts parts. */
#include "shard.h"

#include <stdio.h>
#include <string.h>

static guint which = 1, n_shards = 1, n_asked = 0;

void
shard_init(int argc, char **argv)
{
  for (int i = 1; i + 1 < argc; i++)
    if (strcmp(argv[i], "--shard") == 0 && sscanf(argv[i + 1], "%u/%u", &which, &n_shards) != 2)
      g_error("--shard takes 1/4, not %s", argv[i + 1]);
  g_assert_cmpuint(which, >=, 1);
  g_assert_cmpuint(which, <=, n_shards);
}

guint
shard_get(void)
{
  return which;
}

gconstpointer
shard_keep(gconstpointer data, gsize n_bytes)
{
  static GPtrArray *kept = NULL;

  if (!kept)
    kept = g_ptr_array_new();
  g_ptr_array_add(kept, g_memdup2(data, n_bytes));
  return kept->pdata[kept->len - 1];
}

gboolean
shard_has_next(void)
{
  return n_asked++ % n_shards == which - 1;
}
