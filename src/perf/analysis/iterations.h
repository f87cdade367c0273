/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Iterations of a recording, their durations and outliers. One thread. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

/* Outlier thresholds, both to be exceeded. Score: robust standard deviations above the median (1.4826 times the
 * median absolute deviation; B. Iglewicz, D. Hoaglin, How to detect and handle outliers, 1993). Share: excess over
 * the median, relative to the median. */
#define LAC_OUTLIER_SCORE 3.5
#define LAC_OUTLIER_SHARE 0.2

typedef struct {
  gint64   step, start_ns, duration_ns;
  gsize    record; /* index of its record in the capture */
  double   score;  /* robust standard deviations above the median */
  gboolean is_outlier;
} LacIteration;

typedef struct {
  guint32       name; /* name of the iteration spans */
  LacIteration *iterations;
  gsize         n, n_outliers;
  double        median_ns,
    deviation_ns; /* median and deviation without the first iteration, which often differs */
} LacIterations;

/* Finds the iterations: the outermost spans that have a step and share one name, the name with the most time among
 * those that occur often but not several times in a step. Returns: n = 0 for a recording without steps. Clear after
 * use. */
LacIterations lac_iterations_find(const LacCapture *capture);
void          lac_iterations_clear(LacIterations *iterations);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacIterations, lac_iterations_clear)

/* Incremental search while records are appended: each record is examined once. */
typedef struct LacIterationSearch LacIterationSearch;

LacIterationSearch *lac_iteration_search_new(void);
void                lac_iteration_search_free(LacIterationSearch *search);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacIterationSearch, lac_iteration_search_free)
/* Processes the records appended to @capture since the last call; always pass the same capture. Returns: (transfer
 * none): the iterations, valid until the next call. If @is_whole, they equal those of lac_iterations_find(); else the
 * median may cover up to a tenth fewer iterations, and another name replaces the present one only when the time of the
 * new name is a fifth larger. */
const LacIterations *lac_iteration_search_go_on(LacIterationSearch *search,
                                                const LacCapture   *capture,
                                                gboolean            is_whole);

/* Returns the next outlier after iteration @from, in @direction 1 or -1; -1: none. */
gssize lac_iterations_next_outlier(const LacIterations *iterations, gssize from, int direction);

/* Count the iterations longer than @target_ns (none if it is 0), and find the next one after @from. */
gsize  lac_iterations_count_over(const LacIterations *iterations, gint64 target_ns);
gssize lac_iterations_next_over(const LacIterations *iterations,
                                gint64               target_ns,
                                gssize               from,
                                int                  direction);

G_END_DECLS
