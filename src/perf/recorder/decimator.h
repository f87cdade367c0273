/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Record decimation for long runs: records of every n-th step are saved one by one; spans and operations of the other
 * steps are summed, so that totals stay exact. Allocates no memory once every name has occurred. One thread. */
#pragma once

#include "perf/recorder/perf.h"

G_BEGIN_DECLS

typedef struct _LacDecimator LacDecimator;

LacDecimator *lac_decimator_new(void);
void          lac_decimator_free(LacDecimator *decimator);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDecimator, lac_decimator_free)

/* Sets the steps whose records are saved from now on: multiples of @stride; 1 (initially): all; 0: none. */
void lac_decimator_set_stride(LacDecimator *decimator, gint64 stride);

/* Processes records as lac_perf_drain() delivers them. @func: called with the saved records, in order, and with the
 * sums of the records dropped before them. A record without a step is treated like those of the step before it. */
void lac_decimator_take(LacDecimator    *decimator,
                        const LacRecord *records,
                        gsize            n,
                        LacRecordFunc    func,
                        gpointer         user_data);

/* Takes back records that were delivered but could not be saved: they are dropped and added to the sums. May be
 * called within @func. */
void lac_decimator_take_back(LacDecimator *decimator, const LacRecord *records, gsize n);

/* Delivers the sums of the records dropped since the last saved step. */
void lac_decimator_finish(LacDecimator *decimator, LacRecordFunc func, gpointer user_data);

typedef struct {
  guint64 n_taken, n_kept,
    n_sums;          /* numbers of records received, saved one by one, and holding sums */
  gint64 first_step; /* first step with dropped records; -1: none */
} LacDecimatorCounts;
LacDecimatorCounts lac_decimator_get_counts(const LacDecimator *decimator);

G_END_DECLS
