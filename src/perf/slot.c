/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A triple buffer: producer, consumer and the exchange word each hold one index; publish and take swap with the word. */
#include "perf/slot.h"

#include <stdatomic.h>

#define FRESH 4u /* bit beside the index 0...2 */

struct _LacSlot {
  gpointer    payloads[3];
  guint       filling; /* producer's */
  guint       taken;   /* consumer's */
  atomic_uint shared;  /* index of the third, and whether it is newer than what was taken */
};

LacSlot *
lac_slot_new(gpointer const payloads[3])
{
  LacSlot *slot = g_new0(LacSlot, 1);

  for (guint i = 0; i < 3; i++)
    slot->payloads[i] = payloads[i];
  slot->filling = 0;
  slot->taken = 1;
  atomic_init(&slot->shared, 2);
  return slot;
}

void
lac_slot_free(LacSlot *slot)
{
  g_free(slot);
}

gpointer
lac_slot_filling(LacSlot *slot)
{
  return slot->payloads[slot->filling];
}

gpointer
lac_slot_publish(LacSlot *slot)
{
  const guint before =
    atomic_exchange_explicit(&slot->shared, slot->filling | FRESH, memory_order_acq_rel);

  slot->filling = before & ~FRESH;
  return slot->payloads[slot->filling];
}

gpointer
lac_slot_take(LacSlot *slot)
{
  if (!(atomic_load_explicit(&slot->shared, memory_order_relaxed) & FRESH))
    return NULL;
  slot->taken = atomic_exchange_explicit(&slot->shared, slot->taken, memory_order_acq_rel) & ~FRESH;
  return slot->payloads[slot->taken];
}
