/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Named tensors that an experiment saves to and restores from a checkpoint. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char    *name; /* "theta", "optimiser", "rng" */
  gsize    n_rows, n_columns;
  guint    element_size; /* 8: double or 64-bit integer; 4: float; 1: byte */
  gpointer data;
} LacEntry;

typedef struct _LacStore LacStore;

LacStore *lac_store_new(void);
void      lac_store_free(LacStore *store);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacStore, lac_store_free)

/* Adds or overwrites an entry, reusing its memory if the size is unchanged. Returns: (transfer none): the memory to
 * fill. */
gpointer
lac_store_put(LacStore *store, const char *name, gsize n_rows, gsize n_columns, guint element_size);
void lac_store_put_bytes(LacStore *store, const char *name, gconstpointer data, gsize n_bytes);

/* Returns: (transfer none): the data, or NULL with %LAC_ERROR_BAD_FILE naming the expected and the actual shape. */
gconstpointer lac_store_get(const LacStore *store,
                            const char     *name,
                            gsize           n_rows,
                            gsize           n_columns,
                            guint           element_size,
                            GError        **error);
gconstpointer
lac_store_get_bytes(const LacStore *store, const char *name, gsize n_bytes, GError **error);

gsize           lac_store_get_n_entries(const LacStore *store);
const LacEntry *lac_store_get_entry(const LacStore *store, gsize i);

/* Copies every entry of @part into @store as "NAME.entry". */
void lac_store_put_all(LacStore *store, const char *name, const LacStore *part);

/* Returns: (transfer full): the entries that lac_store_put_all() stored under @name. */
LacStore *lac_store_take_all(const LacStore *store, const char *name);

G_END_DECLS
