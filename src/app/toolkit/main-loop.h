/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The main loop: wake-ups from the compute thread, and a watch on stalls, the stretches during which the loop handles
 * no input. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* ---- wake-ups ---- */

/* A coalescing wake-up: any number of wakes before the loop dispatches it cause one dispatch. Its priority is below
 * redraw and input, which keeps the window responsive. */
typedef struct _LacWakeSource LacWakeSource;

/* Creates a source attached to the default main context. */
LacWakeSource *lac_wake_source_new(GSourceFunc dispatch, gpointer user_data);

/* Wakes the loop from any thread, with at most one atomic exchange and one wake-up. @source is a LacWakeSource. */
void lac_wake_source_wake(gpointer source);

/* Call only after the producer has ended. */
void lac_wake_source_free(LacWakeSource *source);

/* ---- the stall watch ---- */

/* minimum duration of a stall */
#define LAC_STALL_NS (50 * G_GINT64_CONSTANT(1000000))

/* Statistics of the busy stretches of the default main context so far. On a loaded machine the wall-clock time grows,
 * the CPU time does not. */
typedef struct {
  guint64 n_stalls, n_cpu_stalls;     /* measured by wall clock; by the thread's CPU time */
  gint64  longest_ns, longest_cpu_ns; /* may stem from different stretches */
} LacMainLoopCounts;

/* Called between two iterations of the loop, after a stall. */
typedef void (*LacStallFunc)(gint64 begin_ns, gint64 end_ns, gpointer user_data);

/* Starts watching the default main context; call once. If the environment variable LACUNA_MAIN_LOOP names a file,
 * each stretch of at least a millisecond and each frame are written to it: "busy" or "frame", its end in seconds, its
 * duration and its CPU time in milliseconds. Main thread, like all functions here. */
void lac_main_loop_watch_start(void);
void lac_main_loop_watch_frames(GtkWidget *window); /* @window: realized */
/* @func: (nullable): called after each stall */
void lac_main_loop_watch_set_callback(LacStallFunc func, gpointer user_data);

LacMainLoopCounts lac_main_loop_watch_get(void);
void              lac_main_loop_watch_reset(void);

G_END_DECLS
