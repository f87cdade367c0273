/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State that several methods have. */
#include "experiment/quantum/methods/energy-method.h"

void
lac_method_memory_pack(gpointer self, LacPacking *packing)
{
  LacMethodMemory *memory = self;

  lac_packing_values(packing, memory->numbers, memory->n);
}
