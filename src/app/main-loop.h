/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The main loop: waking it from the compute thread, and watching how long it is busy without looking for input, which a person feels as a
 * window that hangs. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* ---- waking it ---- */

/* Coalesced: however many wakes come before the loop gets to it, it is dispatched once. Below redraw and input, so that the window stays
 * fluid. */
typedef struct _LacWakeSource LacWakeSource;

/* Attached to the default main context. */
LacWakeSource *lac_wake_source_new(GSourceFunc dispatch, gpointer user_data);

/* Any thread; at most one atomic exchange and one wake of the loop. @source is a LacWakeSource. */
void lac_wake_source_wake(gpointer source);

/* After the producer has ended. */
void lac_wake_source_free(LacWakeSource *source);

/* ---- watching it ---- */

/* A stretch longer than this is a stall. */
#define LAC_STALL_NS (50 * G_GINT64_CONSTANT(1000000))

/* Stretches of the default main context so far. A busy machine makes one longer by its clock, not by its processor time. */
typedef struct {
  guint64 n_stalls, n_cpu_stalls;     /* by the clock; by the processor time of the thread */
  gint64  longest_ns, longest_cpu_ns; /* not of one and the same stretch */
} LacMainLoopCounts;

/* Called between two turns of the loop, after a stall. */
typedef void (*LacStallFunc)(gint64 begin_ns, gint64 end_ns, gpointer user_data);

/* Begins to watch the default main context, once. Where LACUNA_MAIN_LOOP names a file, each stretch of a millisecond and more and each
 * frame are written there: "busy" or "frame", when it ended in seconds, how long it was and how much of it the processor was used, in
 * milliseconds. Main thread, as everything here. */
void lac_main_loop_watch_start(void);
void lac_main_loop_watch_frames(GtkWidget *window); /* realized */
/* The one who is told; NULL: nobody. */
void lac_main_loop_watch_set_callback(LacStallFunc func, gpointer user_data);

LacMainLoopCounts lac_main_loop_watch_get(void);
void              lac_main_loop_watch_reset(void);

G_END_DECLS
