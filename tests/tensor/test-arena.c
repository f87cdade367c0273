/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arenas: alignment, zeros, bounds, and that every page is there from the start. */
#include "tensor/arena.h"

#include <string.h>
#include <sys/resource.h>

#define N_BYTES ((gsize) 16 << 20)

static void
pieces_are_aligned_zeroed_and_apart(void)
{
  g_autoptr(LacArena) arena = lac_arena_new(1000);
  guint8             *first = lac_arena_take(arena, 1);
  guint8             *second = lac_arena_take(arena, 100);

  g_assert_cmpuint((guintptr) first % 64, ==, 0);
  g_assert_cmpuint((guintptr) second % 64, ==, 0);
  g_assert_cmpuint((gsize) (second - first), ==, 64);
  for (gsize i = 0; i < 100; i++)
    g_assert_cmpuint(second[i], ==, 0);
  g_assert_cmpuint(lac_arena_get_used(arena), ==, 64 + 128);
}

static void
size_holds_what_was_asked_for(void)
{
  g_autoptr(LacArena) arena = lac_arena_new(1000);
  gsize               size = lac_arena_get_size(arena);

  g_assert_cmpuint(size, >=, 1000);
  memset(lac_arena_take(arena, size), 1, size);
  g_assert_cmpuint(lac_arena_get_used(arena), ==, size);
}

static void
asking_for_more_than_is_left_is_refused(void)
{
  if (g_test_subprocess()) {
    g_autoptr(LacArena) arena = lac_arena_new(64);
    lac_arena_take(arena, 64);
    lac_arena_take(arena, 1);
    return;
  }
  g_test_trap_subprocess(NULL, 0, 0);
  g_test_trap_assert_failed();
  g_test_trap_assert_stderr("*n_bytes <= arena->size*");
}

static void
impossible_size_gives_none(void)
{
  g_assert_null(lac_arena_new(G_MAXSIZE));
  g_assert_null(lac_arena_new(G_MAXSIZE / 2));
}

/* 16 MB are 4096 small pages: a page fault each if they had not been touched. Other memory may fault a little. */
static void
writing_takes_no_page_faults(void)
{
  g_autoptr(LacArena) arena = lac_arena_new(N_BYTES);
  guint8             *memory = lac_arena_take(arena, N_BYTES);
  struct rusage       before, after;

  getrusage(RUSAGE_SELF, &before);
  memset(memory, 1, N_BYTES);
  getrusage(RUSAGE_SELF, &after);
  g_assert_cmpint(after.ru_minflt - before.ru_minflt, <, 64);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/tensor/arena/pieces-are-aligned-zeroed-and-apart",
                  pieces_are_aligned_zeroed_and_apart);
  g_test_add_func("/tensor/arena/size-holds-what-was-asked-for", size_holds_what_was_asked_for);
  g_test_add_func("/tensor/arena/asking-for-more-than-is-left-is-refused",
                  asking_for_more_than_is_left_is_refused);
  g_test_add_func("/tensor/arena/impossible-size-gives-none", impossible_size_gives_none);
  g_test_add_func("/tensor/arena/writing-takes-no-page-faults", writing_takes_no_page_faults);
  return g_test_run();
}
