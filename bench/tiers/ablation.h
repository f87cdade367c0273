/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each optimisation is worth: the same work with and without it, one after the other in one process, and what the result
 * differs by. A switch and a workload are a row each of tables in ablation.c. */
#pragma once

#include "bench/tiers/bench.h"

G_BEGIN_DECLS

/* Adds to @file, for each switch and tier, rows named "ablation/TIER/SWITCH": speedup (time without over time with),
 * with_seconds, without_seconds, difference (of the result, relative, with the limit it must keep); and for what cannot be
 * switched a speedup without samples whose note says why. "only" of the settings is looked for in these names. No other thread
 * may run. */
gboolean lac_bench_ablate(const LacBenchSettings *settings, LacBenchFile *file, GError **error);

G_END_DECLS
