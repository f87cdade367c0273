/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growth of cost: exponents of time and memory of single operations as their work grows, beside theory. Each operation
 * and the size that is varied is a row of the tables in growth-*.c. */
#pragma once

#include "bench/tiers/bench.h"

G_BEGIN_DECLS

/* Largest distance of a measured exponent above theory; more where a row states the reason. */
#define LAC_GROWTH_MAY 0.15

/* Adds to @file, for each row, rows named "growth/OPERATION/VARIED", one sample per process: time_exponent and
 * memory_exponent (with their limits), time_theory, memory_theory, time_deviation (standard error of the fit),
 * rate_at_smallest and rate_at_largest; and "growth/OPERATION/VARIED/SIZE": seconds, grown_bytes. The operations run
 * on one thread. "only" of the settings filters the names. No other thread may run. */
gboolean lac_bench_grow(const LacBenchSettings *settings, LacBenchFile *file, GError **error);

G_END_DECLS
