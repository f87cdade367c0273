/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact sums over records per operation, for the timeline page, report and comparison. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

/* Sums of the records with one name. A name with aggregate records is an operation, summed from these alone. Any
 * other name is a phase, summed from its spans. */
typedef struct {
  guint32  name;
  gboolean is_operation; /* FALSE: a phase */
  guint64  count;
  double   total_ns, mean_ns;
  double   self_ns;      /* total minus the time of nested spans */
  double min_ns, max_ns; /* one call's duration if spans exist, else the mean duration in a step */
  double p50_ns, p90_ns, p99_ns; /* quantiles of the same durations, exact within 1.6 % */
  double
         share; /* 0...1; for an operation: share of the time of all operations, over all threads; for a phase: share of the time of the outermost spans */
  double flops, bytes;
  gint64 memory; /* peak live bytes during the operation, from the memory plan; -1: unknown */
  /* From the memory records of its spans, which are read in some of the calls only: change summed over these, largest
   * peak; bytes of the process and of the device; LAC_RECORD_UNKNOWN where nothing was recorded. */
  gint64 cpu_delta, cpu_peak, gpu_delta, gpu_peak;
} LacAggregate;

typedef struct _LacAggregates LacAggregates;

LacAggregates *lac_aggregates_new(void);
void           lac_aggregates_free(LacAggregates *aggregates);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacAggregates, lac_aggregates_free)

void lac_aggregates_add(LacAggregates *aggregates, const LacRecord *records, gsize n);
void lac_aggregates_add_capture(LacAggregates    *aggregates,
                                const LacCapture *capture); /* all records */

/* Returns the rows sorted by total time, largest first; valid until the next call on @aggregates. */
const LacAggregate *lac_aggregates_get(LacAggregates *aggregates, gsize *n_rows);

/* Returns TRUE when the operations in @rows account for at least a tenth of the time of the phases, so that their
 * shares are meaningful. The recording of an experiment without operations contains only the recorder's own. */
gboolean lac_aggregates_operations_matter(const LacAggregate *rows, gsize n_rows);

/* Returns the fraction of the time spent in @row itself, 0...1: an operation's share, or a phase's share without
 * nested spans. */
double lac_aggregate_own_share(const LacAggregate *row);

/* Finds the rows with the largest shares of time, largest first, among the operations if these matter, else among the
 * phases. @parts: (out): [n_parts], pointers into @rows. Returns: the number of rows with a share above @least. */
gsize lac_aggregates_largest(const LacAggregate  *rows,
                             gsize                n_rows,
                             double               least,
                             const LacAggregate **parts,
                             gsize                n_parts);

G_END_DECLS
