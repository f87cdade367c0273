/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A span ends after those within it: spans that ended one level deeper since the last span of this level are its
 * children. */
#include "perf/recorder/nesting.h"

#define DEPTHS (G_MAXUINT8 + 2)

typedef struct {
  gint64 within[DEPTHS]; /* by depth: time of spans whose parent has not ended yet */
} Lane;

struct _LacNesting {
  GPtrArray *lanes; /* Lane *, by lane; NULL: not seen yet */
};

LacNesting *
lac_nesting_new(void)
{
  LacNesting *nesting = g_new0(LacNesting, 1);
  nesting->lanes = g_ptr_array_new_with_free_func(g_free);
  return nesting;
}

void
lac_nesting_free(LacNesting *nesting)
{
  if (nesting == NULL)
    return;
  g_ptr_array_unref(nesting->lanes);
  g_free(nesting);
}

gint64
lac_nesting_take(LacNesting *nesting, const LacRecord *span)
{
  g_return_val_if_fail(nesting != NULL && span != NULL, 0);
  if (span->lane >= nesting->lanes->len)
    g_ptr_array_set_size(nesting->lanes, span->lane + 1);
  if (nesting->lanes->pdata[span->lane] == NULL)
    nesting->lanes->pdata[span->lane] = g_new0(Lane, 1);
  Lane  *lane = nesting->lanes->pdata[span->lane];
  gint64 own = MAX(span->duration_ns - lane->within[span->depth + 1], 0);
  lane->within[span->depth + 1] = 0;
  lane->within[span->depth] += span->duration_ns;
  return own;
}
