/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Without a pool the same blocks are processed one after another, with equal results. */
#include "sensor/share.h"

void
lac_share_blocks(LacPool *pool, gsize n, LacPoolFunc func, gpointer user_data)
{
  const gsize n_blocks = (n + LAC_SHARE_BLOCK - 1) / LAC_SHARE_BLOCK;

  if (pool)
    lac_pool_run(pool, n_blocks, func, user_data);
  else
    for (gsize block = 0; block < n_blocks; block++)
      func(block, 0, user_data);
}
