/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Newest wins: three slots, one atomic word. The producer never waits and nothing is ever torn. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacSlot LacSlot;

/* @payloads: three things, one a slot; the caller owns them. */
LacSlot *lac_slot_new(gpointer const payloads[3]);
void     lac_slot_free(LacSlot *slot);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSlot, lac_slot_free)

/* Producer: the payload to fill, then publish it. Returns: the one to fill next. */
gpointer lac_slot_filling(LacSlot *slot);
gpointer lac_slot_publish(LacSlot *slot);

/* Consumer: the newest payload, its own until the next call; NULL when nothing is newer. */
gpointer lac_slot_take(LacSlot *slot);

G_END_DECLS
