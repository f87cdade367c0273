/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims add up over all threads, and what is no longer claimed is gone. */
#include "base/memory-part.h"

enum { N_THREADS = 4, N_CLAIMS = 2000 };

static gpointer
claim_often(gpointer data G_GNUC_UNUSED)
{
  LacMemoryClaim kept = {{0}};

  for (gsize i = 0; i < N_CLAIMS; i++) {
    LacMemoryClaim passing = {{0}};

    lac_memory_claim(&passing, LAC_MEMORY_STATES, i);
    lac_memory_claim(&passing, LAC_MEMORY_DATA, 3);
    lac_memory_unclaim(&passing);
    lac_memory_claim(&kept, LAC_MEMORY_PARAMETERS, 1);
  }
  return NULL; /* what is kept stays claimed */
}

static void
test_sums(void)
{
  GThread *threads[N_THREADS];

  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new("claims", claim_often, NULL);
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join(threads[i]);
  for (LacMemoryPart part = 0; part < LAC_N_MEMORY_PARTS; part++)
    g_assert_cmpuint(lac_memory_part_get_bytes(part), ==,
                     part == LAC_MEMORY_PARAMETERS ? N_THREADS * N_CLAIMS : 0);
}

static void
test_names(void)
{
  g_autoptr(GHashTable) met = g_hash_table_new(g_str_hash, g_str_equal);

  for (LacMemoryPart part = 0; part < LAC_N_MEMORY_PARTS; part++) {
    g_assert_true(g_hash_table_add(met, (gpointer) lac_memory_part_get_key(part)));
    g_assert_true(g_utf8_validate(lac_memory_part_get_name(part), -1, NULL));
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/base/memory-part/claims-add-up", test_sums);
  g_test_add_func("/base/memory-part/each-has-its-key", test_names);
  return g_test_run();
}
