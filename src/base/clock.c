/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks: monotonic and processor time, and the time-stamp counter with its measured rate. */
#include "base/clock.h"

#include <time.h>
#if defined(__x86_64__)
#  include <x86intrin.h>
#endif

static gint64
read_clock(clockid_t clock)
{
  struct timespec now;

  clock_gettime(clock, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

gint64
lac_clock_ns(void)
{
  return read_clock(CLOCK_MONOTONIC);
}

gint64
lac_clock_cpu_ns(void)
{
  return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

guint64
lac_clock_ticks(void)
{
#if defined(__x86_64__)
  return __rdtsc();
#else
  return (guint64) lac_clock_ns();
#endif
}

/* Ten milliseconds resolve the rate to about 1e-5. */
static double
measure_tick_ns(void)
{
  const gint64  begin_ns = lac_clock_ns();
  const guint64 begin = lac_clock_ticks();

  while (lac_clock_ns() - begin_ns < 10000000)
    ;
  return (double) (lac_clock_ns() - begin_ns) / (double) (lac_clock_ticks() - begin);
}

double
lac_clock_tick_ns(void)
{
  static gsize  once;
  static double tick_ns;

  if (g_once_init_enter(&once)) {
    tick_ns = measure_tick_ns();
    g_once_init_leave(&once, 1);
  }
  return tick_ns;
}
