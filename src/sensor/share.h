/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work shared out in fixed blocks of points: over a pool, or in the calling thread where there is none. */
#pragma once

#include "base/pool.h"

G_BEGIN_DECLS

#define LAC_SHARE_BLOCK 512 /* points: with 64 modes a quarter of a megabyte, within the L2 cache */

/* @func: called for blocks 0 ... ceil(n / LAC_SHARE_BLOCK) - 1; @pool: NULL for the calling thread. */
void lac_share_blocks(LacPool *pool, gsize n, LacPoolFunc func, gpointer user_data);

/* Where block @block of @n points ends. */
static inline gsize
lac_share_end(gsize block, gsize n)
{
  return MIN((block + 1) * LAC_SHARE_BLOCK, n);
}

G_END_DECLS
