/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One visit of everything that determines the next step of a method: the same list of keys saves it and restores it. After
 * a failure, further entries are left alone. */
#pragma once

#include "base/packing.h"
#include "field/store.h"

G_BEGIN_DECLS

typedef struct {
  LacStore       *to;   /* (nullable): saving: receives the entries */
  const LacStore *from; /* (nullable): restoring */
  GError        **error;
  gboolean        has_failed;
} LacVisit;

static inline gboolean
lac_visit_restores(const LacVisit *visit)
{
  return visit->from != NULL && !visit->has_failed;
}

/* Visit @data: [n_rows][n_columns] of @element_size bytes; of @n_bytes. Fail with %LAC_ERROR_BAD_FILE when restoring from a
 * store without an entry of that shape. */
void lac_visit_values(LacVisit   *visit,
                      const char *name,
                      gpointer    data,
                      gsize       n_rows,
                      gsize       n_columns,
                      guint       element_size);
void lac_visit_bytes(LacVisit *visit, const char *name, gpointer data, gsize n_bytes);

/* Visit the packed state of @self (base/packing.h) as one entry. */
void lac_visit_packed(LacVisit *visit, const char *name, LacPackingFunc func, gpointer self);

/* Visit bytes that older stores do not have: @data then stays as it is. */
void lac_visit_later_bytes(LacVisit *visit, const char *name, gpointer data, gsize n_bytes);

/* A visit of @self by @func: saves it in @store; restores it, or returns FALSE with an error. */
typedef void (*LacVisitFunc)(gpointer self, LacVisit *visit);
void     lac_visit_save(LacVisitFunc func, gpointer self, LacStore *store);
gboolean lac_visit_load(LacVisitFunc func, gpointer self, const LacStore *store, GError **error);

/* Fails unless @is_good, with %LAC_ERROR_BAD_FILE if no error is set: what was restored must be possible. */
void lac_visit_expect(LacVisit *visit, gboolean is_good);

G_END_DECLS
