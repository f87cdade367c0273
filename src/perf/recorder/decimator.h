/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coarser records where they would take too much room: those of every so many steps stay, spans and operations of the others are
 * summed, so that no time is missing from any total. Allocates nothing once every name was seen. One thread. */
#pragma once

#include "perf/recorder/perf.h"

G_BEGIN_DECLS

typedef struct _LacDecimator LacDecimator;

LacDecimator *lac_decimator_new(void);
void          lac_decimator_free(LacDecimator *decimator);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDecimator, lac_decimator_free)

/* Of which steps records stay from now on: multiples of @stride; 1, at first: of all; 0: of none. */
void lac_decimator_set_stride(LacDecimator *decimator, gint64 stride);

/* Records as lac_perf_drain() hands them over. @func: called with those that stay, in order, and with sums of those before them
 * that do not. What belongs to no step goes with the step before it. */
void lac_decimator_take(LacDecimator    *decimator,
                        const LacRecord *records,
                        gsize            n,
                        LacRecordFunc    func,
                        gpointer         user_data);

/* Records that were handed over and could not be kept after all: into the sums. Within @func too. */
void lac_decimator_take_back(LacDecimator *decimator, const LacRecord *records, gsize n);

/* The sums of what was let go since the last step that stayed. */
void lac_decimator_finish(LacDecimator *decimator, LacRecordFunc func, gpointer user_data);

typedef struct {
  guint64 n_taken, n_kept, n_sums; /* records; kept: one by one */
  gint64  first_step;              /* of which something was let go; -1: nothing was */
} LacDecimatorCounts;
LacDecimatorCounts lac_decimator_get_counts(const LacDecimator *decimator);

G_END_DECLS
