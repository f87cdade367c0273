/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks never go back, and ticks and nanoseconds tell the same time. */
#include "base/clock.h"

#include <math.h>

static void
test_never_back(void)
{
  gint64  ns = lac_clock_ns(), cpu = lac_clock_cpu_ns();
  guint64 ticks = lac_clock_ticks();
  for (int i = 0; i < 10000; i++) {
    gint64  later = lac_clock_ns(), later_cpu = lac_clock_cpu_ns();
    guint64 later_ticks = lac_clock_ticks();
    g_assert_cmpint(later, >=, ns);
    g_assert_cmpint(later_cpu, >=, cpu);
    g_assert_cmpuint(later_ticks, >=, ticks);
    ns = later;
    cpu = later_cpu;
    ticks = later_ticks;
  }
  g_assert_cmpint(lac_clock_cpu_ns(), >, 0);
}

/* One per cent: the counter is measured over 10 ms with a pair of readings that are 100 ns apart at worst, or some
 * microseconds where the thread was interrupted in all sixteen tries. */
static void
test_ticks_are_time(void)
{
  double tick_ns = lac_clock_tick_ns();
  g_assert_cmpfloat(tick_ns, >, 0);
  g_assert_cmpfloat(tick_ns, ==, lac_clock_tick_ns());
  gint64  ns = lac_clock_ns();
  guint64 ticks = lac_clock_ticks();
  g_usleep(20000);
  double by_ticks = (double) (lac_clock_ticks() - ticks) * tick_ns;
  double by_clock = (double) (lac_clock_ns() - ns);
  /* The thread may be put aside between the two readings; then the difference is that, and not the rate. */
  if (fabs(by_ticks - by_clock) > 0.01 * by_clock) {
    ns = lac_clock_ns();
    ticks = lac_clock_ticks();
    g_usleep(500000);
    by_ticks = (double) (lac_clock_ticks() - ticks) * tick_ns;
    by_clock = (double) (lac_clock_ns() - ns);
  }
  g_assert_cmpfloat(fabs(by_ticks - by_clock), <=, 0.01 * by_clock);
}

static void
test_sleeping_costs_no_processor_time(void)
{
  gint64 wall = lac_clock_ns(), cpu = lac_clock_cpu_ns();
  g_usleep(50000);
  g_assert_cmpint(lac_clock_ns() - wall, >=, 50000000);
  g_assert_cmpint(lac_clock_cpu_ns() - cpu, <, 50000000);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/base/clock/never-goes-back", test_never_back);
  g_test_add_func("/base/clock/ticks-and-nanoseconds-tell-the-same-time", test_ticks_are_time);
  g_test_add_func("/base/clock/sleeping-costs-no-processor-time",
                  test_sleeping_costs_no_processor_time);
  return g_test_run();
}
