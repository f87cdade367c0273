/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Roofline model of operations. Rates are per thread, because the times of an operation are summed over all threads.
 * Source: Williams, Waterman, Patterson (2009), doi:10.1145/1498765.1498785 */
#pragma once

#include "perf/analysis/aggregate.h"

G_BEGIN_DECLS

/* Machine peaks per thread while all threads of the run work, or of the whole GPU for a run there; NaN when the recording
 * machine's peaks are unknown. */
typedef struct {
  double flops, bytes; /* per second: FLOP of multiply-adds in registers; bytes of memory traffic */
  double caches[LAC_N_PEAK_CACHES]; /* bytes per second within LAC_PEAK_CACHE_SIZES; 0: unknown */
  gboolean of_gpu;
  double   link;      /* bytes per second between host and GPU; 0: unknown */
  gint64   copies[2]; /* names of the spans that use it; -1: none */
} LacPeak;

typedef enum {
  LAC_BOUND_UNKNOWN,
  LAC_BOUND_COMPUTE,
  LAC_BOUND_MEMORY,
  LAC_BOUND_LINK,
} LacBound;

/* Position of an operation in the roofline model; NaN: unknown. Bytes are those that the operation reads and writes,
 * cached or not. The bandwidth roof is therefore that of the smallest cache that holds the working set, estimated as
 * the bytes of one call; of memory when no cache holds it. An operation that is faster than this roof had its data in
 * a smaller cache (left there by another operation, or passed over several times): it is held against the slowest
 * faster roof. One above all roofs, by the errors of both measurements, is on the roof: its share is 1 and is_capped is
 * set. Without known cache roofs (recordings of earlier versions), an operation above the memory roof has no share. The roof of
 * copies between host and GPU is their link. */
typedef struct {
  double   intensity;  /* FLOP per byte */
  double   rate;       /* FLOP per second */
  double   attainable; /* FLOP per second: min(peak, intensity * bandwidth) */
  double   of_peak;    /* rate / peak */
  double   of_roof;    /* rate / attainable; without FLOP: bytes per second / bandwidth */
  LacBound bound;      /* the limiting roof */
  double   bandwidth;  /* bytes per second: the bandwidth roof */
  gboolean is_capped;  /* measured above every roof: shown as about 100 % */
} LacRoofline;

/* Returns the peaks recorded at the start of a run; reads no further than the first record of each. */
LacPeak lac_peak_of_capture(const LacCapture *capture);

/* Returns TRUE for the name of a counter of peaks, which is no curve over time. */
gboolean lac_peak_is_counter(const char *name);

LacRoofline lac_roofline_of(const LacAggregate *row, LacPeak peak);

G_END_DECLS
