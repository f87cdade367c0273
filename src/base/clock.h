/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Monotonic time in nanoseconds, and processor ticks for timing within a step. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gint64 lac_clock_ns(void);     /* CLOCK_MONOTONIC */
gint64 lac_clock_cpu_ns(void); /* CLOCK_PROCESS_CPUTIME_ID */
gint64 lac_clock_thread_ns(
  void); /* CLOCK_THREAD_CPUTIME_ID: of the calling thread, without the time it waits */
guint64 lac_clock_ticks(void);   /* time-stamp counter if available, else nanoseconds */
double  lac_clock_tick_ns(void); /* nanoseconds per tick, measured once against CLOCK_MONOTONIC */

G_END_DECLS
