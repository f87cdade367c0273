/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System clocks, and the time-stamp counter calibrated against them. */
#include "base/clock.h"

#include <pthread.h>
#include <time.h>
#if defined(__x86_64__)
#  include <x86intrin.h>
#endif

static gint64
read_clock(clockid_t id)
{
  struct timespec t;
  clock_gettime(id, &t);
  return (gint64) t.tv_sec * 1000000000 + t.tv_nsec;
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

gint64
lac_clock_thread_ns(void)
{
  return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

#if defined(__x86_64__)

typedef struct {
  gint64  ns;
  guint64 ticks;
} Pair;

static double         tick_ns;
static pthread_once_t measured = PTHREAD_ONCE_INIT;

/* Reads both clocks at one moment; of several tries returns the one with the shortest interruption. */
static Pair
read_pair(void)
{
  Pair    best = {0, 0};
  guint64 least = G_MAXUINT64;
  for (int i = 0; i < 16; i++) {
    guint64 before = __rdtsc();
    gint64  ns = lac_clock_ns();
    guint64 width = __rdtsc() - before;
    if (width < least) {
      least = width;
      best = (Pair){ns, before + width / 2};
    }
  }
  return best;
}

static void
measure(void)
{
  const struct timespec pause = {0, 10 * 1000 * 1000};
  Pair                  start = read_pair();
  nanosleep(&pause, NULL);
  Pair end = read_pair();
  tick_ns = (double) (end.ns - start.ns) / (double) (end.ticks - start.ticks);
}

guint64
lac_clock_ticks(void)
{
  return __rdtsc();
}

double
lac_clock_tick_ns(void)
{
  pthread_once(&measured, measure);
  return tick_ns;
}

#else

guint64
lac_clock_ticks(void)
{
  return (guint64) lac_clock_ns();
}

double
lac_clock_tick_ns(void)
{
  return 1.0;
}

#endif
