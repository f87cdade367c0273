/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of measurements: first one way, then the other. */
#include "bench/harness/pair.h"

gboolean
lac_bench_take_scheduler(const LacBenchScheduler *scheduler, GError **error)
{
  double *with = scheduler->with_costs, *without = scheduler->without_costs;

  for (gsize i = 0; i < scheduler->n; i++) {
    const gboolean done = i % 2 ? scheduler->measure(scheduler->without, &without[i], error) &&
                                    scheduler->measure(scheduler->with, &with[i], error)
                                : scheduler->measure(scheduler->with, &with[i], error) &&
                                    scheduler->measure(scheduler->without, &without[i], error);

    if (!done)
      return FALSE;
    scheduler->speedups[i] = without[i] / with[i];
  }
  return TRUE;
}
