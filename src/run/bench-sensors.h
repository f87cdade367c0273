/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sensor selection costs on three grids: seconds and memory from snapshots in memory to places. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_BENCH_N_SNAPSHOTS 200
#define LAC_BENCH_N_ROUNDS    3

typedef struct {
  gsize  side, n_components, n_sensors; /* of a square grid; numbers at a point */
  double seconds_allowed, bytes_allowed;
} LacBenchTier;

typedef struct {
  double seconds, slowest; /* median and worst of the rounds */
  double bytes;            /* the most that its process held, snapshots included */
} LacBenchCost;

/* The tiers of a plan for such programs, flow.md 1.1.1; the last one with two components. */
const LacBenchTier *lac_bench_tiers(gsize *n_tiers);

/* In a process of its own, for its peak of memory; no other thread may run. Returns: FALSE with an error where there is no
 * room for it. */
gboolean
lac_bench_tier(const LacBenchTier *tier, guint n_threads, LacBenchCost *cost, GError **error);

G_END_DECLS
