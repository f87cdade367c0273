/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chunks of records: the newest in memory, the oldest, once the budget is used, in a mapped file. Without a temporary
 * file, or with a full disk, everything stays in memory: records are never lost. */
#define _GNU_SOURCE
#include "perf/recorder/record-store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHUNK_RECORDS 16384 /* 1.25 MiB, a whole number of pages */
#define CHUNK_BYTES   (CHUNK_RECORDS * sizeof(LacRecord))

struct _LacRecordStore {
  GPtrArray *chunks;   /* LacRecord[CHUNK_RECORDS], in memory or mapped */
  GPtrArray *owners;   /* GBytes of each chunk, shared between snapshots */
  gsize      n;        /* total records */
  gsize      n_mapped; /* leading chunks stored in the file */
  gsize      budget_chunks;
  int        file;      /* -1: none yet; -2: unavailable */
  gboolean   is_shared; /* snapshot: read-only */
};

static _Atomic gsize all_bytes; /* of the chunks in memory, over all stores */

static void
free_chunk(gpointer chunk)
{
  g_free(chunk);
  atomic_fetch_sub_explicit(&all_bytes, CHUNK_BYTES, memory_order_relaxed);
}

static LacRecord *
add_chunk(LacRecordStore *store)
{
  LacRecord *chunk = g_malloc(CHUNK_BYTES);

  atomic_fetch_add_explicit(&all_bytes, CHUNK_BYTES, memory_order_relaxed);
  g_ptr_array_add(store->chunks, chunk);
  g_ptr_array_add(store->owners, g_bytes_new_with_free_func(chunk, CHUNK_BYTES, free_chunk, chunk));
  return chunk;
}

gsize
lac_record_store_get_all_bytes(void)
{
  return atomic_load_explicit(&all_bytes, memory_order_relaxed);
}

LacRecordStore *
lac_record_store_new(gsize budget_bytes)
{
  LacRecordStore *store = g_new0(LacRecordStore, 1);

  store->chunks = g_ptr_array_new();
  store->owners = g_ptr_array_new_with_free_func((GDestroyNotify) g_bytes_unref);
  store->budget_chunks = MAX(1, budget_bytes / CHUNK_BYTES + (budget_bytes % CHUNK_BYTES != 0));
  store->file = -1;
  return store;
}

void
lac_record_store_free(LacRecordStore *store)
{
  if (!store)
    return;
  g_ptr_array_unref(store->chunks);
  g_ptr_array_unref(store->owners);
  if (store->file >= 0)
    close(store->file);
  g_free(store);
}

/* The last chunk may be filled further; existing records never change. */
LacRecordStore *
lac_record_store_share(const LacRecordStore *store)
{
  LacRecordStore *shared = lac_record_store_new(CHUNK_BYTES);

  shared->n = store->n;
  shared->n_mapped = store->n_mapped;
  shared->is_shared = TRUE;
  for (guint i = 0; i < store->chunks->len; i++) {
    g_ptr_array_add(shared->chunks, g_ptr_array_index(store->chunks, i));
    g_ptr_array_add(shared->owners, g_bytes_ref(g_ptr_array_index(store->owners, i)));
  }
  return shared;
}

static void
unmap(gpointer chunk)
{
  munmap(chunk, CHUNK_BYTES);
}

static int
open_temporary(void)
{
  /* /tmp may be in memory, which this is meant to save. */
  const char      *folder = g_getenv("TMPDIR");
  g_autofree char *path =
    g_build_filename(folder ? folder : "/var/tmp", "lacuna-records-XXXXXX", NULL);
  const int file = mkostemp(path, O_CLOEXEC);

  if (file < 0)
    return -2;
  unlink(path);
  return file;
}

static gboolean
write_all(int file, const guint8 *bytes, gsize n, off_t offset)
{
  while (n > 0) {
    const ssize_t written = pwrite(file, bytes, n, offset);

    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return FALSE;
    bytes += written;
    offset += written;
    n -= (gsize) written;
  }
  return TRUE;
}

/* Moves the oldest chunk in memory to the file. */
static void
spill_one(LacRecordStore *store)
{
  const off_t offset = (off_t) (store->n_mapped * CHUNK_BYTES);
  gpointer    chunk = g_ptr_array_index(store->chunks, store->n_mapped);
  gpointer    mapped;

  if (store->file == -1)
    store->file = open_temporary();
  if (store->file < 0)
    return;
  if (!write_all(store->file, chunk, CHUNK_BYTES, offset)) {
    store->budget_chunks = G_MAXSIZE;
    return;
  }
  mapped = mmap(NULL, CHUNK_BYTES, PROT_READ, MAP_SHARED, store->file, offset);
  if (mapped == MAP_FAILED) {
    store->budget_chunks = G_MAXSIZE;
    return;
  }
  g_bytes_unref(g_ptr_array_index(store->owners, store->n_mapped));
  store->owners->pdata[store->n_mapped] =
    g_bytes_new_with_free_func(mapped, CHUNK_BYTES, unmap, mapped);
  store->chunks->pdata[store->n_mapped++] = mapped;
}

void
lac_record_store_append(LacRecordStore *store, const LacRecord *records, gsize n)
{
  g_return_if_fail(!store->is_shared);
  while (n > 0) {
    const gsize used = store->n % CHUNK_RECORDS;
    const gsize part = MIN(n, CHUNK_RECORDS - used);
    LacRecord  *chunk;

    if (used == 0) {
      if (store->chunks->len - store->n_mapped >= store->budget_chunks)
        spill_one(store);
      add_chunk(store);
    }
    chunk = g_ptr_array_index(store->chunks, store->chunks->len - 1);
    memcpy(chunk + used, records, part * sizeof *records);
    store->n += part;
    records += part;
    n -= part;
  }
}

gsize
lac_record_store_get_length(const LacRecordStore *store)
{
  return store->n;
}

const LacRecord *
lac_record_store_get(const LacRecordStore *store, gsize first, gsize *n)
{
  const LacRecord *chunk;

  if (first >= store->n) {
    *n = 0;
    return NULL;
  }
  chunk = g_ptr_array_index(store->chunks, first / CHUNK_RECORDS);
  *n = MIN(store->n - first, CHUNK_RECORDS - first % CHUNK_RECORDS);
  return chunk + first % CHUNK_RECORDS;
}

gsize
lac_record_store_get_memory_bytes(const LacRecordStore *store)
{
  return (store->chunks->len - store->n_mapped) * CHUNK_BYTES;
}

gsize
lac_record_store_get_spilled_bytes(const LacRecordStore *store)
{
  return store->n_mapped * CHUNK_BYTES;
}
