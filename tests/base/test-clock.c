/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks are monotonic, and ticks and nanoseconds agree. */
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

/* One per cent: the counter is calibrated over 10 ms, between readings at worst some microseconds apart. A thread
 * preempted between two readings here spoils one try; a wrong rate spoils all. */
static void
test_ticks_are_time(void)
{
  double   tick_ns = lac_clock_tick_ns();
  gboolean agree = FALSE;
  g_assert_cmpfloat(tick_ns, >, 0);
  g_assert_cmpfloat(tick_ns, ==, lac_clock_tick_ns());
  for (int i = 0; i < 10 && !agree; i++) {
    gint64  ns = lac_clock_ns();
    guint64 ticks = lac_clock_ticks();
    g_usleep(20000);
    double by_ticks = (double) (lac_clock_ticks() - ticks) * tick_ns;
    double by_clock = (double) (lac_clock_ns() - ns);
    agree = fabs(by_ticks - by_clock) <= 0.01 * by_clock;
  }
  g_assert_true(agree);
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
