/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks, each at least twice as large as the previous one; a block too small for a request is skipped. */
#include "base/scratch.h"

#define ALIGNMENT 64
#define MOST      48      /* blocks; sizes double */
#define FIRST     0x10000 /* bytes */

struct _LacScratch {
  gsize    n;     /* blocks */
  gsize    block; /* current block */
  gsize    used;  /* bytes used of it */
  gpointer memory[MOST];
  char    *begin[MOST]; /* aligned */
  gsize    size[MOST];
};

LacScratch *
lac_scratch_new(void)
{
  return g_new0(LacScratch, 1);
}

void
lac_scratch_free(LacScratch *scratch)
{
  if (!scratch)
    return;
  for (gsize i = 0; i < scratch->n; i++)
    g_free(scratch->memory[i]);
  g_free(scratch);
}

static void
add_block(LacScratch *scratch, gsize n_bytes)
{
  const gsize i = scratch->n++;
  const gsize twice = i ? 2 * scratch->size[i - 1] : FIRST;

  g_assert(i < MOST);
  scratch->size[i] = MAX(twice, n_bytes);
  scratch->memory[i] = g_malloc(scratch->size[i] + ALIGNMENT);
  scratch->begin[i] =
    (char *) scratch->memory[i] + (ALIGNMENT - (gsize) scratch->memory[i] % ALIGNMENT) % ALIGNMENT;
}

gpointer
lac_scratch_take(LacScratch *scratch, gsize n_bytes)
{
  const gsize wanted = (n_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  gpointer    memory;

  while (scratch->block < scratch->n && scratch->size[scratch->block] - scratch->used < wanted) {
    scratch->block++;
    scratch->used = 0;
  }
  if (scratch->block == scratch->n)
    add_block(scratch, wanted);
  memory = scratch->begin[scratch->block] + scratch->used;
  scratch->used += wanted;
  return memory;
}

LacScratchMark
lac_scratch_mark(const LacScratch *scratch)
{
  return (LacScratchMark){scratch->block, scratch->used};
}

void
lac_scratch_release(LacScratch *scratch, LacScratchMark mark)
{
  scratch->block = mark.block;
  scratch->used = mark.used;
}
