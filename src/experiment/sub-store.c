/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries copied under a name and back. */
#include "experiment/sub-store.h"

#include <string.h>

static void
copy(const LacEntry *entry, const char *name, LacStore *to)
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

    copy(entry, key, store);
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
      copy(entry, entry->name + strlen(prefix), part);
  }
  return part;
}
