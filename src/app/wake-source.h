/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wakes the main loop from the compute thread, coalesced: however many wakes come before the loop gets to it,
 * it is dispatched once. Below redraw and input, so that the window stays fluid. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacWakeSource LacWakeSource;

/* Attached to the default main context. */
LacWakeSource *lac_wake_source_new(GSourceFunc dispatch, gpointer user_data);

/* Any thread; at most one atomic exchange and one wake of the loop. @source is a LacWakeSource. */
void lac_wake_source_wake(gpointer source);

/* After the producer has ended. */
void lac_wake_source_free(LacWakeSource *source);

G_END_DECLS
