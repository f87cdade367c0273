/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long the calls of one operation took: each of them, their quantiles, and how they are distributed. One thread. */
#pragma once

#include "perf/recorder/capture.h"
#include "report/timeline/timeline.h"

G_BEGIN_DECLS

/* What the columns p50 ... p99 of the table of operations are made of: its spans where it has any, each a call; else its
 * aggregates, whose calls took the mean of their step. */
typedef struct _LacDurations LacDurations;

/* What of @name reaches into a range of time. */
LacDurations *
lac_durations_of_range(const LacTimeline *timeline, guint32 name, gint64 begin_ns, gint64 end_ns);
/* All of @name; bars are not known of it. */
LacDurations *lac_durations_of_capture(const LacCapture *capture, guint32 name);
void          lac_durations_free(LacDurations *durations);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDurations, lac_durations_free)

gsize   lac_durations_get_n(const LacDurations *durations); /* spans, or steps with some */
guint64 lac_durations_get_n_calls(const LacDurations *durations);
/* Of one call, @share 0...1: the middle of its class, within 1.6 %. Returns: NaN of none */
double lac_durations_get_quantile(const LacDurations *durations, double share);

/* ---- percentiles: what every histogram and table of durations tells of them ---- */

typedef enum {
  LAC_PERCENTILE_50, /* the median */
  LAC_PERCENTILE_75,
  LAC_PERCENTILE_90,
  LAC_PERCENTILE_99,
  LAC_PERCENTILE_999,
  LAC_N_PERCENTILES
} LacPercentile;

const char *lac_percentile_get_name(LacPercentile percentile); /* "p99.9" */
double      lac_durations_get_percentile(const LacDurations *durations, LacPercentile percentile);

/* Of one call, at even distances in their order, at most @most of them. Returns: (transfer full): [*n], 1 ns or more */
double *lac_durations_dup_sample(const LacDurations *durations, gsize most, gsize *n);

/* ---- those of a length ---- */

/* Calls that took so long, both ends among them, in bars that reach into a range of time. */
typedef struct {
  double low_ns, high_ns;
  gint64 begin_ns, end_ns;
} LacDurationChoice;

typedef struct {
  gsize   n; /* spans, or steps with some */
  guint64 n_calls;
  double  total_ns;
} LacDurationSum;

LacDurationSum lac_durations_sum(const LacDurations *durations, const LacDurationChoice *choice);
/* Bars in the order of their beginnings, from the @first one on. Returns: how many, @most at most. */
gsize lac_durations_list(const LacDurations      *durations,
                         const LacDurationChoice *choice,
                         gsize                    first,
                         LacTimelineBar          *bars,
                         gsize                    most);
/* Frames them in the lanes of the timeline they are of, in view; those on one pixel share one. */
void lac_durations_draw_marks(const LacDurations      *durations,
                              const LacDurationChoice *choice,
                              const LacTimeline       *timeline,
                              LacDrawing              *drawing,
                              const LacTimelineView   *view,
                              LacColour                colour);

/* ---- a histogram ---- */

#define LAC_DURATION_BINS 48

/* Bins with equal ratios of their ends. */
typedef struct {
  double  low_ns, high_ns;
  guint64 counts[LAC_DURATION_BINS]; /* of calls */
  guint64 n_calls, most;             /* in a bin */
} LacDurationBins;

/* The ends of a histogram of all of them, a little wider than what they span. Returns: FALSE where there is nothing. */
gboolean
lac_durations_find_ends(LacDurations *const *durations, gsize n, double *low_ns, double *high_ns);
LacDurationBins lac_durations_bin(const LacDurations *durations, double low_ns, double high_ns);
double          lac_duration_bins_get_edge(const LacDurationBins *bins, gsize i); /* 0 ... BINS */

G_END_DECLS
