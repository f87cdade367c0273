/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The store of a run's records: all are returned, memory stays within its budget, a full or missing disk loses
 * nothing. */
#include "perf/recorder/record-store.h"

#include <glib/gstdio.h>

#include <string.h>

enum { RECORDS = 300000, CHUNK_BYTES = 16384 * sizeof(LacRecord) };

static LacRecord
record_of(gsize i)
{
  return (LacRecord){
    .sequence = i, .start_ns = (gint64) i * 3, .value = -(double) i, .name = (guint32) i};
}

static void
assert_range(LacRecordStore *store, gsize first, gsize n)
{
  while (n > 0) {
    gsize            got;
    const LacRecord *records = lac_record_store_get(store, first, &got);
    g_assert_nonnull(records);
    g_assert_cmpuint(got, >, 0);
    got = MIN(got, n);
    for (gsize i = 0; i < got; i++) {
      LacRecord expected = record_of(first + i);
      if (memcmp(&records[i], &expected, sizeof expected) != 0)
        g_error("record %" G_GSIZE_FORMAT " is another", first + i);
    }
    first += got;
    n -= got;
  }
}

static void
append(LacRecordStore *store, gsize n)
{
  g_autofree LacRecord *records = g_new(LacRecord, 5000);
  while (n > 0) {
    gsize some = (gsize) g_test_rand_int_range(1, 5000), part = MIN(n, some);
    gsize first = lac_record_store_get_length(store);
    for (gsize i = 0; i < part; i++)
      records[i] = record_of(first + i);
    lac_record_store_append(store, records, part);
    n -= part;
  }
}

static void
test_memory_only(void)
{
  g_autoptr(LacRecordStore) store = lac_record_store_new(G_MAXSIZE);
  gsize                     n;
  g_assert_null(lac_record_store_get(store, 0, &n));
  g_assert_cmpuint(n, ==, 0);
  append(store, RECORDS);
  g_assert_cmpuint(lac_record_store_get_length(store), ==, RECORDS);
  assert_range(store, 0, RECORDS);
  g_assert_cmpuint(lac_record_store_get_spilled_bytes(store), ==, 0);
  g_assert_null(lac_record_store_get(store, RECORDS, &n));
}

/* 80 bytes a record, in memory or on disk, and one chunk being filled. */
static void
test_budget(void)
{
  gsize                     budget = 4 * CHUNK_BYTES;
  g_autoptr(LacRecordStore) store = lac_record_store_new(budget);
  for (int i = 0; i < 10; i++) {
    append(store, RECORDS / 10);
    gsize n = lac_record_store_get_length(store);
    gsize memory = lac_record_store_get_memory_bytes(store);
    gsize spilled = lac_record_store_get_spilled_bytes(store);
    g_assert_cmpuint(memory, <=, budget);
    g_assert_cmpuint(memory + spilled, >=, n * sizeof(LacRecord));
    g_assert_cmpuint(memory + spilled, <=, n * sizeof(LacRecord) + CHUNK_BYTES);
  }
  g_assert_cmpuint(lac_record_store_get_spilled_bytes(store), >, 0);
  assert_range(store, 0, RECORDS);
  for (int i = 0; i < 200; i++) {
    gsize first = (gsize) g_test_rand_int_range(0, RECORDS);
    assert_range(store, first, MIN(RECORDS - first, 100));
  }
}

/* Without a folder for its file the store holds everything in memory. */
static void
test_no_folder(void)
{
  g_autofree char *before = g_strdup(g_getenv("TMPDIR"));
  g_setenv("TMPDIR", "/nonexistent/folder", TRUE);
  g_autoptr(LacRecordStore) store = lac_record_store_new(CHUNK_BYTES);
  append(store, RECORDS);
  if (before != NULL)
    g_setenv("TMPDIR", before, TRUE);
  else
    g_unsetenv("TMPDIR");
  g_assert_cmpuint(lac_record_store_get_spilled_bytes(store), ==, 0);
  g_assert_cmpuint(lac_record_store_get_memory_bytes(store), >=, RECORDS * sizeof(LacRecord));
  assert_range(store, 0, RECORDS);
}

/* The file is unlinked, so nothing remains however the process ends. */
static void
test_leaves_nothing(void)
{
  g_autofree char *before = g_strdup(g_getenv("TMPDIR"));
  g_autofree char *folder = g_dir_make_tmp("lacuna-store-XXXXXX", NULL);
  g_assert_nonnull(folder);
  g_setenv("TMPDIR", folder, TRUE);
  g_autoptr(LacRecordStore) store = lac_record_store_new(CHUNK_BYTES);
  append(store, RECORDS);
  if (before != NULL)
    g_setenv("TMPDIR", before, TRUE);
  else
    g_unsetenv("TMPDIR");
  g_assert_cmpuint(lac_record_store_get_spilled_bytes(store), >, 0);
  g_assert_cmpint(g_rmdir(folder), ==, 0); /* empty although the file is in use */
  assert_range(store, 0, RECORDS);
}

static gpointer
read_all(gpointer shared)
{
  for (int round = 0; round < 3; round++)
    assert_range(shared, 0, lac_record_store_get_length(shared));
  return NULL;
}

/* Chunks moved to disk meanwhile stay valid for snapshots that hold them. */
static void
test_shared_is_read_on_another_thread(void)
{
  LacRecordStore *store = lac_record_store_new(2 * CHUNK_BYTES);
  append(store, RECORDS / 10);
  g_autoptr(LacRecordStore) shared = lac_record_store_share(store);
  GThread                  *reader = g_thread_new("reader", read_all, shared);
  append(store, RECORDS);
  g_assert_cmpuint(lac_record_store_get_spilled_bytes(store), >, 0);
  g_thread_join(reader);
  g_assert_cmpuint(lac_record_store_get_length(shared), ==, RECORDS / 10);
  lac_record_store_free(store);
  assert_range(shared, 0, RECORDS / 10);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/record-store/all-come-back-from-memory", test_memory_only);
  g_test_add_func("/perf/record-store/beyond-the-budget-they-come-back-from-disk", test_budget);
  g_test_add_func("/perf/record-store/without-a-folder-nothing-is-lost", test_no_folder);
  g_test_add_func("/perf/record-store/leaves-no-file-behind", test_leaves_nothing);
  g_test_add_func("/perf/record-store/what-is-shared-is-read-on-another-thread",
                  test_shared_is_read_on_another_thread);
  return g_test_run();
}
