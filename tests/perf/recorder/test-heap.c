/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocated and freed memory is visible in the counters. */
#include "perf/recorder/heap.h"

#include <string.h>

enum { SMALL = 1000, N_SMALL = 4000, LARGE = 64 << 20 };

static void
test_heap(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  g_test_skip("a sanitizer has an allocator of its own");
#else
  static gpointer blocks[N_SMALL];
  gsize           before = lac_heap_in_use();
  g_assert_cmpuint(lac_heap_in_use(), ==, before); /* the query does not allocate */
  for (gsize i = 0; i < N_SMALL; i++)
    blocks[i] = g_malloc(SMALL);
  gsize with_small = lac_heap_in_use();
  g_assert_cmpuint(with_small, >=, before + (gsize) SMALL * N_SMALL);
  gpointer large = g_malloc(LARGE); /* gets its own mapping */
  g_assert_cmpuint(lac_heap_in_use(), >=, with_small + LARGE);
  g_free(large);
  for (gsize i = 0; i < N_SMALL; i++)
    g_free(blocks[i]);
  /* A hundredth: a few freed blocks remain in a thread cache and still count. */
  g_assert_cmpuint(lac_heap_in_use(), <=, before + (gsize) SMALL * N_SMALL / 100);
#endif
}

static void
test_resident(void)
{
  gsize before = lac_heap_get_resident();
  g_assert_cmpuint(before, >, 0);
  char *large = g_malloc(LARGE);
  memset(large, 1, LARGE);
  g_assert_cmpuint(lac_heap_get_resident(), >=,
                   before + LARGE / 2); /* earlier pages may have been paged out */
  g_assert_cmpint(large[LARGE - 1], ==, 1);
  g_free(large);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/heap/taken-and-given-back-show", test_heap);
  g_test_add_func("/perf/heap/resident-memory-grows-with-use", test_resident);
  return g_test_run();
}
