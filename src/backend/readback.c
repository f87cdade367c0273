/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backend/readback.h"

#include "backend/device-log.h"
#include "backend/registry.h"
#include "base/error.h"

typedef struct {
  void    *staging;
  gboolean is_unread; /* sent, and not opened since */
} Slot;

struct _LacReadback {
  LacDevice device;
  guint     n_slots;
  Slot     *slots;
  guint64   n_sent;
};

LacReadback *
lac_readback_new(LacDevice device, gsize n_bytes, guint n_slots)
{
  g_return_val_if_fail(n_slots > 0, NULL);
  g_autoptr(LacReadback) readback = g_new0(LacReadback, 1);

  if (!device.table->staging_new)
    return NULL;
  readback->device = device;
  readback->n_slots = n_slots;
  readback->slots = g_new0(Slot, n_slots);
  for (guint i = 0; i < n_slots; i++)
    if (device.table->staging_new(device.self, n_bytes, &readback->slots[i].staging) !=
        LAC_STATUS_OK) {
      readback->slots[i].staging = NULL;
      return NULL;
    }
  return g_steal_pointer(&readback);
}

void
lac_readback_free(LacReadback *readback)
{
  if (!readback)
    return;
  for (guint i = 0; i < readback->n_slots && readback->slots; i++)
    if (readback->slots[i].staging)
      readback->device.table->staging_free(readback->device.self, readback->slots[i].staging);
  g_free(readback->slots);
  g_free(readback);
}

/* Waits for a transfer that was never opened, before its buffer is filled again. */
static Slot *
get_next(LacReadback *readback)
{
  Slot       *slot = &readback->slots[readback->n_sent % readback->n_slots];
  const void *host;

  if (slot->is_unread)
    readback->device.table->staging_open(readback->device.self, slot->staging, 1, &host);
  slot->is_unread = FALSE;
  return slot;
}

LacStatus
lac_readback_put(LacReadback *readback, gsize at, gconstpointer memory, gsize n_bytes)
{
  return readback->device.table->staging_put(readback->device.self, get_next(readback)->staging, at,
                                             memory, n_bytes);
}

static gboolean
is_ready(gpointer owner, guint64 ticket)
{
  const LacReadback *readback = owner;
  const void        *host = NULL;

  return readback->device.table->staging_open(readback->device.self,
                                              readback->slots[ticket % readback->n_slots].staging,
                                              0, &host) != LAC_STATUS_OK ||
         host != NULL;
}

static LacStatus
open_slot(LacReadback *readback, guint64 ticket, gconstpointer *host)
{
  Slot     *slot = &readback->slots[ticket % readback->n_slots];
  LacSpan   span;
  LacStatus status;

  *host = NULL;
  if (ticket >= readback->n_sent || ticket + readback->n_slots < readback->n_sent)
    return LAC_STATUS_BAD_POINTER;
  slot->is_unread = FALSE;
  span = lac_device_log_begin_wait(readback->device.log);
  status = readback->device.table->staging_open(readback->device.self, slot->staging, 1, host);
  lac_device_log_end_wait(readback->device.log, span);
  return status;
}

static gboolean
finish(gpointer owner, guint64 ticket, gpointer result, GError **error)
{
  LacReadback    *readback = owner;
  const LacStatus status = open_slot(readback, ticket, result);

  if (status == LAC_STATUS_OK)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "results could not be read from %s: %s",
              readback->device.table->name, lac_status_text(status));
  return FALSE;
}

LacStatus
lac_readback_send(LacReadback *readback, LacPending *pending)
{
  static const LacPendingType type = {is_ready, finish};
  Slot                       *slot = get_next(readback);
  const LacStatus             status =
    readback->device.table->staging_send(readback->device.self, slot->staging);

  *pending = (LacPending){NULL};
  if (status != LAC_STATUS_OK)
    return status;
  slot->is_unread = TRUE;
  *pending = (LacPending){&type, readback, readback->n_sent++};
  return LAC_STATUS_OK;
}

LacStatus
lac_readback_open(LacReadback *readback, const LacPending *pending, gconstpointer *host)
{
  return open_slot(readback, pending->ticket, host);
}
