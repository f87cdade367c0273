/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Durations of the calls of one operation: single values, quantiles, distribution. Not thread-safe. */
#pragma once

#include "perf/recorder/capture.h"
#include "report/timeline/timeline.h"

G_BEGIN_DECLS

/* Durations of calls: one per span if the operation has spans; otherwise from aggregates, where each call has the
 * mean duration of its step. The columns p50 ... p99 of the operation table are computed from the same input. */
typedef struct _LacDurations LacDurations;

/* Collects the calls of @name that overlap a time range. */
LacDurations *
lac_durations_of_range(const LacTimeline *timeline, guint32 name, gint64 begin_ns, gint64 end_ns);
/* Collects all calls of @name in a capture, without the rows of a timeline. */
LacDurations *lac_durations_of_capture(const LacCapture *capture, guint32 name);
void          lac_durations_free(LacDurations *durations);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDurations, lac_durations_free)

gsize lac_durations_get_n(
  const LacDurations *durations); /* number of spans, or of steps with aggregates */
guint64 lac_durations_get_n_calls(const LacDurations *durations);
/* Returns the quantile @share, 0...1, over calls: the centre of its histogram bin, within 1.6 %; NaN without calls */
double lac_durations_get_quantile(const LacDurations *durations, double share);

/* ---- percentiles, shown in histograms and tables of durations ---- */

typedef enum {
  LAC_PERCENTILE_50, /* median */
  LAC_PERCENTILE_75,
  LAC_PERCENTILE_90,
  LAC_PERCENTILE_99,
  LAC_PERCENTILE_999,
  LAC_N_PERCENTILES
} LacPercentile;

const char *lac_percentile_get_name(LacPercentile percentile); /* "p99.9" */
double      lac_durations_get_percentile(const LacDurations *durations, LacPercentile percentile);

/* Returns: (transfer full): [*n], at most @most durations, evenly spaced in sorted order, each at least 1 ns */
double *lac_durations_dup_sample(const LacDurations *durations, gsize most, gsize *n);

/* ---- calls in a range of durations ---- */

/* Selection: calls with a duration in [low, high], in bars that overlap a time range. */
typedef struct {
  double low_ns, high_ns;
  gint64 begin_ns, end_ns;
} LacDurationChoice;

typedef struct {
  gsize   n; /* number of spans, or of steps with aggregates */
  guint64 n_calls;
  double  total_ns;
} LacDurationSum;

LacDurationSum lac_durations_sum(const LacDurations *durations, const LacDurationChoice *choice);
/* Lists bars in order of start time, from index @first on. Returns: their number, at most @most. */
gsize lac_durations_list(const LacDurations      *durations,
                         const LacDurationChoice *choice,
                         gsize                    first,
                         LacTimelineBar          *bars,
                         gsize                    most);
/* Draws frames around the selected bars in view; bars on one pixel share a frame. */
void lac_durations_draw_marks(const LacDurations      *durations,
                              const LacDurationChoice *choice,
                              const LacTimeline       *timeline,
                              LacDrawing              *drawing,
                              const LacTimelineView   *view,
                              LacColour                colour);

/* ---- a histogram ---- */

#define LAC_DURATION_BINS 48

/* Histogram with logarithmic bins. */
typedef struct {
  double  low_ns, high_ns;
  guint64 counts[LAC_DURATION_BINS]; /* calls per bin */
  guint64 n_calls, most;             /* of all bins; of the fullest bin */
} LacDurationBins;

/* Finds the common range of histograms, slightly wider than the data. Returns: FALSE without data. */
gboolean
lac_durations_find_ends(LacDurations *const *durations, gsize n, double *low_ns, double *high_ns);
LacDurationBins lac_durations_bin(const LacDurations *durations, double low_ns, double high_ns);
double          lac_duration_bins_get_edge(const LacDurationBins *bins, gsize i); /* 0 ... BINS */

G_END_DECLS
