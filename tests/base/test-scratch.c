/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stack allocator: alignment, no overlap, no allocation on repetition. */
#include "base/scratch.h"
#include "helpers/counting-malloc.h"

#include <string.h>

#define N 40

/* Sizes from a few bytes to far more than the first block. */
static gsize
get_size(gsize i)
{
  return 1 + i * i * i * 13;
}

static void
take_all(LacScratch *scratch, guint8 **parts)
{
  for (gsize i = 0; i < N; i++) {
    parts[i] = lac_scratch_take(scratch, get_size(i));
    g_assert_cmpuint((gsize) parts[i] % 64, ==, 0);
    memset(parts[i], (int) i, get_size(i));
  }
}

static void
test_apart(void)
{
  g_autoptr(LacScratch) scratch = lac_scratch_new();
  guint8               *parts[N];

  take_all(scratch, parts);
  for (gsize i = 0; i < N; i++)
    for (gsize k = 0; k < get_size(i); k++)
      g_assert_cmpuint(parts[i][k], ==, i);
}

/* Memory taken before a mark stays; later memory is released. */
static void
test_marks(void)
{
  g_autoptr(LacScratch) scratch = lac_scratch_new();
  guint8               *parts[N], *before = lac_scratch_take(scratch, 1000);
  const LacScratchMark  mark = lac_scratch_mark(scratch);
  gpointer              first = lac_scratch_take(scratch, 10);

  memset(before, 77, 1000);
  lac_scratch_release(scratch, mark);
  g_assert_true(lac_scratch_take(scratch, 20) == first);
  lac_scratch_release(scratch, mark);
  take_all(scratch, parts);
  lac_scratch_release(scratch, mark);
  g_assert_true(lac_scratch_take(scratch, 30) == first);
  for (gsize k = 0; k < 1000; k++)
    g_assert_cmpuint(before[k], ==, 77);
}

static void
test_again(void)
{
  g_autoptr(LacScratch) scratch = lac_scratch_new();
  const LacScratchMark  mark = lac_scratch_mark(scratch);
  guint8               *parts[N];
  guint                 before;

  if (!COUNTS_MALLOC) {
    g_test_skip("this build brings its own malloc");
    return;
  }
  before = count_allocations();
  take_all(scratch, parts);
  g_assert_cmpuint(count_allocations(), >, before);
  lac_scratch_release(scratch, mark);
  before = count_allocations();
  for (gsize i = 0; i < 3; i++) {
    take_all(scratch, parts);
    lac_scratch_release(scratch, mark);
  }
  g_assert_cmpuint(count_allocations(), ==, before);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/base/scratch/parts-do-not-overlap", test_apart);
  g_test_add_func("/base/scratch/what-came-before-a-mark-stays", test_marks);
  g_test_add_func("/base/scratch/the-same-again-allocates-nothing", test_again);
  return g_test_run();
}
