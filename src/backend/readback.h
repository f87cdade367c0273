/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results read back from a device without waiting: a ring of staging buffers, each sent behind the kernels enqueued so
 * far, while later ones compute. One thread. */
#pragma once

#include "backend/backend.h"
#include "base/pending.h"

G_BEGIN_DECLS

typedef struct _LacReadback LacReadback;

/* @n_slots: results that may be pending at a time. Returns: (nullable): NULL for a device whose memory is the host's, which
 * has nothing to read back, or when it is out of memory. */
LacReadback *lac_readback_new(LacDevice device, gsize n_bytes, guint n_slots);
void         lac_readback_free(LacReadback *readback);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacReadback, lac_readback_free)

/* Enqueues a copy of device memory to byte @at of the next result. */
LacStatus lac_readback_put(LacReadback *readback, gsize at, gconstpointer memory, gsize n_bytes);

/* Sends what was put. @pending: (out): finished with a gconstpointer *, which is set to the result in host memory, valid
 * until @n_slots further results are put. */
LacStatus lac_readback_send(LacReadback *readback, LacPending *pending);

/* As lac_pending_finish(), which may follow; with the device's status as the error. */
LacStatus lac_readback_open(LacReadback *readback, const LacPending *pending, gconstpointer *host);

G_END_DECLS
