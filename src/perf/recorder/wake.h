/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One wake-up for many messages. The consumer clears the flag before it drains; the opposite order loses wake-ups. */
#pragma once

#include <glib.h>

#include <stdatomic.h>

G_BEGIN_DECLS

typedef struct {
  atomic_int raised;
} LacWake;

/* Raises the flag; called by the producer after publishing. Returns: TRUE when the consumer must be woken. */
static inline gboolean
lac_wake_raise(LacWake *wake)
{
  return !atomic_exchange_explicit(&wake->raised, 1, memory_order_acq_rel);
}

/* Returns TRUE when something was published since the last lac_wake_clear(); called by the consumer. */
static inline gboolean
lac_wake_is_raised(LacWake *wake)
{
  return atomic_load_explicit(&wake->raised, memory_order_acquire) != 0;
}

/* Clears the flag; called by the consumer before draining. */
static inline void
lac_wake_clear(LacWake *wake)
{
  atomic_exchange_explicit(&wake->raised, 0, memory_order_acq_rel);
}

G_END_DECLS
