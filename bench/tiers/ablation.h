/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benefit of each optimisation: the same work with and without it, alternating in one process, and the change of the
 * result. Each switch and workload is a row of the tables in ablation.c. */
#pragma once

#include "bench/tiers/bench.h"

G_BEGIN_DECLS

/* Adds to @file, for each switch and tier, rows named "ablation/TIER/SWITCH": speedup (time without over time with),
 * with_seconds, without_seconds, difference (of the result, relative, with its limit); and for what cannot be
 * switched a speedup without samples, with the reason in its note. "only" of the settings filters these names. No
 * other thread may run. */
gboolean lac_bench_ablate(const LacBenchSettings *settings, LacBenchFile *file, GError **error);

G_END_DECLS
