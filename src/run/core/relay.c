/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lossless queue from the compute thread to the controlling thread. Two stacks of batches, one of filled and one of
 * empty ones; each has one thread that pushes and one that takes the whole stack, which avoids the ABA problem. */
#include "run/core/relay.h"

#include <string.h>

typedef struct _Batch Batch;
struct _Batch {
  Batch  *next;
  gsize   n; /* elements in @data; 0: elements of the segment, given by the members below */
  guint64 first, n_stored; /* range in the segment */
  guint8  data[];
};

struct _LacRelay {
  gsize    element_size, batch_length;
  gsize    budget;             /* maximum number of batches */
  Batch   *filled, *empty;     /* atomic */
  Batch   *pool, *open;        /* producer: available empty batches, and the one being filled */
  gsize    n_batches;          /* producer: number allocated so far */
  guint64  spill_first, spill; /* producer: elements only in the segment */
  gboolean has_spilled;
};

LacRelay *
lac_relay_new(gsize element_size, gsize batch_length, gsize budget_bytes)
{
  LacRelay *relay = g_new0(LacRelay, 1);

  relay->element_size = element_size;
  relay->batch_length = batch_length;
  relay->budget = MAX(budget_bytes / (element_size * batch_length), 4);
  return relay;
}

static void
free_stack(Batch *batch)
{
  while (batch != NULL) {
    Batch *next = batch->next;
    g_free(batch);
    batch = next;
  }
}

void
lac_relay_free(LacRelay *relay)
{
  if (relay == NULL)
    return;
  free_stack(relay->filled);
  free_stack(relay->empty);
  free_stack(relay->pool);
  g_free(relay->open);
  g_free(relay);
}

static void
push(Batch **stack, Batch *batch)
{
  batch->next = __atomic_load_n(stack, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(stack, &batch->next, batch, TRUE, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED))
    continue;
}

static Batch *
take_all(Batch **stack)
{
  return __atomic_exchange_n(stack, NULL, __ATOMIC_ACQUIRE);
}

/* Returns: (nullable): an empty batch; NULL when the budget is used up. */
static Batch *
get_batch(LacRelay *relay)
{
  if (relay->pool == NULL)
    relay->pool = take_all(&relay->empty);
  if (relay->pool == NULL && relay->n_batches < relay->budget) {
    relay->pool = g_malloc(sizeof(Batch) + relay->batch_length * relay->element_size);
    relay->pool->next = NULL;
    relay->n_batches++;
  }
  Batch *batch = relay->pool;
  if (batch != NULL) {
    relay->pool = batch->next;
    batch->n = 0;
    batch->n_stored = 0;
  }
  return batch;
}

gboolean
lac_relay_publish(LacRelay *relay)
{
  gboolean any = FALSE;

  if (relay->open != NULL && relay->open->n > 0) {
    push(&relay->filled, g_steal_pointer(&relay->open));
    any = TRUE;
  }
  if (relay->spill > 0) {
    Batch *batch = relay->open != NULL ? g_steal_pointer(&relay->open) : get_batch(relay);
    if (batch == NULL)
      return any;
    batch->first = relay->spill_first;
    batch->n_stored = relay->spill;
    relay->spill = 0;
    push(&relay->filled, batch);
    any = TRUE;
  }
  return any;
}

void
lac_relay_put(LacRelay *relay, guint64 ordinal, gconstpointer elements, gsize n)
{
  const guint8 *from = elements;

  while (n > 0) {
    if (relay->spill == 0 && relay->open == NULL)
      relay->open = get_batch(relay);
    if (relay->spill > 0 || relay->open == NULL) {
      if (relay->spill == 0)
        relay->spill_first = ordinal;
      relay->spill += n;
      relay->has_spilled = TRUE;
      return;
    }
    gsize take = MIN(n, relay->batch_length - relay->open->n);
    memcpy(relay->open->data + relay->open->n * relay->element_size, from,
           take * relay->element_size);
    relay->open->n += take;
    from += take * relay->element_size;
    ordinal += take;
    n -= take;
    if (relay->open->n == relay->batch_length)
      push(&relay->filled, g_steal_pointer(&relay->open));
  }
}

gboolean
lac_relay_is_spilling(const LacRelay *relay)
{
  return relay->spill > 0;
}

gboolean
lac_relay_has_spilled(const LacRelay *relay)
{
  return relay->has_spilled;
}

void
lac_relay_finish(LacRelay *relay)
{
  relay->budget++; /* one extra batch to announce the remaining spilled elements */
  lac_relay_publish(relay);
}

gsize
lac_relay_drain(LacRelay        *relay,
                LacRelayFunc     func,
                gpointer         func_data,
                LacRelayLoadFunc load,
                gpointer         load_data)
{
  Batch *batch = take_all(&relay->filled);
  Batch *ordered = NULL;
  gsize  n = 0;

  while (batch != NULL) {
    Batch *next = batch->next;
    batch->next = ordered;
    ordered = batch;
    batch = next;
  }
  while (ordered != NULL) {
    Batch *next = ordered->next;

    if (ordered->n > 0)
      func(ordered->data, ordered->n, func_data);
    n += ordered->n;
    if (ordered->n_stored > 0)
      n += load(ordered->first, ordered->n_stored, func, func_data, load_data);
    push(&relay->empty, ordered);
    ordered = next;
  }
  return n;
}
