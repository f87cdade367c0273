/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arenas of host memory: one mapping, huge pages where the kernel grants them. */
#define _DEFAULT_SOURCE /* madvise, MAP_ANONYMOUS */
#include "tensor/arena.h"

#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((gsize) 2 << 20)
#define ALIGNMENT ((gsize) 64)

struct _LacArena {
  guint8 *mapping;
  gsize   mapping_bytes;
  guint8 *memory; /* within the mapping, on a huge page border */
  gsize   size, used;
};

LacArena *
lac_arena_new(gsize n_bytes)
{
  gsize     size, mapping_bytes;
  void     *mapping;
  LacArena *arena;

  if (n_bytes > G_MAXSIZE - 2 * HUGE_PAGE)
    return NULL;
  size = MAX(n_bytes + ALIGNMENT - 1, ALIGNMENT) & ~(ALIGNMENT - 1);
  mapping_bytes = size + HUGE_PAGE;
  mapping = mmap(NULL, mapping_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED)
    return NULL;

  arena = g_new(LacArena, 1);
  *arena = (LacArena){.mapping = mapping, .mapping_bytes = mapping_bytes, .size = size};
  arena->memory = (guint8 *) (((guintptr) mapping + HUGE_PAGE - 1) & ~(guintptr) (HUGE_PAGE - 1));
  madvise(arena->memory, size, MADV_HUGEPAGE);
  memset(arena->memory, 0, size); /* touches every page now, so that no step pays for it */
  return arena;
}

void
lac_arena_free(LacArena *arena)
{
  if (!arena)
    return;
  munmap(arena->mapping, arena->mapping_bytes);
  g_free(arena);
}

gpointer
lac_arena_take(LacArena *arena, gsize n_bytes)
{
  gsize   taken = (n_bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
  guint8 *memory = arena->memory + arena->used;

  g_return_val_if_fail(n_bytes <= arena->size && taken <= arena->size - arena->used, NULL);
  arena->used += taken;
  return memory;
}

gsize
lac_arena_get_size(const LacArena *arena)
{
  return arena->size;
}

gsize
lac_arena_get_used(const LacArena *arena)
{
  return arena->used;
}
