/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Partitions of a time: the wall clock by phase, and the own time of operations. One thread per call. */
#pragma once

#include "perf/analysis/aggregate.h"
#include "perf/analysis/call-tree.h"

G_BEGIN_DECLS

#define LAC_PARTS_MOST  10    /* named parts; smaller ones are summed as the last part */
#define LAC_PARTS_LEAST 0.002 /* share of the whole below which a part is not named */

typedef struct {
  guint32 name; /* id in the capture; LAC_NO_NAME: the rest */
  gint64  ns;
} LacTimePart;

/* A partition: the parts add up to whole_ns exactly. The rest, if there is any, is the last part. */
typedef struct {
  LacTimePart *parts; /* [n] */
  gsize        n;
  gint64       whole_ns;
} LacTimeParts;

/* Partitions the range of @tree by phase, in the order of their first call. An iteration is divided into the spans
 * directly within it, as are the spans that hold iterations; every other outermost span is a phase of its own. The
 * rest is the time in no such span. Clear after use. @phases: (nullable) (out): [tree->n]: the name of the phase to
 * which each node belongs, LAC_NO_NAME for nodes that are divided and phases in the rest */
LacTimeParts lac_time_parts_of_phases(const LacCallTree *tree, guint32 *phases);

/* Returns: (transfer full): @rows, of LacAggregate, of which none counts the time of another: self_ns of a phase is
 * without the spans and operations within it, and share is that of self_ns in the sum over all rows. @tree: of the same
 * records */
GArray *lac_own_times(const LacCallTree *tree, const LacAggregate *rows, gsize n_rows);

/* Partitions the own time of operations and phases, summed over threads, the largest first. Clear after use. */
LacTimeParts
lac_time_parts_of_operations(const LacCallTree *tree, const LacAggregate *rows, gsize n_rows);

void lac_time_parts_clear(LacTimeParts *parts);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacTimeParts, lac_time_parts_clear)

/* Rounds shares to whole numbers that add up to exactly @total, 100 for per cent: each is rounded down, and the largest
 * remainders are rounded up (Hamilton's method). @shares: (out): [parts->n]; all 0 when the whole is 0 */
void lac_time_parts_round(const LacTimeParts *parts, guint total, guint *shares);

G_END_DECLS
