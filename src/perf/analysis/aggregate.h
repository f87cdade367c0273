/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact per-operation sums over records: the table of timeline page, report and comparison. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

/* One row. A name with aggregate records is an operation: its sums come from these alone. Any other is a phase, summed
 * from its spans. */
typedef struct {
  guint32  name;
  gboolean is_operation; /* else a phase */
  guint64  count;
  double   total_ns, mean_ns;
  double   self_ns;                /* of the total, less what lies in spans within */
  double   min_ns, max_ns;         /* of one call where spans give them, else of a step's mean */
  double   p50_ns, p90_ns, p99_ns; /* likewise; within 1.6 % */
  double
         share; /* of an operation: of the time of all operations, over all threads; of a phase: of the time of
                  * outermost spans; 0...1 */
  double flops, bytes;
  gint64 memory; /* most bytes live while it ran; -1 unknown */
} LacAggregate;

typedef struct _LacAggregates LacAggregates;

LacAggregates *lac_aggregates_new(void);
void           lac_aggregates_free(LacAggregates *aggregates);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacAggregates, lac_aggregates_free)

void lac_aggregates_add(LacAggregates *aggregates, const LacRecord *records, gsize n);
void lac_aggregates_add_capture(LacAggregates *aggregates, const LacCapture *capture); /* all */

/* Rows sorted by total, largest first; valid until the next call on @aggregates. */
const LacAggregate *lac_aggregates_get(LacAggregates *aggregates, gsize *n_rows);

/* Whether shares among operations say where the time went: they hold a tenth of what the phases @rows took, at least.
 * A laboratory that declares none has those of the recorder alone. */
gboolean lac_aggregates_operations_matter(const LacAggregate *rows, gsize n_rows);

/* Its own part of the time of its kind, 0...1: of an operation its share; of a phase, less what lies in spans within. */
double lac_aggregate_own_share(const LacAggregate *row);

/* The rows with the largest parts of the time, of operations where these matter, else of phases; largest first.
 * @parts: [n_parts], into @rows. Returns: how many of them have more than @least of it. */
gsize lac_aggregates_largest(const LacAggregate  *rows,
                             gsize                n_rows,
                             double               least,
                             const LacAggregate **parts,
                             gsize                n_parts);

G_END_DECLS
