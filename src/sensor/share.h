/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distribution of work in fixed blocks of points over a pool, or over the calling thread if there is none. */
#pragma once

#include "base/pool.h"

G_BEGIN_DECLS

#define LAC_SHARE_BLOCK 512 /* points; 256 KiB with 64 modes, which fits the L2 cache */

/* @func: called for blocks 0 ... ceil(n / LAC_SHARE_BLOCK) - 1; @pool: NULL for the calling thread. */
void lac_share_blocks(LacPool *pool, gsize n, LacPoolFunc func, gpointer user_data);

/* Returns the end of block @block of @n points. */
static inline gsize
lac_share_end(gsize block, gsize n)
{
  return MIN((block + 1) * LAC_SHARE_BLOCK, n);
}

G_END_DECLS
