/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Named tensors in insertion order. */
#include "field/store.h"

#include "base/error.h"

#include <string.h>

struct _LacStore {
  GArray *entries; /* array of LacEntry */
};

static void
clear_entry(gpointer data)
{
  LacEntry *entry = data;

  g_free(entry->name);
  g_free(entry->data);
}

LacStore *
lac_store_new(void)
{
  LacStore *store = g_new0(LacStore, 1);

  store->entries = g_array_new(FALSE, TRUE, sizeof(LacEntry));
  g_array_set_clear_func(store->entries, clear_entry);
  return store;
}

void
lac_store_free(LacStore *store)
{
  if (!store)
    return;
  g_array_unref(store->entries);
  g_free(store);
}

static LacEntry *
find_entry(const LacStore *store, const char *name)
{
  for (guint i = 0; i < store->entries->len; i++) {
    LacEntry *entry = &g_array_index(store->entries, LacEntry, i);

    if (g_str_equal(entry->name, name))
      return entry;
  }
  return NULL;
}

static gsize
bytes_of(const LacEntry *entry)
{
  return entry->n_rows * entry->n_columns * entry->element_size;
}

gpointer
lac_store_put(LacStore *store, const char *name, gsize n_rows, gsize n_columns, guint element_size)
{
  LacEntry   *entry = find_entry(store, name);
  const gsize n_bytes = n_rows * n_columns * element_size;

  if (!entry) {
    LacEntry fresh = {.name = g_strdup(name)};

    g_array_append_val(store->entries, fresh);
    entry = &g_array_index(store->entries, LacEntry, store->entries->len - 1);
  }
  if (!entry->data || bytes_of(entry) != n_bytes) {
    g_free(entry->data);
    entry->data = g_malloc0(MAX(n_bytes, 1));
  }
  entry->n_rows = n_rows;
  entry->n_columns = n_columns;
  entry->element_size = element_size;
  return entry->data;
}

void
lac_store_put_bytes(LacStore *store, const char *name, gconstpointer data, gsize n_bytes)
{
  memcpy(lac_store_put(store, name, 1, n_bytes, 1), data, n_bytes);
}

gconstpointer
lac_store_get(const LacStore *store,
              const char     *name,
              gsize           n_rows,
              gsize           n_columns,
              guint           element_size,
              GError        **error)
{
  const LacEntry *entry = find_entry(store, name);

  if (!entry) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "the checkpoint has no \"%s\"", name);
    return NULL;
  }
  if (entry->n_rows != n_rows || entry->n_columns != n_columns ||
      entry->element_size != element_size) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_BAD_FILE,
      "\"%s\" in the checkpoint is %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT
      " of %u bytes; this run needs %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT " of %u bytes",
      name, entry->n_rows, entry->n_columns, entry->element_size, n_rows, n_columns, element_size);
    return NULL;
  }
  return entry->data;
}

gconstpointer
lac_store_get_bytes(const LacStore *store, const char *name, gsize n_bytes, GError **error)
{
  return lac_store_get(store, name, 1, n_bytes, 1, error);
}

gsize
lac_store_get_n_entries(const LacStore *store)
{
  return store->entries->len;
}

const LacEntry *
lac_store_get_entry(const LacStore *store, gsize i)
{
  g_return_val_if_fail(i < store->entries->len, NULL);
  return &g_array_index(store->entries, LacEntry, i);
}

/* ---- a store within a store ---- */

static void
copy_entry(const LacEntry *entry, const char *name, LacStore *to)
{
  memcpy(lac_store_put(to, name, entry->n_rows, entry->n_columns, entry->element_size), entry->data,
         entry->n_rows * entry->n_columns * entry->element_size);
}

void
lac_store_put_all(LacStore *store, const char *name, const LacStore *part)
{
  for (gsize i = 0; i < lac_store_get_n_entries(part); i++) {
    const LacEntry  *entry = lac_store_get_entry(part, i);
    g_autofree char *key = g_strdup_printf("%s.%s", name, entry->name);

    copy_entry(entry, key, store);
  }
}

LacStore *
lac_store_take_all(const LacStore *store, const char *name)
{
  LacStore        *part = lac_store_new();
  g_autofree char *prefix = g_strdup_printf("%s.", name);

  for (gsize i = 0; i < lac_store_get_n_entries(store); i++) {
    const LacEntry *entry = lac_store_get_entry(store, i);

    if (g_str_has_prefix(entry->name, prefix))
      copy_entry(entry, entry->name + strlen(prefix), part);
  }
  return part;
}
