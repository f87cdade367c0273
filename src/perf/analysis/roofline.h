/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How near operations come to what the machine can do at all. Rates are those of one thread: the times of an operation are
 * summed over all threads. Source: Williams, Waterman, Patterson (2009), doi:10.1145/1498765.1498785 */
#pragma once

#include "perf/analysis/aggregate.h"

G_BEGIN_DECLS

/* Of one thread while all threads of the run work; NaN where nothing is known of the machine that recorded. */
typedef struct {
  double flops, bytes; /* a second: multiply-adds in registers; to and from memory */
} LacPeak;

typedef enum {
  LAC_BOUND_UNKNOWN,
  LAC_BOUND_COMPUTE,
  LAC_BOUND_MEMORY,
} LacBound;

/* NaN: unknown. What is counted are the bytes an operation reads and writes, from wherever they come: one whose numbers lie in
 * a cache may be faster than memory, above the roof. */
typedef struct {
  double intensity;  /* FLOP a byte */
  double rate;       /* FLOP a second */
  double attainable; /* FLOP a second: the smaller of the peak and intensity times bandwidth */
  double of_peak;    /* rate to the peak of FLOP a second */
  double
           of_roof; /* rate to what is attainable; of what computes nothing, its bytes a second to the bandwidth */
  LacBound bound; /* which roof is above it */
} LacRoofline;

/* What a run recorded at its beginning. Returns at the first record of each. */
LacPeak lac_peak_of_capture(const LacCapture *capture);

LacRoofline lac_roofline_of(const LacAggregate *row, LacPeak peak);

G_END_DECLS
