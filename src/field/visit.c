/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "field/visit.h"

#include "base/error.h"

#include <string.h>

static void
copy(LacVisit *visit, gpointer data, gconstpointer entry, gsize n_bytes)
{
  if (entry)
    memcpy(data, entry, n_bytes);
  else
    visit->has_failed = TRUE;
}

void
lac_visit_values(LacVisit   *visit,
                 const char *name,
                 gpointer    data,
                 gsize       n_rows,
                 gsize       n_columns,
                 guint       element_size)
{
  const gsize n_bytes = n_rows * n_columns * element_size;

  if (visit->to)
    memcpy(lac_store_put(visit->to, name, n_rows, n_columns, element_size), data, n_bytes);
  else if (!visit->has_failed)
    copy(visit, data,
         lac_store_get(visit->from, name, n_rows, n_columns, element_size, visit->error), n_bytes);
}

void
lac_visit_bytes(LacVisit *visit, const char *name, gpointer data, gsize n_bytes)
{
  if (visit->to)
    lac_store_put_bytes(visit->to, name, data, n_bytes);
  else if (!visit->has_failed)
    copy(visit, data, lac_store_get_bytes(visit->from, name, n_bytes, visit->error), n_bytes);
}

/* Older stores have some of these vectors as a column. */
void
lac_visit_packed(LacVisit *visit, const char *name, LacPackingFunc func, gpointer self)
{
  const gsize   n = lac_packing_get_length(func, self);
  const double *state;

  if (visit->has_failed)
    return;
  if (visit->to) {
    lac_packing_save(func, self, lac_store_put(visit->to, name, 1, n, sizeof *state));
    return;
  }
  state = lac_store_get(visit->from, name, n, 1, sizeof *state, NULL);
  if (!state)
    state = lac_store_get(visit->from, name, 1, n, sizeof *state, visit->error);
  if (state)
    lac_packing_load(func, self, state);
  else
    visit->has_failed = TRUE;
}

void
lac_visit_later_bytes(LacVisit *visit, const char *name, gpointer data, gsize n_bytes)
{
  if (visit->to || (!visit->has_failed && lac_store_get_bytes(visit->from, name, n_bytes, NULL)))
    lac_visit_bytes(visit, name, data, n_bytes);
}

void
lac_visit_expect(LacVisit *visit, gboolean is_good)
{
  if (is_good || visit->has_failed)
    return;
  visit->has_failed = TRUE;
  if (visit->error && !*visit->error)
    g_set_error(visit->error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "the checkpoint contradicts itself: start the run anew");
}

void
lac_visit_save(LacVisitFunc func, gpointer self, LacStore *store)
{
  func(self, &(LacVisit){.to = store});
}

gboolean
lac_visit_load(LacVisitFunc func, gpointer self, const LacStore *store, GError **error)
{
  LacVisit visit = {.from = store, .error = error};

  func(self, &visit);
  return !visit.has_failed;
}
