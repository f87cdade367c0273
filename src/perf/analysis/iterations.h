/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The iterations of a recording, how long each took and which stand out. One thread. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

/* Where an iteration stands out: further than so many robust standard deviations from the median (1.4826 times the median absolute
 * deviation; B. Iglewicz, D. Hoaglin, How to detect and handle outliers, 1993), and longer by a fifth at least. */
#define LAC_OUTLIER_SCORE 3.5
#define LAC_OUTLIER_SHARE 0.2

typedef struct {
  gint64   step, start_ns, duration_ns;
  gsize    record; /* of the capture */
  double   score;  /* robust standard deviations above the median */
  gboolean is_outlier;
} LacIteration;

typedef struct {
  guint32       name; /* of the spans that are the iterations */
  LacIteration *iterations;
  gsize         n, n_outliers;
  double        median_ns, deviation_ns; /* of all but the first, which is often of another kind */
} LacIterations;

/* Iterations are the outermost spans with a step, of the name that takes most time and comes often, but not
 * several times in a step. Returns: none, n = 0, where a recording has no
 * steps. To be cleared. */
LacIterations lac_iterations_find(const LacCapture *capture);
void          lac_iterations_clear(LacIterations *iterations);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacIterations, lac_iterations_clear)

/* The same while records keep coming: each is looked at once. */
typedef struct LacIterationSearch LacIterationSearch;

LacIterationSearch *lac_iteration_search_new(void);
void                lac_iteration_search_free(LacIterationSearch *search);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacIterationSearch, lac_iteration_search_free)
/* Takes what @capture has had since the last call; always the same capture. Until it @is_whole the median may be that of the iterations
 * before, a tenth fewer at most, and a name is kept until another takes a fifth more time; then all is as lac_iterations_find() has it.
 * Returns: the search's own, until the next call. */
const LacIterations *lac_iteration_search_go_on(LacIterationSearch *search,
                                                const LacCapture   *capture,
                                                gboolean            is_whole);

/* The outlier next to iteration @from, @direction 1 or -1; -1: there is none. */
gssize lac_iterations_next_outlier(const LacIterations *iterations, gssize from, int direction);

/* Those that took longer than @target_ns; none where it is 0. The next one to @from likewise. */
gsize  lac_iterations_count_over(const LacIterations *iterations, gint64 target_ns);
gssize lac_iterations_next_over(const LacIterations *iterations,
                                gint64               target_ns,
                                gssize               from,
                                int                  direction);

G_END_DECLS
