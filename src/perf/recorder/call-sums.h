/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of operations too short for spans, such as those on one exposure: every worker adds up its calls, and the end
 * of the enclosing span turns the sums into one aggregate record per operation. A call costs two reads of the ticks. */
#pragma once

#include "perf/recorder/perf.h"

G_BEGIN_DECLS

typedef struct _LacCallSums LacCallSums;

/* @perf: (nullable): NULL or one that records nothing: nothing is measured.
 * @names: [n_operations]; @n_workers: threads that add calls at the same time. */
LacCallSums *
lac_call_sums_new(LacPerf *perf, const char *const *names, guint n_operations, guint n_workers);
void lac_call_sums_free(LacCallSums *sums);

/* Sets the floating-point operations and bytes of one call; 0: unknown. */
void lac_call_sums_set_cost(LacCallSums *sums, guint operation, double flops, double bytes);

/* Returns: the time in ticks at which the first operation begins. Any thread. */
guint64 lac_call_sums_begin(const LacCallSums *sums);
/* Adds a call that began at @from. Thread: worker @worker. Returns: the time now, at which the next one may begin. */
guint64 lac_call_sums_lap(LacCallSums *sums, guint worker, guint operation, guint64 from);

/* Pushes the sums of all workers as records that begin at @start_ns, and resets them. @lane: (nullable): NULL discards
 * them. Thread: the producer of @lane, while no worker adds calls. */
void lac_call_sums_emit(LacCallSums *sums, LacLane *lane, gint64 start_ns, gint64 step);

G_END_DECLS
