/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of measurements of two variants. */
#include "bench/harness/pair.h"

gboolean
lac_bench_take_turns(const LacBenchTurns *turns, GError **error)
{
  double *with = turns->with_costs, *without = turns->without_costs;

  for (gsize i = 0; i < turns->n; i++) {
    const gboolean done = i % 2 ? turns->measure(turns->without, &without[i], error) &&
                                    turns->measure(turns->with, &with[i], error)
                                : turns->measure(turns->with, &with[i], error) &&
                                    turns->measure(turns->without, &without[i], error);

    if (!done)
      return FALSE;
    turns->speedups[i] = without[i] / with[i];
  }
  return TRUE;
}
