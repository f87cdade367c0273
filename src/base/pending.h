/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A result that was requested and may not be available yet: a readback from a device, the loss of a step, a field, a row
 * of metrics, a frame. A value without memory of its own; used by the thread of its owner. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  /* Returns TRUE when finish() does not wait. Never waits itself. */
  gboolean (*is_ready)(gpointer owner, guint64 ticket);
  /* Completes the result, waiting if necessary. @result: what the owner's request says. Results of one owner are finished
   * in the order of their requests. Returns: FALSE with an error. */
  gboolean (*finish)(gpointer owner, guint64 ticket, gpointer result, GError **error);
} LacPendingType;

typedef struct {
  const LacPendingType *type; /* NULL: nothing is pending */
  gpointer              owner;
  guint64               ticket; /* the owner's number of the request */
} LacPending;

static inline gboolean
lac_pending_is_open(const LacPending *pending)
{
  return pending->type != NULL;
}

static inline gboolean
lac_pending_is_ready(const LacPending *pending)
{
  return pending->type == NULL || pending->type->is_ready(pending->owner, pending->ticket);
}

/* Does nothing if nothing is pending; afterwards, nothing is. */
static inline gboolean
lac_pending_finish(LacPending *pending, gpointer result, GError **error)
{
  const LacPending asked = *pending;

  *pending = (LacPending){NULL};
  return asked.type == NULL || asked.type->finish(asked.owner, asked.ticket, result, error);
}

G_END_DECLS
