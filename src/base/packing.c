/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/packing.h"

#include <string.h>

void
lac_packing_values(LacPacking *packing, double *values, gsize n)
{
  if (packing->to)
    memcpy(packing->to + packing->n, values, n * sizeof *values);
  else if (packing->from)
    memcpy(values, packing->from + packing->n, n * sizeof *values);
  packing->n += n;
}

void
lac_packing_index(LacPacking *packing, gsize *index)
{
  double value = (double) *index;

  lac_packing_values(packing, &value, 1);
  if (packing->from)
    *index = (gsize) value;
}

gsize
lac_packing_get_length(LacPackingFunc func, gconstpointer self)
{
  LacPacking packing = {0};

  func((gpointer) self, &packing);
  return packing.n;
}

void
lac_packing_save(LacPackingFunc func, gconstpointer self, double *state)
{
  func((gpointer) self, &(LacPacking){.to = state});
}

void
lac_packing_load(LacPackingFunc func, gpointer self, const double *state)
{
  func(self, &(LacPacking){.from = state});
}
